import JSON

/// How a player went out of a game: who, and why. In a game of two that ends it.
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
