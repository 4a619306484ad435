import JSON

/// How a game of two ended early: who lost it, and why.
struct EarlyEnd: Equatable, Sendable {
    enum Reason: String, Sendable {
        case time, resigned, left
    }

    let reason: Reason
    let loser: Seat

    /// Leaving counts as resigning.
    var outcome: Outcome.Reason { reason == .time ? .time : .resigned }
    /// As in `out` of a view.
    var fields: Fields { ["seat": .integer(loser.rawValue), "reason": .string(reason.rawValue)] }
}
