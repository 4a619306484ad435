/// What befalls a simulated hub.
public enum FaultKind: Int, CaseIterable, Sendable {
    /// A connection ends; what was on its way is lost from some message on.
    case cut
    /// A client reads nothing for a while.
    case slowReader
    /// Messages of one client are late.
    case slowLine
    /// What others post to a loop is late.
    case slowPost
    /// The log takes its time.
    case slowLog
    /// One append is refused.
    case failedAppend
    /// One append is done, or not, and nobody knows.
    case unansweredAppend
    /// The log takes no writes for a while.
    case logDown
    /// One reading of the log fails.
    case failedReading
    /// Another writer comes first.
    case conflict
    /// The process dies and is started again.
    case crash
    /// The process is stopped as it should be, and started again.
    case restart
    /// Somebody sets the machine's clock.
    case clockStep
    /// A loop stands still.
    case stall
    /// Rows are written and read late.
    case slowRows
    /// Rows are lost with a crash: all, or the newest.
    case lostRows
    /// The connection of a request ends before it has come, or before it is answered.
    case lostRequest
    /// Everybody goes without a word, and is back minutes later: the hub has to do by itself what is due.
    case desertion
    /// Nobody does anything for a while but look on: nothing that happens later hides what is wrong.
    case lull
    // Of several hubs alone.
    /// Messages between two nodes are late.
    case slowLink
    /// Nothing comes over the link between two nodes for a while, one way or both.
    case cutLink
    /// The database takes its time for one node, or for all.
    case lateDatabase
    /// One node cannot reach the database for a while, or none can.
    case lostDatabase
    /// A whole process stands still, and comes back believing that nothing has happened.
    case freeze
    /// A node's process dies, or is stopped, and is there again within a second.
    case quickRestart
    /// Somebody sets the clock of a machine, not that of the database.
    case machineClock
    /// The database dies, and a replica takes its place that lacks what was written last.
    case failOver
    /// All nodes are of an older release at first, and are replaced by the newer one, node by node.
    case olderRelease
}

extension FaultKind {
    /// Whether the hub may do things late by it, not one client alone.
    var hindersHub: Bool {
        switch self {
        case .cut, .slowReader, .slowLine, .clockStep, .conflict, .lostRequest, .desertion, .lull, .machineClock: false
        default: true
        }
    }

    /// Whether it befalls none but several hubs that share a log.
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
