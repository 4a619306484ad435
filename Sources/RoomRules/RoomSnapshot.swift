import Cryptography
import Games
import JSON
import Records

/// A room right before the end of a game, without that game. The fold of a long log starts here instead of at the first
/// event. Nothing in it is secret, since the next event reveals what its game was dealt from.
///
/// It is enough if the log continues to the start of another game. A snapshot that does not match the log, wherever it
/// comes from, only costs time, since the room is then folded from its first event.
public struct RoomSnapshot: Sendable {
    /// Each command takes three values, and the rest of a room a few dozen.
    private static let valueLimit = 16_384

    /// The room without its game.
    public let state: RoomState
    /// The commands that are in the log up to there.
    public let answered: AnsweredCommands

    /// Nil unless a game runs, since no other state is right before the end of a game.
    public init?(_ state: RoomState, answered: AnsweredCommands) {
        guard state.phase == .running else { return nil }
        self.state = state.withoutGame
        self.answered = answered
    }

    /// JSON, for `init`.
    public var bytes: [UInt8] {
        let answered = answered.newest(until: state.version)
        var fields = state.keptFields
        fields["answered"] = .list(answered.map { .list([.string($0.commit.text), .integer($0.version)]) })
        return JSONWriter.bytes(fields)
    }

    /// Why a snapshot cannot be used.
    public enum ReadingError: Error {
        /// It is damaged, or has a field that this release does not know. Each new fact must therefore get a new field.
        case unreadable
        /// This release does not have the game. Folding the log finds that, too.
        case unknownGame
    }

    /// `end` is the end of the stream that `bytes` were made at.
    public init(_ bytes: [UInt8], of code: String, at end: StreamEnd, games: GameCatalog) throws(ReadingError) {
        guard let fields = try? JSONReader.read(bytes, valueLimit: Self.valueLimit).object,
            let name = fields["game"]?.string, let list = fields["answered"]?.list
        else { throw .unreadable }
        guard let kind = games.game(named: name) else { throw .unknownGame }
        let commands = list.compactMap { entry -> (CommitID, Int)? in
            guard let pair = entry.list, pair.count == 2, let id = pair[0].string, let version = pair[1].integer
            else { return nil }
            return (CommitID(text: id), version)
        }
        guard let state = RoomState(kept: fields, of: code, playing: kind, at: end, games: games) else {
            throw .unreadable
        }
        (self.state, answered) = (state, AnsweredCommands(commands))
        // Otherwise the room would lack what this release does not know, at any depth of the JSON.
        guard self.bytes == bytes else { throw .unreadable }
    }
}

// The facts of a room whose game runs, without those that the end of the game removes.
extension RoomState {
    private typealias Number = (name: String, fact: WritableKeyPath<RoomFacts, Int> & Sendable)
    private static let keptNumbers: [Number] = [
        ("openedAt", \.openedAt), ("gameNumber", \.gameNumber), ("startVersion", \.startVersion),
        ("startedAt", \.startedAt), ("extendedUntil", \.extendedUntil),
    ]

    fileprivate var withoutGame: RoomState {
        var state = self
        (state.game, state.seals) = (nil, [])
        state.facts.seed = nil
        state.facts.proposal = nil
        return state
    }

    fileprivate var keptFields: Fields {
        var fields: Fields = [
            "time": .integer(time), "usedAt": .integer(usedAt), "game": .string(kind?.name ?? ""),
            "options": .object(options), "visibility": .string(visibility.rawValue), "host": .string(host),
            "opener": .string(opener),
            "seating": .list(seating.players.map { .object($0.fields) }),
            "helped": .integers(helped.map(\.rawValue).sorted()), "muted": .strings(muted.sorted()),
            "banned": .strings(banned.sorted()),
        ]
        for (name, fact) in Self.keptNumbers { fields[name] = .integer(facts[keyPath: fact]) }
        fields["playing"] = .list(
            playing.sorted { $0.key < $1.key }.map { .object(SeatedPlayer(seat: $0.key, player: $0.value).fields) })
        fields["pauses"] = .list(
            proposalPauses.sorted { $0.key < $1.key }.map { .list([.string($0.key), .integer($0.value)]) })
        if let lastStart { fields["start"] = .object(lastStart.fields) }
        return fields.merging(wins.fields)
    }

    fileprivate init?(
        kept fields: Fields, of code: String, playing kind: any Game.Type, at end: StreamEnd, games: GameCatalog
    ) {
        var facts = RoomFacts(code: code, games: games)
        guard let time = fields["time"]?.integer, let usedAt = fields["usedAt"]?.integer,
            let options = fields["options"]?.object,
            let visibility = fields["visibility"]?.string.flatMap(Visibility.init),
            let host = fields["host"]?.string, let opener = fields["opener"]?.string,
            let seated = fields["seating"]?.list?.seatedPlayers, let playing = fields["playing"]?.list?.seatedPlayers,
            let helped = fields["helped"]?.integers, let muted = fields["muted"]?.strings,
            let banned = fields["banned"]?.strings, let pauses = fields["pauses"]?.list,
            let start = fields["start"]?.object.flatMap({ GameStarted.read($0, sealed: nil) }),
            let wins = Wins(fields)
        else { return nil }
        for (name, fact) in Self.keptNumbers {
            guard let number = fields[name]?.integer else { return nil }
            facts[keyPath: fact] = number
        }
        for player in seated where !facts.seating.seatPlayer(player) { return nil }
        for pause in pauses {
            guard let pair = pause.list, pair.count == 2, let player = pair[0].string, let until = pair[1].integer
            else { return nil }
            facts.proposalPauses[player] = until
        }
        (facts.phase, facts.kind, facts.options, facts.visibility) = (.running, kind, options, visibility)
        (facts.host, facts.opener) = (host, opener)
        facts.helped = Set(helped.map { Seat($0) })
        (facts.muted, facts.banned) = (Set(muted), Set(banned))
        (facts.first, facts.lastStart, facts.wins) = (start.first, start, wins)
        facts.playing = Dictionary(playing.map { ($0.seat, $0.player) }) { first, _ in first }
        self.init(kept: facts, end: end, time: time, usedAt: usedAt)
    }
}

extension [Value] {
    /// Nil if any of these is not a seated player.
    fileprivate var seatedPlayers: [SeatedPlayer]? {
        let players = compactMap { $0.object.flatMap { SeatedPlayer($0) } }
        return players.count == count ? players : nil
    }
}
