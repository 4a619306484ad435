import JSON

/// How a game of two ended before its rules had it end: who lost it, and by what.
struct EarlyEnd: Equatable, Sendable {
    enum Reason: String, Sendable {
        case time, resigned, left
    }

    let reason: Reason
    let loser: Seat

    /// Who leaves has resigned.
    var outcome: Outcome.Reason { reason == .time ? .time : .resigned }
    /// As `lost` of a view.
    var fields: Fields { ["seat": .integer(loser.rawValue), "reason": .string(reason.rawValue)] }
}
