import JSON

/// Why a player no longer has a seat.
enum DepartureReason: String, Equatable, Sendable {
    case left
    /// By the host.
    case freed
    case banned
}

extension DepartureReason {
    /// The field `reason`.
    init?(_ fields: Fields) {
        guard let departure = fields["reason"]?.string.flatMap({ DepartureReason(rawValue: $0) }) else { return nil }
        self = departure
    }
}
