import EventStore
import Games
import RoomRules

extension Rejection {
    /// The answer to a client when the log, or what is derived from it, fails with `error`.
    public init(_ error: EventLogError) {
        switch error {
        case .busy: self = .hubBusy
        case .rowsFailed: self = .listsUnavailable
        default: self = .logUnavailable
        }
    }

    private static let listsUnavailable = Rejection(
        "log-unavailable", "The hub is building its lists again. Nothing has changed. Try again soon.")
}
