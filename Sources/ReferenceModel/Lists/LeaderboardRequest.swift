import JSON

struct LeaderboardRequest: Question {
    private let query: [String: String]
    // Read from the query once, because many results are compared with them.
    private let game: String?
    private let mode: String?
    private let against: String?
    private let span: String?
    private let isBest: Bool
    /// The owner of its token.
    private let player: String?
    private let askedAt: Int

    /// How long a recorded result may be missing, in ms.
    private static let lag = 1_000
    private static let day = 86_400_000
    /// Ranks beyond this are not told.
    private static let rankLimit = 1_000
    private static let names: Set = [
        "player", "name", "game", "mode", "against", "score", "turns", "time", "at", "kind", "room",
    ]

    /// Nil if it is another request.
    init?(method: String, target: String, player: String?, context: ModelContext) {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard method == "GET", parts.first == "/api/leaderboard" else { return nil }
        var query: [String: String] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { query[String(sides[0])] = String(sides[1]) }
        }
        (self.query, self.player, askedAt) = (query, player, context.now)
        (game, mode, against, span) = (query["game"], query["mode"], query["against"], query["span"])
        isBest = query["order"] == "best"
    }

    private var limit: Int { query["limit"].flatMap { Int($0) } ?? 20 }
    private var place: String { "the leaderboard, \(query.sorted { $0.key < $1.key })" }

    // MARK: Checking

    func check(_ status: Int, _ answer: Value?, in check: ListCheck) {
        guard status == 200 else { return }
        let context = check.context
        guard let results = answer?["results"]?.list, results.count <= limit else {
            return context.findings.recordBreach("a leaderboard has as many results as asked for", place)
        }
        var known: Set<Int> = []
        for listed in results { self.check(listed, &known, context) }
        let keys = results.map(key)
        context.findings.expect(
            zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 },
            "results are in the order that was asked for", "\(place): \(keys)")
        // Later pages and the most recent results are not checked.
        let isSettled = context.hinderedAt < askedAt - Self.lag && context.results.changedAt < askedAt - Self.lag
        guard isSettled, query["after"] == nil, !isNearMidnight(context.now) else { return }
        checkAll(keys, context)
        checkOwn(answer?["own"], context)
        context.findings.expect(
            (answer?["next"] != nil) == (results.count == limit), "a full page says what comes after it", place)
    }

    private func check(_ listed: Value, _ known: inout Set<Int>, _ context: ModelContext) {
        let candidates = context.results.candidates(for: listed, withLost: context.mayKnowLost)
        guard let result = candidates.first(where: { !known.contains($0.number) }) else {
            return context.findings.recordBreach(
                candidates.isEmpty ? "a result is a game's" : "a result is listed once", "\(place): \(listed)")
        }
        known.insert(result.number)
        context.findings.expect(
            fits(result, now: context.now), "a leaderboard has the results that were asked for",
            "\(place): \(listed)")
        for (name, _) in listed.elements where !Self.names.contains(name) {
            context.findings.recordBreach("a result has only its own members", "\(place): \(listed)")
        }
        guard let player = listed["player"]?.string else { return }
        if let name = listed["name"]?.string {
            context.accounts.shown(name, of: player, place)
        } else {
            context.accounts.shownNameless(player, place)
        }
    }

    /// The key that orders results.
    private func key(_ listed: Value) -> ResultsModel.Rank {
        let at = listed["at"]?.integer ?? 0
        guard isBest else { return ResultsModel.Rank(at: at) }
        return ResultsModel.Rank(
            loss: -(listed["score"]?.integer ?? 0), turns: listed["turns"]?.integer ?? 0,
            time: listed["time"]?.integer ?? 0, at: at)
    }

    /// Checks that exactly the expected results are listed.
    private func checkAll(_ keys: [ResultsModel.Rank], _ context: ModelContext) {
        let all = context.results.newest(of: game).filter { fits($0, now: context.now) }
        let expected =
            isBest
            ? all.map(\.rank).sorted().prefix(limit) : all.map { ResultsModel.Rank(at: $0.at) }.sorted().suffix(limit)
        context.findings.expect(
            keys.elementsEqual(expected), "a leaderboard has all results that were asked for",
            "\(place): \(keys) instead of \(expected)")
    }

    private func checkOwn(_ own: Value?, _ context: ModelContext) {
        guard isBest, let player else {
            return context.findings.expect(own == nil, "a leaderboard has the asking player's result", place)
        }
        let all = context.results.newest(of: game).filter { fits($0, now: context.now) }
        let best = all.lazy.filter { $0.player == player }.map(\.rank).min()
        let shown = own?["result"].map(key)
        context.findings.expect(
            shown == best, "a leaderboard has the asking player's result",
            "\(place): \(own ?? .null) instead of \(best.map { "\($0)" } ?? "none")")
        guard let best else { return }
        let better = all.count { $0.rank.isBetter(than: best) }
        context.findings.expect(
            own?["rank"]?.integer == (better < Self.rankLimit ? better + 1 : nil), "a rank counts the better players",
            "\(place): \(own ?? .null), \(better) are better")
    }

    // MARK: What is asked for

    private func fits(_ result: ResultsModel.Result, now: Int) -> Bool {
        guard game == nil || game == result.game, mode == nil || mode == result.mode,
            against == nil || against == result.against, !isBest || result.kind == "finished"
        else { return false }
        switch span {
        case "day": return isNearMidnight(now) || result.at / Self.day == now / Self.day
        case "week":
            // 1970-01-01 was a Thursday.
            return isNearMidnight(now) || (result.at / Self.day + 3) / 7 == (now / Self.day + 3) / 7
        default: return true
        }
    }

    /// Whether the hub may have computed another day.
    private func isNearMidnight(_ now: Int) -> Bool { (now + 60_000) / Self.day != (now - 60_000) / Self.day }
}
