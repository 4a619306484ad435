import Cryptography
import JSON

/// A game as everyone sees it, folded from the public events. It never had the seed, so its holder may look at all of
/// it.
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

/// A player without a person. It sees what every player at its seat sees, and acts by the same commands. It has no
/// clock, and its random choices follow from a seed of its own.
public protocol ComputerPlayer: Sendable {
    associatedtype Played: Game

    /// The names of its strengths, the weakest first, as in `bot {seat, level}`.
    static var levels: [String] { get }

    /// Makes a player at `seat` that has seen nothing yet; `level` is one of `levels`.
    init(level: String, seat: Seat, seed: Digest)

    /// `event` has happened and led to `game`. Called for each event in order, including those from before it took over
    /// its seat.
    mutating func see(_ event: Played.Event, in game: PublicGame<Played>)

    /// Its move, asked for when the game awaits its seat; nil if there is none. `hand` is its own. It may take long, so
    /// it checks `isStopped` now and then; once that is true any answer will do.
    mutating func move(in game: PublicGame<Played>, hand: Fields?, isStopped: () -> Bool) -> Played.Command?
}
