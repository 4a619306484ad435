import Cryptography

/// A game as everyone sees it: the fold of what is shown. It is made without a seed, and from nothing that has one; so
/// whoever holds it can look at whatever there is.
public struct PublicGame<Played: Game>: Sendable, Equatable {
    public private(set) var state: Played

    /// As `Game.init`.
    public init(setup: Played.Setup, players: [Seat], first: Seat, at time: Milliseconds) {
        state = Played(setup: setup, players: players, first: first, seed: nil, at: time)
    }

    public mutating func apply(_ event: Played.Event, at time: Milliseconds) { state.apply(event, at: time) }
    /// As `Game.applyLeaving`.
    public mutating func applyLeaving(of seat: Seat, at time: Milliseconds) { state.applyLeaving(of: seat, at: time) }
    /// As `Game.extendClock`.
    public mutating func extendClock(by span: Milliseconds) { state.extendClock(by: span) }
}

/// A player that no person is behind. It sees what every player sees, and acts by the same commands; it knows no clock,
/// and its random choices follow from a seed of its own.
public protocol ComputerPlayer: Sendable {
    associatedtype Played: Game

    /// The names of its strengths, the weakest first, as in `bot {seat, level}`.
    static var levels: [String] { get }

    /// One who has seen nothing yet, and plays at `seat`; `level` is one of `levels`.
    init(level: String, seat: Seat, seed: Digest)

    /// `event` has happened, and `game` is what came of it. Called for each event of a game, in order, also for those
    /// from before it took over its seat.
    mutating func see(_ event: Played.Event, in game: PublicGame<Played>)

    /// What it does, asked when `game.state.turn` is its seat. It may take long, so it asks now and then whether it
    /// `isStopped`; then any answer will do. Nil if there is nothing to do.
    mutating func move(in game: PublicGame<Played>, isStopped: () -> Bool) -> Played.Command?
}
