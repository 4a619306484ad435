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
}

extension FaultKind {
    /// Whether the hub may do things late by it, not one client alone.
    var hindersHub: Bool {
        switch self {
        case .cut, .slowReader, .slowLine, .clockStep, .conflict, .lostRequest, .desertion, .lull: false
        default: true
        }
    }

    /// Microseconds between two of them where they are frequent.
    var usualPause: Int {
        switch self {
        case .cut, .lostRequest, .slowReader, .slowLine, .unansweredAppend, .conflict: 1_000_000
        case .desertion, .lull: 40_000_000
        case .crash, .restart, .logDown, .stall, .clockStep, .failedAppend: 20_000_000
        default: 5_000_000
        }
    }
}
