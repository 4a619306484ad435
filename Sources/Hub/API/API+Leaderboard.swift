import Games
import JSON
import RoomRules
import WebProtocols

// The leaderboard over HTTP, from a read model of the log.
extension API {
    /// Results on a page by default, and at most.
    private static let pageSize = 20
    private static let pageLimit = 100

    /// `GET /api/leaderboard?game=&mode=&against=&order=recent|best&span=day|week|all&after=&limit=`. Recent results
    /// come in pages from the end, the newest last. Best results come best first, with the caller's own if the request
    /// has a token.
    func listResults(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        let query = try refusing(as: 400, try resultsQuery(request.head))
        return own(request, in: query)
            .then { [self] own in Future.rows(.results(query), of: readModels).map { (own, rows: $0) } }
            .then { [self] own, rows in names(of: rows.map(\.player)).map { (own, rows, names: $0) } }
            .map { own, rows, names in
                let shown = query.order == .recent ? rows.reversed() : rows
                var body: Fields = ["results": .list(shown.map { .object($0.fields(name: names[$0.player])) })]
                body["own"] = own.map { .object($0) }
                if rows.count == query.limit, let last = rows.last { body["next"] = .string(last.cursor) }
                return .json(200, body)
            }
    }

    /// The caller's best result within `query`, with its rank; nil without a token or a result, or for recent ones.
    private func own(_ request: RoutedRequest, in query: ResultsQuery) -> Future<Fields?> {
        guard query.order == .best, token(of: request.head) != nil else { return .value(nil) }
        return caller(request).then { [self] account in
            Future.rows(.best(of: account.id, in: query), of: readModels).then { [self] rows in
                guard let row = rows.first else { return .value(nil) }
                return Future.rows(.better(than: row, in: query), of: readModels).map { better in
                    var own: Fields = ["result": .object(row.fields(name: account.name))]
                    if better.count < ResultsQuery.rankLimit { own["rank"] = .integer(better.count + 1) }
                    return own
                }
            }
        }
    }

    /// The players' names. Clients show a player without a name as "someone".
    func names(of players: [PlayerID]) -> Future<[PlayerID: String]> {
        Future.rows(.players(ids: Set(players).sorted()), of: readModels)
            .map { players in Dictionary(players.map { ($0.id, $0.name) }) { first, _ in first } }
    }

    private func resultsQuery(_ head: RequestHead) throws(Rejection) -> ResultsQuery {
        let (game, mode) = (head.queryValue("game"), head.queryValue("mode"))
        if let game, surroundings.games.game(named: game) == nil {
            throw .unknownGame(game, there: surroundings.games.names)
        }
        let order = head.queryValue("order") ?? "recent"
        guard ["recent", "best"].contains(order) else { throw .badField("order", "recent or best") }
        var against: Opponents?
        if let text = head.queryValue("against") {
            guard let opponents = Opponents(rawValue: text) else {
                throw .badField("against", "alone, people or computers")
            }
            against = opponents
        }
        let isThere = [("game", game != nil), ("mode", mode != nil), ("against", against != nil)]
        // Each parameter needs the one before it.
        let needed = order == "best" ? isThere.count : (isThere.lastIndex { $0.1 } ?? 0)
        if let (missing, _) = isThere.prefix(needed).first(where: { !$0.1 }) {
            throw .badField(
                missing,
                "there, since the best results are those of one game and mode against the same opponents, "
                    + "and recent ones need a game before a mode and a mode before opponents")
        }
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
            game: game, mode: mode, against: against, order: order == "best" ? .best : .recent, span: span,
            after: after, limit: limit)
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
            "game": .string(game), "mode": .string(mode), "against": .string(against.rawValue),
            "score": .integer(score), "turns": .integer(turns), "time": .integer(time), "at": .integer(at),
            "kind": .string(kind),
        ])
    }

    /// Everything that orders results, as text that ends a page. Clients do not interpret it.
    fileprivate var cursor: String {
        [score, turns, time, at, number, seat].map { String($0) }.joined(separator: ".") + ".\(room)"
    }

    fileprivate init?(cursor: String) {
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropLast().compactMap { Int($0) }
        guard parts.count == 7, numbers.count == 6, let room = parts.last, numbers[0] > .min else { return nil }
        self.init(
            room: String(room), number: numbers[4], seat: numbers[5], game: "", mode: "", against: .alone,
            player: "", score: numbers[0], turns: numbers[1], time: numbers[2], at: numbers[3], kind: .finished)
    }
}
