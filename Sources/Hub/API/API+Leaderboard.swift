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
    func leaderboard(_ head: RequestHead, _ exchange: any Exchange) {
        do throws(Rejection) {
            let query = try resultsQuery(head)
            let answer = OneAnswer(surroundings) { [self] message in
                guard case .results(_, .success(let rows)) = message else {
                    return exchange.respond(.refused(503, .logUnavailable))
                }
                name(rows, query, exchange)
            }
            surroundings.projections.results(query, ticket: answer.ticket, answer: surroundings.inbox)
        } catch { exchange.respond(.refused(400, error)) }
    }

    /// Names are told beside; whoever has none any more is someone.
    private func name(_ rows: [ResultRow], _ query: ResultsQuery, _ exchange: any Exchange) {
        let lookup = OneAnswer(surroundings) { message in
            guard case .players(_, .success(let players)) = message else {
                return exchange.respond(.refused(503, .logUnavailable))
            }
            let names = Dictionary(players.map { ($0.id, $0.name) }) { first, _ in first }
            let shown = query.order == .recent ? rows.reversed() : rows
            var body: Fields = ["results": .list(shown.map { .object($0.fields(name: names[$0.player])) })]
            if rows.count == query.limit, let last = rows.last { body["next"] = .string(last.cursor) }
            exchange.respond(.json(200, body))
        }
        surroundings.projections.players(
            ids: Array(Set(rows.map(\.player))), ticket: lookup.ticket, answer: surroundings.inbox)
    }

    private func resultsQuery(_ head: RequestHead) throws(Rejection) -> ResultsQuery {
        let (game, mode) = (head.queryValue("game"), head.queryValue("mode"))
        if let game, GameList.game(named: game) == nil { throw .unknownGame(game) }
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
    /// The results that a record of a room's log holds: those of players, not of computers.
    static func rows(of record: Record, in code: String) -> [ResultRow] {
        guard record.event.type == "game-ended" || record.event.type == "player-left" else { return [] }
        switch EventCoding.decode(record) {
        case .gameEnded(let end):
            return end.results.compactMap { named in
                // Without a place of the game's own it was not decided: everybody has gone, or will not go on.
                let isCutShort =
                    ["closed", "restart"].contains(end.reason)
                    || (end.reason == "left" && named.result.place == nil)
                return ResultRow(named, end.game, code, record.event.time, isCutShort: isCutShort)
            }
        case .playerLeft(let leaving):
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

    /// A public room's code; of an unlisted one, which only those who were given its code may find, a digest of it.
    private static func name(of code: String) -> String {
        guard API.isUnlisted(code) else { return code }
        return "~" + StreamName.room(code).origin.hex.prefix(16)
    }

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
