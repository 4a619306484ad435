/// The times of a game that waits for one move at a time.
public struct GameClock: Sendable, Equatable {
    /// When the move runs out of time; nil without a limit, and while no move is due.
    public var deadline: Milliseconds?
    /// When the latest event happened.
    public var latest: Milliseconds
    /// When the game would have started if the hub had always been running since.
    private var startedAt: Milliseconds

    /// For a game that starts now.
    public init(at time: Milliseconds) { (startedAt, latest) = (time, time) }

    /// As `Game.extendClock`.
    public mutating func extend(by span: Milliseconds) {
        startedAt &+= span
        deadline = deadline.map { $0 &+ span }
    }

    /// Without the time in which the hub was not running.
    public func timePlayed(until time: Milliseconds) -> Milliseconds { max(0, time &- startedAt) }
}
