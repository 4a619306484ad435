import EventStore
import Games
import WebProtocols

// The leaderboard over HTTP: a read model of the log.
extension API {
    /// Results on a page, where nothing else is asked for, and at most.
    private static let pageSize = 20
    private static let pageLimit = 100

    /// `GET /api/leaderboard?game=&mode=&order=recent|best&span=day|week|all&after=&limit=`. Recent ones come newest
    /// last, a page at a time from the end; best ones best first.
    func listResults(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        let query = try refusing(as: 400, try resultsQuery(request.head))
        return Future.rows(.results(query), of: readModels)
            .then { [self] rows in named(rows).map { (rows, names: $0) } }
            .map { rows, names in
                let shown = query.order == .recent ? rows.reversed() : rows
                var body: Fields = ["results": .list(shown.map { .object($0.fields(name: names[$0.player])) })]
                if rows.count == query.limit, let last = rows.last { body["next"] = .string(last.cursor) }
                return .json(200, body)
            }
    }

    /// The names of those whose results these are: players without one show as "someone".
    private func named(_ rows: [ResultRow]) -> Future<[PlayerID: String]> {
        let ids = Set(rows.map(\.player)).sorted()
        return Future.rows(.players(ids: ids), of: readModels)
            .map { players in Dictionary(players.map { ($0.id, $0.name) }) { first, _ in first } }
    }

    private func resultsQuery(_ head: RequestHead) throws(Rejection) -> ResultsQuery {
        let (game, mode) = (head.queryValue("game"), head.queryValue("mode"))
        if let game, surroundings.games.game(named: game) == nil {
            throw .unknownGame(game, there: surroundings.games.names)
        }
        let order = head.queryValue("order") ?? "recent"
        guard ["recent", "best"].contains(order) else { throw .badField("order", "recent or best") }
        if order == "best", game == nil { throw .badField("game", "there: the best are those of one game and mode") }
        if order == "best", mode == nil { throw .badField("mode", "there: the best are those of one game and mode") }
        if mode != nil, game == nil { throw .badField("game", "there: a mode is one of a game") }
        let span: ResultsQuery.Span =
            switch head.queryValue("span") {
            case nil, "all": .all
            case "day": .day(of: surroundings.now)
            case "week": .week(of: surroundings.now)
            default: throw .badField("span", "day, week or all")
            }
        let limit = head.queryValue("limit").map { Int($0) ?? 0 } ?? Self.pageSize
        guard (1...Self.pageLimit).contains(limit) else {
            throw .badField("limit", "a whole number from 1 to \(Self.pageLimit)")
        }
        var after: ResultRow?
        if let cursor = head.queryValue("after") {
            guard let row = ResultRow(cursor: cursor) else { throw .badField("after", "the `next` of another page") }
            after = row
        }
        return ResultsQuery(
            game: game, mode: mode, order: order == "best" ? .best : .recent, span: span, after: after, limit: limit)
    }
}

extension ResultRow {
    fileprivate func fields(name: String?) -> Fields {
        var fields: Fields = ["player": .string(player)]
        if let name { fields["name"] = .string(name) }
        if !room.hasPrefix("~") { fields["room"] = .string(room) }
        let kind =
            switch kind {
            case .finished: "finished"
            case .left: "left"
            case .helped: "helped"
            }
        return fields.merging([
            "game": .string(game), "mode": .string(mode), "score": .integer(score), "turns": .integer(turns),
            "time": .integer(time), "at": .integer(at), "kind": .string(kind),
        ])
    }

    /// Where a page ends, as text that means nothing to a client: whatever orders results.
    fileprivate var cursor: String {
        [score, turns, time, at, number, seat].map { String($0) }.joined(separator: ".") + ".\(room)"
    }

    fileprivate init?(cursor: String) {
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropLast().compactMap { Int($0) }
        guard parts.count == 7, numbers.count == 6, let room = parts.last, numbers[0] > .min else { return nil }
        self.init(
            room: String(room), number: numbers[4], seat: numbers[5], game: "", mode: "", player: "",
            score: numbers[0], turns: numbers[1], time: numbers[2], at: numbers[3], kind: .finished)
    }
}
