/// The times of a game in which one move at a time is waited for.
public struct GameClock: Sendable, Equatable {
    /// When the move is up; nil without a limit, and while none is waited for.
    public var deadline: Milliseconds?
    /// When the latest event happened.
    public var latest: Milliseconds
    /// When the game would have started if the hub had run all the time since.
    private var startedAt: Milliseconds

    /// Of a game that starts now.
    public init(at time: Milliseconds) { (startedAt, latest) = (time, time) }

    /// As `Game.extendClock`.
    public mutating func extend(by span: Milliseconds) {
        startedAt &+= span
        deadline = deadline.map { $0 &+ span }
    }

    /// Without the time in which the hub was not running.
    public func timePlayed(until time: Milliseconds) -> Milliseconds { max(0, time &- startedAt) }
}
