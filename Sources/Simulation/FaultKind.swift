/// What can go wrong for a simulated hub.
public enum FaultKind: Int, CaseIterable, Sendable {
    /// A connection ends, and loses its messages from some point on.
    case cut
    /// A client reads nothing for a while.
    case slowReader
    /// Messages of one client are late.
    case slowLine
    /// Posts of others to a loop are late.
    case slowPost
    /// The log is slow.
    case slowLog
    /// One append is refused.
    case failedAppend
    /// One append is done or not, but its outcome is unknown.
    case unansweredAppend
    /// The log takes no writes for a while.
    case logDown
    /// One read of the log fails.
    case failedReading
    /// Another writer comes first.
    case conflict
    /// The process dies and is started again.
    case crash
    /// The process is stopped in the regular way, and started again.
    case restart
    /// Someone sets the machine's clock.
    case clockStep
    /// A loop blocks.
    case stall
    /// Rows are written and read late.
    case slowRows
    /// A crash loses rows: all, or the newest.
    case lostRows
    /// The connection of a request ends before it arrives, or before it is answered.
    case lostRequest
    /// All clients disconnect without a word and return minutes later. The hub has to do by itself what is due.
    case desertion
    /// Everyone only watches for a while, so that no later event hides a fault.
    case lull
    // Only for several hubs:
    /// Messages between two nodes are late.
    case slowLink
    /// Nothing arrives over the link between two nodes for a while, in one direction or both.
    case cutLink
    /// The database is slow for one node, or for all.
    case lateDatabase
    /// One node, or all, cannot reach the database for a while.
    case lostDatabase
    /// A whole process blocks, and continues as if nothing had happened.
    case freeze
    /// A node's process dies or is stopped, and is back within a second.
    case quickRestart
    /// Someone sets the clock of a machine, not that of the database.
    case machineClock
    /// The database dies, and a replica replaces it that lacks the newest records.
    case failOver
    /// All nodes start with an older release, and the newer one replaces them one by one.
    case olderRelease
}

extension FaultKind {
    /// Whether it can delay the hub, rather than one client.
    var hindersHub: Bool {
        switch self {
        case .cut, .slowReader, .slowLine, .clockStep, .conflict, .lostRequest, .desertion, .lull, .machineClock: false
        default: true
        }
    }

    /// Whether it needs several hubs that share a log.
    public var isOfNodes: Bool { rawValue >= Self.slowLink.rawValue }

    /// Microseconds between two of them where they are frequent.
    var usualPause: Int {
        switch self {
        case .cut, .lostRequest, .slowReader, .slowLine, .unansweredAppend, .conflict: 1_000_000
        case .desertion, .lull, .failOver: 40_000_000
        case .crash, .restart, .logDown, .stall, .clockStep, .failedAppend, .cutLink, .lateDatabase, .lostDatabase,
            .freeze,
            .quickRestart, .machineClock, .olderRelease:
            20_000_000
        default: 5_000_000
        }
    }
}
