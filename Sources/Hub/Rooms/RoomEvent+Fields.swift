import Cryptography
import Games

// How a room's events stand in the log and on the wire.
extension RoomEvent {
    var type: String {
        switch self {
        case .opened: "room-opened"
        case .seatTaken: "seat-taken"
        case .seatFreed: "seat-freed"
        case .playerLeft: "player-left"
        case .optionsChanged: "options-changed"
        case .gameStarted: "game-started"
        case .clockExtended: "clock-extended"
        case .gameEnded: "game-ended"
        case .closed: "room-closed"
        case .game(let happening): happening.type
        }
    }

    /// What everybody sees, besides `v`, `t` and `type`.
    var fields: Fields {
        switch self {
        case .opened(let opening): return opening.fields
        case .seatTaken(let seat, let player), .seatFreed(let seat, let player):
            return SeatedPlayer(seat: seat, player: player).fields
        case .playerLeft(let seat, let player, let reason, let result):
            var fields = SeatedPlayer(seat: seat, player: player).fields
            fields["reason"] = .string(reason)
            fields["result"] = .object(NamedResult(player: player, result: result).fields)
            return fields
        case .optionsChanged(let options): return ["options": .object(options)]
        case .gameStarted(let start): return start.fields
        case .clockExtended(let span, let until, let deadline):
            var fields: Fields = ["ms": .integer(span), "until": .integer(until)]
            if let deadline { fields["deadline"] = .integer(deadline) }
            return fields
        case .gameEnded(let end): return end.fields
        case .closed(let reveal): return reveal.map { ["reveal": .object($0.fields)] } ?? [:]
        case .game(let happening): return happening.fields
        }
    }

    /// What never leaves the hub.
    var sealed: [UInt8]? {
        switch self {
        case .opened(let opening): opening.seed?.bytes
        case .gameEnded(let end): end.seed?.bytes
        default: nil
        }
    }

    /// Reads an event back; nil if its fields do not fit. A type that is none of a room's own is taken to be a game's.
    init?(type: String, fields: Fields, sealed: [UInt8]?) {
        switch type {
        case "room-opened":
            guard let game = fields["game"]?.string, let options = fields["options"]?.object,
                let visibility = fields["visibility"]?.string.flatMap(Visibility.init),
                let host = fields["host"]?.string,
                let seed = ServerSeed.read(fields, sealed)
            else { return nil }
            self = .opened(
                Opening(game: game, options: options, visibility: visibility, host: host, seed: seed.seed))
        case "seat-taken", "seat-freed":
            guard let seated = SeatedPlayer(fields) else { return nil }
            self =
                type == "seat-taken"
                ? .seatTaken(seated.seat, seated.player) : .seatFreed(seated.seat, seated.player)
        case "player-left":
            guard let seated = SeatedPlayer(fields), let reason = fields["reason"]?.string,
                let result = fields["result"]?.object.flatMap({ NamedResult($0) })
            else { return nil }
            self = .playerLeft(seated.seat, seated.player, reason: reason, result: result.result)
        case "options-changed":
            guard let options = fields["options"]?.object else { return nil }
            self = .optionsChanged(options)
        case "game-started":
            guard let start = GameStart(fields) else { return nil }
            self = .gameStarted(start)
        case "clock-extended":
            guard let span = fields["ms"]?.integer, let until = fields["until"]?.integer else { return nil }
            self = .clockExtended(span: span, until: until, deadline: fields["deadline"]?.integer)
        case "game-ended":
            guard let results = fields["results"]?.list, let reason = fields["reason"]?.string,
                let seed = ServerSeed.read(fields, sealed)
            else { return nil }
            let read = results.compactMap { $0.object.flatMap { NamedResult($0) } }
            guard read.count == results.count else { return nil }
            self = .gameEnded(
                GameEnd(reason: reason, results: read, reveal: Reveal(fields["reveal"]?.object), seed: seed.seed))
        case "room-closed": self = .closed(reveal: Reveal(fields["reveal"]?.object))
        default: self = .game(Happening(type: type, fields: fields))
        }
    }
}

