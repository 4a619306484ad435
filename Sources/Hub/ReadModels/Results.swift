import EventStore
import Games

/// What a player made of one game: a row of the leaderboard.
struct ResultRow: Equatable {
    /// How it came about: only those that were played to the end by the player alone are ranked.
    enum Kind: Int, CaseIterable {
        case finished, left, helped
    }

    /// With `number` and `seat`, which result this is: one that comes again takes the place of the one before. A public
    /// room's code; of an unlisted one, which only those who were given its code may find, a digest of it behind `~`.
    let room: String
    /// The game's number in its room.
    let number: Int
    let seat: Int
    let game: String
    let mode: String
    let player: PlayerID
    let score: Int
    /// 0 in games that count none.
    let turns: Int
    /// Time played.
    let time: Milliseconds
    /// When the game ended or the player left.
    let at: Milliseconds
    let kind: Kind
}

/// Which results are asked for, and in what order.
struct ResultsQuery: Equatable {
    /// Newest first, or best first: the higher score, then fewer turns, then less time.
    enum Order { case recent, best }
    /// From which time on: the day or the week of a moment, by UTC.
    enum Span: Equatable { case all, day(of: Milliseconds), week(of: Milliseconds) }

    /// Nil: of all games.
    let game: String?
    /// Nil: of all modes. The best are those of one game and mode.
    let mode: String?
    let order: Order
    let span: Span
    /// The last result of the page before; nil: from the beginning.
    let after: ResultRow?
    let limit: Int
}

// MARK: The log

extension ResultRow {
    static func changes(by record: Record) -> [RowChange] {
        // Most records are a game's: they need not be read.
        guard kinds.contains(record.event.type), let code = record.stream.roomCode else { return [] }
        return rows(of: record, in: code).map(\.change)
    }

    private static let kinds = [GameEnded.type, PlayerLeft.type]

    /// The results that a record of a room's log holds: those of players, not of computers.
    static func rows(of record: Record, in code: String) -> [ResultRow] {
        switch EventCoding.decode(record)?.own {
        // Of a game that was ended by its fault nothing counts.
        case let end as GameEnded where end.reason != .fault:
            return end.results.compactMap {
                ResultRow($0, end.game, code, record.event.time, isCutShort: end.reason.isUndecided)
            }
        case let leaving as PlayerLeft:
            let row = ResultRow(leaving.result, leaving.game, code, record.event.time, isCutShort: true)
            return [row].compactMap { $0 }
        default: return []
        }
    }

    private init?(_ named: NamedResult, _ game: PlayedGame, _ code: String, _ time: Milliseconds, isCutShort: Bool) {
        guard !named.isComputer else { return nil }
        let result = named.result
        self.init(
            room: Self.name(of: code), number: game.number, seat: result.seat.rawValue, game: game.name,
            mode: game.mode, player: named.player, score: result.score, turns: result.figures["turns"]?.integer ?? 0,
            time: result.time, at: time,
            kind: result.isLeftEarly || isCutShort ? .left : named.isHelped ? .helped : .finished)
    }

    private static func name(of code: String) -> String {
        API.isUnlisted(code) ? "~" + StreamName.room(code).origin.hex.prefix(16) : code
    }
}

// MARK: The table

extension ResultRow: ReadModelRow {
    /// `loss` is the score with the other sign, so that every order is ascending and one comparison of rows finds where
    /// a page begins.
    static let table = RowTable(
        "results",
        columns: [
            .text("room"), .integer("number"), .integer("seat"), .text("game"), .text("mode"), .text("player"),
            .integer("loss"), .integer("turns"), .integer("time"), .integer("at"), .integer("kind"), .integer("day"),
            .integer("week"),
        ],
        key: ["room", "number", "seat"],
        indexes: [
            RowIndex("time", ["at"]),
            RowIndex("game and time", ["game", "at"]),
            RowIndex("mode and time", ["game", "mode", "at"]),
            RowIndex("rank", ["kind", "game", "mode", "loss", "turns", "time", "at"]),
            RowIndex("day and rank", ["kind", "game", "mode", "day", "loss", "turns", "time", "at"]),
            RowIndex("week and rank", ["kind", "game", "mode", "week", "loss", "turns", "time", "at"]),
        ])

    var values: [RowValue] {
        [
            .text(room), .integer(number), .integer(seat), .text(game), .text(mode), .text(player), .integer(-score),
            .integer(turns), .integer(time), .integer(at), .integer(kind.rawValue), .integer(Day(of: at).number),
            .integer(Week(of: at).number),
        ]
    }

    init(_ values: [RowValue]) {
        (room, number, seat) = (values[0].text, values[1].integer, values[2].integer)
        (game, mode, player) = (values[3].text, values[4].text, values[5].text)
        (score, turns, time, at) = (-values[6].integer, values[7].integer, values[8].integer, values[9].integer)
        kind = Kind(rawValue: values[10].integer) ?? .left
    }
}

extension ReadModelQuery<ResultRow> {
    /// Results, as asked for.
    static func results(_ query: ResultsQuery) -> Self { Self(walks: [query.rows]) }
}

extension ResultsQuery {
    /// Each query is a walk along one of the indexes above, from where its page begins.
    var rows: RowQuery { order == .best ? best : recent }

    private var recent: RowQuery {
        let index = mode != nil ? "mode and time" : game != nil ? "game and time" : "time"
        let range: Range<Milliseconds>? =
            switch span {
            case .all: nil
            case .day(let time): Day(of: time).times
            case .week(let time): Week(of: time).times
            }
        return RowQuery(
            ResultRow.table, by: index, equal: [game, mode].compactMap { $0 }.map { .text($0) }, in: range,
            isBackwards: true, after: after?.values, limit: limit)
    }

    private var best: RowQuery {
        let (index, number): (String, Int?) =
            switch span {
            case .all: ("rank", nil)
            case .day(let time): ("day and rank", Day(of: time).number)
            case .week(let time): ("week and rank", Week(of: time).number)
            }
        let board: [RowValue] = [.integer(ResultRow.Kind.finished.rawValue), .text(game ?? ""), .text(mode ?? "")]
        return RowQuery(
            ResultRow.table, by: index, equal: board + [number].compactMap { $0 }.map { .integer($0) },
            after: after?.values, limit: limit)
    }
}

/// A day by UTC.
private struct Day {
    private static let length: Milliseconds = 86_400_000

    /// Days since 1970-01-01.
    let number: Int

    init(of time: Milliseconds) { number = Int((Double(time) / Double(Self.length)).rounded(.down)) }

    var times: Range<Milliseconds> { Self.times(from: number, count: 1) }

    static func times(from day: Int, count: Int) -> Range<Milliseconds> { day * length..<(day + count) * length }
}

/// Monday to Sunday by UTC.
private struct Week {
    /// Weeks since the one of 1970-01-01, which was a Thursday.
    let number: Int

    init(of time: Milliseconds) { number = Int((Double(Day(of: time).number + 3) / 7).rounded(.down)) }

    var times: Range<Milliseconds> { Day.times(from: number * 7 - 3, count: 7) }
}
