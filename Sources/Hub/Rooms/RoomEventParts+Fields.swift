import Cryptography
import Games

// How the parts of a room's events stand in the log and on the wire: each is written and read beside the other.

extension RoomEvent.Opening {
    var fields: Fields {
        var fields: Fields = [
            "game": .string(game), "options": .object(options), "visibility": .string(visibility.rawValue),
            "host": .string(host),
        ]
        if let seed { fields["commitment"] = .string(seed.commitment.hex) }
        return fields
    }

    init?(_ fields: Fields, _ sealed: [UInt8]?) {
        guard let game = fields["game"]?.string, let options = fields["options"]?.object,
            let visibility = fields["visibility"]?.string.flatMap(Visibility.init), let host = fields["host"]?.string,
            let seed = ServerSeed.read(fields, sealed)
        else { return nil }
        self.init(game: game, options: options, visibility: visibility, host: host, seed: seed.seed)
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

    init?(_ fields: Fields) {
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

extension Dealing {
    /// Those of the start, and what is waited for.
    var fields: Fields {
        start.fields.merging([
            "awaited": .integers(awaited.map(\.rawValue)), "deadline": .integer(deadline),
        ])
    }

    init?(_ fields: Fields) {
        guard let awaited = fields["awaited"]?.integers, let deadline = fields["deadline"]?.integer else { return nil }
        var rest = fields
        for name in ["awaited", "deadline"] { rest[name] = nil }
        guard let start = RoomEvent.GameStart(rest) else { return nil }
        self.init(start: start, awaited: awaited.map { Seat($0) }, deadline: deadline)
    }
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

extension RoomEvent.Leaving {
    var fields: Fields {
        (["seat": .integer(seat.rawValue), "player": .string(player), "reason": .string(departure.rawValue)] as Fields)
            .merging(game.fields).merging(["result": .object(result.fields)])
    }

    init?(_ fields: Fields) {
        guard let seated = SeatedPlayer(fields), let departure = DepartureReason(fields), let game = PlayedGame(fields),
            let result = fields["result"]?.object.flatMap({ NamedResult($0) })
        else { return nil }
        self.init(seat: seated.seat, player: seated.player, departure: departure, game: game, result: result)
    }
}

extension RoomEvent.GameEnd {
    var fields: Fields {
        var fields = game.fields.merging([
            "results": .list(results.map { .object($0.fields) }), "reason": .string(reason.rawValue),
        ])
        if let reveal { fields["reveal"] = .object(reveal.fields) }
        if let seed { fields["commitment"] = .string(seed.commitment.hex) }
        return fields
    }

    init?(_ fields: Fields, _ sealed: [UInt8]?) {
        guard let game = PlayedGame(fields), let results = fields["results"]?.list,
            let reason = fields["reason"]?.string.flatMap({ GameEndReason(rawValue: $0) }),
            let seed = ServerSeed.read(fields, sealed)
        else { return nil }
        let read = results.compactMap { $0.object.flatMap { NamedResult($0) } }
        guard read.count == results.count else { return nil }
        let reveal = fields["reveal"]?.object.flatMap { Reveal($0) }
        self.init(game: game, reason: reason, results: read, reveal: reveal, seed: seed.seed)
    }
}

extension GameEndReason: RawRepresentable {
    /// As in the field `reason`.
    var rawValue: String {
        switch self {
        case .game(let reason): reason.rawValue
        case .closed: "closed"
        case .fault: "fault"
        }
    }

    init?(rawValue: String) {
        switch rawValue {
        case "closed": self = .closed
        case "fault": self = .fault
        default:
            guard let reason = Outcome.Reason(rawValue: rawValue) else { return nil }
            self = .game(reason)
        }
    }
}

extension Seat {
    /// The field `seat`.
    init?(_ fields: Fields) {
        guard let number = fields["seat"]?.integer, (0..<RoomState.seatLimit).contains(number) else { return nil }
        self.init(number)
    }
}

extension DepartureReason {
    /// The field `reason`.
    init?(_ fields: Fields) {
        guard let departure = fields["reason"]?.string.flatMap({ DepartureReason(rawValue: $0) }) else { return nil }
        self = departure
    }
}

extension SeatedPlayer {
    var fields: Fields {
        var fields: Fields = ["seat": .integer(seat.rawValue), "player": .string(player)]
        if let level { fields["bot"] = .string(level) }
        if let commitment { fields["commitment"] = .string(commitment.hex) }
        if let nonce { fields["nonce"] = .string(nonce.bytes.hex) }
        return fields
    }

    init?(_ fields: Fields) {
        guard let seat = Seat(fields), let player = fields["player"]?.string,
            let commitment = RoomEvent.commitment(fields)
        else { return nil }
        self.init(
            seat: seat, player: player, level: fields["bot"]?.string, commitment: commitment.digest,
            nonce: fields["nonce"]?.string.flatMap { Nonce(hex: $0) })
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
    var fields: Fields {
        [
            "seed": .string(seed.hex),
            "nonces": .list(
                nonces.map {
                    .object(["seat": .integer($0.seat.rawValue), "nonce": .string($0.nonce.bytes.hex)])
                }),
        ]
    }

    init?(_ fields: Fields) {
        guard let seed = fields["seed"]?.string.flatMap({ [UInt8](hex: $0) }), let list = fields["nonces"]?.list
        else { return nil }
        let nonces = list.compactMap { entry -> SeatNonce? in
            guard let fields = entry.object, let seat = Seat(fields),
                let nonce = fields["nonce"]?.string.flatMap({ Nonce(hex: $0) })
            else { return nil }
            return SeatNonce(seat: seat, nonce: nonce)
        }
        guard nonces.count == list.count else { return nil }
        self.init(seed: seed, nonces: nonces)
    }
}
