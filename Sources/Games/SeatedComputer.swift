import Cryptography
import JSON

/// A computer player at a table, for any game. It learns only what everyone is shown, and its own hand.
public protocol SeatedComputer: Sendable {
    /// One of the game's own events. It ignores one that does not fit.
    mutating func see(_ step: GameStep, at time: Milliseconds)
    /// As `Game.applyLeaving`.
    mutating func seeLeaving(of seat: Seat, at time: Milliseconds)
    /// As `Game.extendClock`.
    mutating func extendClock(by span: Milliseconds)
    /// Its current command; nil if the game does not wait for it, or if it `isStopped`. `hand` is as `Game.hand` has it
    /// after the events seen so far.
    mutating func move(hand: Fields?, isStopped: () -> Bool) -> GameStep?
}

extension Game {
    /// The levels of this game's computer players, the weakest first.
    public static var computerLevels: [String] { Computer.levels }

    /// Seats a computer at a game that has just started, from the fields of `game-started`; nil if they do not fit, or
    /// if there is no such level. `seed` is for its own random choices.
    public static func computer(
        level: String, seat: Seat, seed: Digest, options: Fields, fields: Fields, players: [Seat], first: Seat,
        at time: Milliseconds
    ) -> (any SeatedComputer)? {
        guard computerLevels.contains(level), let setup = Setup(options: options, fields: fields),
            players.contains(first), players.contains(seat)
        else { return nil }
        return ComputerAtTable<Self>(
            seat: seat, game: PublicGame(setup: setup, players: players, first: first, at: time),
            player: Computer(level: level, seat: seat, seed: seed))
    }
}

/// A computer player with its own fold of the public events.
private struct ComputerAtTable<Played: Game>: SeatedComputer {
    let seat: Seat
    var game: PublicGame<Played>
    var player: Played.Computer

    mutating func see(_ step: GameStep, at time: Milliseconds) {
        guard let event = game.state.event(step) else { return }
        game.apply(event, at: time)
        player.see(event, in: game)
    }

    mutating func seeLeaving(of seat: Seat, at time: Milliseconds) { game.applyLeaving(of: seat, at: time) }
    mutating func extendClock(by span: Milliseconds) { game.extendClock(by: span) }

    mutating func move(hand: Fields?, isStopped: () -> Bool) -> GameStep? {
        guard game.state.awaited.contains(seat),
            let command = player.move(in: game, hand: hand, isStopped: isStopped), !isStopped()
        else { return nil }
        return GameStep(type: command.type, fields: command.fields)
    }
}