extension RoomEvent.Opening {
    fileprivate var fields: Fields {
        var fields: Fields = [
            "game": .string(game), "options": .object(options), "visibility": .string(visibility.rawValue),
            "host": .string(host),
        ]
        if let seed { fields["commitment"] = .string(seed.commitment.hex) }
        return fields
    }
}

extension RoomEvent.GameEnd {
    var fields: Fields {
        var fields: Fields = ["results": .list(results.map { .object($0.fields) }), "reason": .string(reason)]
        if let reveal { fields["reveal"] = .object(reveal.fields) }
        if let seed { fields["commitment"] = .string(seed.commitment.hex) }
        return fields
    }
}

extension RoomEvent.GameStart {
    private static let ownNames = ["number", "options", "seats", "first"]

    /// The game's own fields stand between the options and the seats.
    var fields: Fields {
        var fields: Fields = ["number": .integer(number), "options": .object(options)]
        fields = fields.merging(gameFields)
        fields["seats"] = .list(players.map { .object($0.fields) })
        fields["first"] = .integer(first.rawValue)
        return fields
    }

    fileprivate init?(_ fields: Fields) {
        guard let number = fields["number"]?.integer, let options = fields["options"]?.object,
            let seats = fields["seats"]?.list, let first = fields["first"]?.integer
        else { return nil }
        let players = seats.compactMap { $0.object.flatMap { SeatedPlayer($0) } }
        guard players.count == seats.count else { return nil }
        var gameFields = fields
        for name in Self.ownNames { gameFields[name] = nil }
        self.init(number: number, options: options, gameFields: gameFields, players: players, first: Seat(first))
    }
}

extension SeatedPlayer {
    fileprivate var fields: Fields { ["seat": .integer(seat.rawValue), "player": .string(player)] }

    fileprivate init?(_ fields: Fields) {
        guard let seat = fields["seat"]?.integer, seat >= 0, let player = fields["player"]?.string else { return nil }
        self.init(seat: Seat(seat), player: player)
    }
}

extension NamedResult {
    /// As in `game-ended`: `{seat, player, score, <the game's figures>, time, left?}`.
    var fields: Fields {
        var fields: Fields = [
            "seat": .integer(result.seat.rawValue), "player": .string(player), "score": .integer(result.score),
        ]
        fields = fields.merging(result.figures)
        fields["time"] = .integer(result.time)
        if result.isLeftEarly { fields["left"] = .bool(true) }
        return fields
    }

    fileprivate init?(_ fields: Fields) {
        guard let seated = SeatedPlayer(fields), let score = fields["score"]?.integer,
            let time = fields["time"]?.integer
        else { return nil }
        var figures = fields
        for name in ["seat", "player", "score", "time", "left"] { figures[name] = nil }
        self.init(
            player: seated.player,
            result: PlayerResult(
                seat: seated.seat, score: score, figures: figures, time: time,
                isLeftEarly: fields["left"]?.bool ?? false))
    }
}

extension ServerSeed {
    /// The seed that `commitment` and the sealed bytes speak of: none in a game that is not dealt. Nil if they do not
    /// fit each other.
    fileprivate static func read(_ fields: Fields, _ sealed: [UInt8]?) -> (seed: ServerSeed?, Void)? {
        guard let text = fields["commitment"]?.string else { return sealed == nil ? (nil, ()) : nil }
        guard let commitment = Digest(hex: text) else { return nil }
        guard let sealed else { return (.committed(commitment), ()) }
        let seed = ServerSeed.known(sealed)
        return seed.commitment == commitment ? (seed, ()) : nil
    }
}

extension Reveal {
    fileprivate var fields: Fields { ["seed": .string(seed.hex), "nonces": .list([])] }

    fileprivate init?(_ fields: Fields?) {
        guard let seed = fields?["seed"]?.string.flatMap({ [UInt8](hex: $0) }) else { return nil }
        self.init(seed: seed)
    }
}
