import Cryptography
import JSON

/// A computer player at a table, whatever game it plays. It is told what everybody is shown, and nothing else.
public protocol SeatedComputer: Sendable {
    /// One of the game's own events. One that does not fit is passed over: what it knows is its own affair.
    mutating func see(_ step: GameStep, at time: Milliseconds)
    /// As `Game.applyLeaving`.
    mutating func seeLeaving(of seat: Seat, at time: Milliseconds)
    /// As `Game.extendClock`.
    mutating func extendClock(by span: Milliseconds)
    /// The command that it gives now; nil if the game does not wait for it, or if it `isStopped`.
    mutating func move(isStopped: () -> Bool) -> GameStep?
}

extension Game {
    /// The levels of this game's computer players, the weakest first.
    public static var computerLevels: [String] { Computer.levels }

    /// A computer at `seat` of a game that has just started, from what `game-started` shows; nil if that does not fit,
    /// or if there is no such level. `seed` is for its own random choices.
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

/// A computer player with its own fold of what is shown.
private struct ComputerAtTable<Played: Game>: SeatedComputer {
    let seat: Seat
    var game: PublicGame<Played>
    var player: Played.Computer

    mutating func see(_ step: GameStep, at time: Milliseconds) {
        guard let event = game.state.event(type: step.type, fields: step.fields) else { return }
        game.apply(event, at: time)
        player.see(event, in: game)
    }

    mutating func seeLeaving(of seat: Seat, at time: Milliseconds) { game.applyLeaving(of: seat, at: time) }
    mutating func extendClock(by span: Milliseconds) { game.extendClock(by: span) }

    mutating func move(isStopped: () -> Bool) -> GameStep? {
        guard game.state.turn == seat, let command = player.move(in: game, isStopped: isStopped), !isStopped() else {
            return nil
        }
        return GameStep(type: command.type, fields: command.fields)
    }
}
