import Cryptography
import Games
import JSON
import Records

/// A room as it was right ahead of the end of a game, without that game: a room with a long log is folded on from
/// there, instead of from its first event. Nothing in it is secret: what its game was dealt from is in the event
/// behind it.
///
/// Good for reading a log that goes on to the start of another game. A snapshot that the log does not bear out, of
/// whatever origin, costs time and nothing else: the room is then folded from its beginning.
public struct RoomSnapshot: Sendable {
    /// Commands are three values each; what a room has besides is a few dozen.
    private static let valueLimit = 16_384

    public let state: RoomState
    /// Those that are in the log up to there.
    public let answered: AnsweredCommands

    /// Nil where no game runs: then `state` is not the one ahead of a game's end.
    public init?(_ state: RoomState, answered: AnsweredCommands) {
        guard state.phase == .running else { return nil }
        self.state = state.withoutGame
        self.answered = answered
    }

    public var bytes: [UInt8] {
        let answered = answered.newest(until: state.version)
        var fields = state.keptFields
        fields["answered"] = .list(answered.map { .list([.string($0.commit.text), .integer($0.version)]) })
        return JSONWriter.bytes(fields)
    }

    /// Why there is nothing to begin with.
    public enum ReadingError: Error {
        /// Damaged, or it says what this release does not know: so a later one gives each new fact a name of its own.
        case unreadable
        /// There is no such game in this release: the log says so itself.
        case unknownGame
    }

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
        // Else the room would go on without what was not understood, at whatever depth it stands.
        guard self.bytes == bytes else { throw .unreadable }
    }
}

// The facts of a room whose game runs, but for those that the end of the game does away with.
extension RoomState {
    fileprivate var withoutGame: RoomState {
        var state = self
        state.game = nil
        state.facts.seed = nil
        state.facts.proposal = nil
        return state
    }

    fileprivate var keptFields: Fields {
        var fields: Fields = [
            "time": .integer(time), "usedAt": .integer(usedAt), "game": .string(kind?.name ?? ""),
            "options": .object(options), "visibility": .string(visibility.rawValue), "host": .string(host),
            "opener": .string(opener), "openedAt": .integer(openedAt),
            "seating": .list(seating.players.map { .object($0.fields) }),
            "helped": .integers(helped.map(\.rawValue).sorted()), "muted": .strings(muted.sorted()),
            "banned": .strings(banned.sorted()), "gameNumber": .integer(gameNumber),
            "startVersion": .integer(startVersion), "startedAt": .integer(startedAt),
            "extendedUntil": .integer(extendedUntil),
        ]
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
        guard let options = fields["options"]?.object,
            let visibility = fields["visibility"]?.string.flatMap(Visibility.init),
            let host = fields["host"]?.string, let opener = fields["opener"]?.string,
            let seated = fields["seating"]?.list?.seatedPlayers, let playing = fields["playing"]?.list?.seatedPlayers,
            let helped = fields["helped"]?.integers, let muted = fields["muted"]?.strings,
            let banned = fields["banned"]?.strings, let pauses = fields["pauses"]?.list,
            let start = fields["start"]?.object.flatMap({ GameStarted($0, sealed: nil) }),
            let wins = Wins(fields)
        else { return nil }
        let numbers = ["time", "usedAt", "openedAt", "gameNumber", "startVersion", "startedAt", "extendedUntil"]
            .compactMap { fields[$0]?.integer }
        guard numbers.count == 7 else { return nil }
        for player in seated where !facts.seating.take(player) { return nil }
        for pause in pauses {
            guard let pair = pause.list, pair.count == 2, let player = pair[0].string, let until = pair[1].integer
            else { return nil }
            facts.proposalPauses[player] = until
        }
        (facts.phase, facts.kind, facts.options, facts.visibility) = (.running, kind, options, visibility)
        (facts.host, facts.opener, facts.openedAt) = (host, opener, numbers[2])
        facts.helped = Set(helped.map { Seat($0) })
        (facts.muted, facts.banned) = (Set(muted), Set(banned))
        (facts.gameNumber, facts.startVersion, facts.startedAt) = (numbers[3], numbers[4], numbers[5])
        (facts.first, facts.lastStart, facts.extendedUntil, facts.wins) = (start.first, start, numbers[6], wins)
        facts.playing = Dictionary(playing.map { ($0.seat, $0.player) }) { first, _ in first }
        self.init(kept: facts, end: end, time: numbers[0], usedAt: numbers[1])
    }
}

extension [Value] {
    /// Nil where one of these is none.
    fileprivate var seatedPlayers: [SeatedPlayer]? {
        let players = compactMap { $0.object.flatMap { SeatedPlayer($0) } }
        return players.count == count ? players : nil
    }
}
