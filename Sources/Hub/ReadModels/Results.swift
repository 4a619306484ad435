import EventStore
import Games
import Records
import RoomRules

/// A player's result in one game, which is a row of the leaderboard.
struct ResultRow: Equatable {
    /// How the result came about. Only those that the player finished without help are ranked.
    enum Kind: Int, CaseIterable {
        case finished, left, helped
    }

    /// With `number` and `seat` it identifies a result, and a repeated one replaces the first. A public room has its
    /// code. An unlisted one, which only people with its code may find, has `~` and a digest of the code.
    let room: String
    /// The game's number in its room.
    let number: Int
    let seat: Int
    let game: String
    let mode: String
    let against: Opponents
    let player: PlayerID
    let score: Int
    /// 0 in games that do not count turns.
    let turns: Int
    /// Time played.
    let time: Milliseconds
    /// When the game ended or the player left.
    let at: Milliseconds
    let kind: Kind
}

/// The requested results and their order.
struct ResultsQuery: Equatable {
    /// Newest first, or best first: a higher score, then fewer turns, then less time.
    enum Order { case recent, best }
    /// The start of the results' time: the day or week of a moment, in UTC.
    enum Span: Equatable { case all, day(of: Milliseconds), week(of: Milliseconds) }

    /// Nil for all games.
    let game: String?
    /// Nil for all modes.
    let mode: String?
    /// Nil for any opponents. The best are those of one game and mode against the same opponents.
    let against: Opponents?
    let order: Order
    let span: Span
    /// The last result of the previous page; nil for the first page.
    let after: ResultRow?
    let limit: Int
}

// MARK: The log

extension ResultRow {
    static func changes(by record: Record) -> [RowChange] {
        guard let code = record.stream.roomCode else { return [] }
        return rows(of: record, in: code).map(\.change)
    }

    static let kinds = [GameEnded.type, PlayerLeft.type]

    /// The results in a record of a room's log, without those of computers.
    static func rows(of record: Record, in code: String) -> [ResultRow] {
        switch EventCoding.decode(record)?.own {
        // A game that ended by its fault has no results.
        case let end as GameEnded where end.reason != .fault:
            let (opponents, isCutShort) = (end.results.opponents, end.reason.isUndecided || end.isUnplayed)
            return end.results.compactMap {
                ResultRow($0, end.game, opponents, code, record.event.time, isCutShort: isCutShort)
            }
        case let leaving as PlayerLeft:
            let (result, game, time) = (leaving.result, leaving.game, record.event.time)
            let row = ResultRow(result, game, leaving.against, code, time, isCutShort: true)
            return [row].compactMap { $0 }
        default: return []
        }
    }

    private init?(
        _ named: NamedResult, _ game: PlayedGame, _ against: Opponents, _ code: String, _ time: Milliseconds,
        isCutShort: Bool
    ) {
        guard !named.isComputer else { return nil }
        let result = named.result
        self.init(
            room: Self.name(of: code), number: game.number, seat: result.seat.rawValue, game: game.name,
            mode: game.mode, against: against, player: named.player, score: result.score,
            turns: result.figures["turns"]?.integer ?? 0, time: result.time, at: time,
            kind: result.isLeftEarly || isCutShort ? .left : named.isHelped ? .helped : .finished)
    }

    private static func name(of code: String) -> String {
        API.isUnlisted(code) ? "~" + StreamName.room(code).origin.hex.prefix(16) : code
    }
}

// MARK: The table

extension ResultRow: ReadModelRow {
    /// `loss` is the negated score, so that all orders are ascending and one comparison of rows finds a page's start.
    static let table = RowTable(
        "results",
        columns: [
            .text("room"), .integer("number"), .integer("seat"), .text("game"), .text("mode"), .text("against"),
            .text("player"), .integer("loss"), .integer("turns"), .integer("time"), .integer("at"), .integer("kind"),
            .integer("day"), .integer("week"),
        ],
        key: ["room", "number", "seat"],
        indexes: [
            RowIndex("time", ["at"]),
            RowIndex("game and time", ["game", "at"]),
            RowIndex("mode and time", ["game", "mode", "at"]),
            RowIndex("opponents and time", ["game", "mode", "against", "at"]),
            RowIndex("rank", list + rank),
            RowIndex("day and rank", list + ["day"] + rank),
            RowIndex("week and rank", list + ["week"] + rank),
            RowIndex("player and rank", ["player"] + list + rank),
            RowIndex("player, day and rank", ["player"] + list + ["day"] + rank),
            RowIndex("player, week and rank", ["player"] + list + ["week"] + rank),
        ])

