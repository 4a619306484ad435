import Games
import JSON

/// The game that a result belongs to. With it, a single record has everything that a list of results needs.
public struct PlayedGame: Equatable, Sendable {
    /// As `Game.name`.
    public let name: String
    /// As `GameSetup.mode`.
    public let mode: String
    /// 1 for the room's first game.
    public let number: Int
}

extension PlayedGame {
    var fields: Fields { ["game": .string(name), "mode": .string(mode), "number": .integer(number)] }

    init?(_ fields: Fields) {
        guard let name = fields["game"]?.string, let mode = fields["mode"]?.string,
            let number = fields["number"]?.integer
        else { return nil }
        self.init(name: name, mode: mode, number: number)
    }
}

/// A result and its player.
public struct NamedResult: Equatable, Sendable {
    /// The player or computer.
    public let player: PlayerID
    /// Its own `place` is nil.
    public let result: PlayerResult
    /// Whether this is a computer with its own seat.
    public var isComputer = false
    /// Whether a computer played for the player for some time.
    public var isHelped = false
    /// 1 for the winner; equal results share a place.
    public var place = 1
}

extension [NamedResult] {
    /// Whom people played against. These must be all results of a game.
    public var opponents: Opponents {
        let computers = count { $0.isComputer }
        return Opponents(people: count - computers, computers: computers)
    }
}

extension NamedResult {
    private static let ownNames = ["seat", "player", "score", "place", "time", "left", "helped", "bot"]

    /// As in `game-ended`: `{seat, player, score, place, <the game's figures>, time, left?, helped?, bot?}`.
    var fields: Fields {
        var fields: Fields = [
            "seat": .integer(result.seat.rawValue), "player": .string(player), "score": .integer(result.score),
            "place": .integer(place),
        ]
        fields = fields.merging(result.figures)
        fields["time"] = .integer(result.time)
        for (name, isTrue) in [("left", result.isLeftEarly), ("helped", isHelped), ("bot", isComputer)] where isTrue {
            fields[name] = true
        }
        return fields
    }

    init?(_ fields: Fields) {
        guard let seat = Seat(fields), let player = fields["player"]?.string, let score = fields["score"]?.integer,
            let place = fields["place"]?.integer, let time = fields["time"]?.integer
        else { return nil }
        var figures = fields
        for name in Self.ownNames { figures[name] = nil }
        self.init(
            player: player,
            result: PlayerResult(
                seat: seat, score: score, figures: figures, time: time, isLeftEarly: fields["left"]?.bool ?? false),
            isComputer: fields["bot"]?.bool ?? false, isHelped: fields["helped"]?.bool ?? false,
            place: place)
    }
}