    /// The columns in which one list of the best agrees.
    private static let list: [RowIndex.Part] = ["kind", "game", "mode", "against"]
    /// The columns that order it. Of equal results the earlier comes first.
    private static let rank: [RowIndex.Part] = ["loss", "turns", "time", "at"]

    var values: [RowValue] {
        [
            .text(room), .integer(number), .integer(seat), .text(game), .text(mode), .text(against.rawValue),
            .text(player), .integer(-score), .integer(turns), .integer(time), .integer(at), .integer(kind.rawValue),
            .integer(Day(of: at).number), .integer(Week(of: at).number),
        ]
    }

    init(_ values: [RowValue]) {
        (room, number, seat) = (values[0].text, values[1].integer, values[2].integer)
        (game, mode, player) = (values[3].text, values[4].text, values[6].text)
        against = Opponents(rawValue: values[5].text) ?? .people
        (score, turns, time, at) = (-values[7].integer, values[8].integer, values[9].integer, values[10].integer)
        kind = Kind(rawValue: values[11].integer) ?? .left
    }
}

extension ReadModelQuery<ResultRow> {
    static func results(_ query: ResultsQuery) -> Self { Self(walks: [query.rows]) }

    /// The best result of `player` in the list that `query` asks for, if there is one.
    static func best(of player: PlayerID, in query: ResultsQuery) -> Self { Self(walks: [query.best(of: player)]) }

    /// The results of that list that are better than `row`, at most `rankLimit`.
    static func better(than row: ResultRow, in query: ResultsQuery) -> Self { Self(walks: [query.better(than: row)]) }
}

extension ResultsQuery {
    /// Most rows that are read to find a rank.
    static let rankLimit = 1_000

    /// Each query walks along one of the indexes above, from the start of its page.
    var rows: RowQuery {
        switch order {
        case .best: RowQuery(ResultRow.table, by: spanned + "rank", equal: list, after: after?.values, limit: limit)
        case .recent: recent
        }
    }

    private var recent: RowQuery {
        let equal = [game, mode, against?.rawValue].compactMap { $0 }.map { RowValue.text($0) }
        let index = ["time", "game and time", "mode and time", "opponents and time"][equal.count]
        let range: Range<Milliseconds>? =
            switch span {
            case .all: nil
            case .day(let time): Day(of: time).times
            case .week(let time): Week(of: time).times
            }
        return RowQuery(
            ResultRow.table, by: index, equal: equal, in: range, isBackwards: true, after: after?.values, limit: limit)
    }

    fileprivate func best(of player: PlayerID) -> RowQuery {
        let index = spanned.isEmpty ? "player and rank" : "player, \(spanned)rank"
        return RowQuery(ResultRow.table, by: index, equal: [.text(player)] + list, limit: 1)
    }

    fileprivate func better(than row: ResultRow) -> RowQuery {
        RowQuery(
            ResultRow.table, by: spanned + "rank", equal: list, isBackwards: true, after: row.firstOfEqual.values,
            limit: Self.rankLimit)
    }

    /// The part of an index's name that stands for this span.
    private var spanned: String {
        switch span {
        case .all: ""
        case .day: "day and "
        case .week: "week and "
        }
    }

    /// The values in which all rows of a list of the best agree.
    private var list: [RowValue] {
        let board = [game, mode, against?.rawValue].map { RowValue.text($0 ?? "") }
        let number: Int? =
            switch span {
            case .all: nil
            case .day(let time): Day(of: time).number
            case .week(let time): Week(of: time).number
            }
        return [.integer(ResultRow.Kind.finished.rawValue)] + board + [number].compactMap { $0 }.map { .integer($0) }
    }
}

extension ResultRow {
    /// Comes before all rows that are equally good.
    fileprivate var firstOfEqual: ResultRow {
        ResultRow(
            room: "", number: 0, seat: 0, game: game, mode: mode, against: against, player: player, score: score,
            turns: turns, time: time, at: 0, kind: kind)
    }
}

/// A day in UTC.
private struct Day {
    private static let length: Milliseconds = 86_400_000

    /// Days since 1970-01-01.
    let number: Int

    init(of time: Milliseconds) { number = Int((Double(time) / Double(Self.length)).rounded(.down)) }

    var times: Range<Milliseconds> { Self.times(from: number, count: 1) }

    static func times(from day: Int, count: Int) -> Range<Milliseconds> { day * length..<(day + count) * length }
}

/// Monday to Sunday, in UTC.
private struct Week {
    /// Weeks since the one of 1970-01-01, which was a Thursday.
    let number: Int

    init(of time: Milliseconds) { number = Int((Double(Day(of: time).number + 3) / 7).rounded(.down)) }

    var times: Range<Milliseconds> { Day.times(from: number * 7 - 3, count: 7) }
}
