/// A request for results.
struct LeaderboardRequest {
    private let query: [String: String]
    /// Whose token it bears.
    private let player: String?
    private let askedAt: Int

    /// For which results may be missing that are recorded, in ms.
    private static let lag = 1_000
    private static let day = 86_400_000
    /// Past which no rank is told.
    private static let rankLimit = 1_000
    private static let members: Set = [
        "player", "name", "game", "mode", "against", "score", "turns", "time", "at", "kind", "room",
    ]

    /// Nil: it asks for something else.
    init?(method: String, target: String, player: String?, world: World) {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard method == "GET", parts.first == "/api/leaderboard" else { return nil }
        var query: [String: String] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { query[String(sides[0])] = String(sides[1]) }
        }
        (self.query, self.player, askedAt) = (query, player, world.now)
    }

    private var isBest: Bool { query["order"] == "best" }
    private var limit: Int { query["limit"].flatMap { Int($0) } ?? 20 }
    private var place: String { "the leaderboard, \(query.sorted { $0.key < $1.key })" }

    // MARK: Checking

    func check(_ status: Int, _ answer: JSON?, _ world: World) {
        guard status == 200 else { return }
        guard let results = answer?["results"]?.list, results.count <= limit else {
            return world.findings.note("a leaderboard has so many results as were asked for", place)
        }
        var known: Set<Int> = []
        for listed in results { check(listed, &known, world) }
        let keys = results.map(key)
        world.findings.expect(
            zip(keys, keys.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) },
            "results stand in the order that was asked for", "\(place): \(keys)")
        // What comes now, or is behind a page, is not looked for.
        let isSettled = world.hinderedAt < askedAt - Self.lag && world.results.changedAt < askedAt - Self.lag
        guard isSettled, query["after"] == nil, !isNearMidnight(world.now) else { return }
        checkAll(keys, world)
        checkOwn(answer?["own"], world)
        world.findings.expect(
            (answer?["next"] != nil) == (results.count == limit), "a full page says what comes behind it", place)
    }

    private func check(_ listed: JSON, _ known: inout Set<Int>, _ world: World) {
        let candidates = world.results.candidates(for: listed)
        guard let index = candidates.first(where: { !known.contains($0) }) else {
            return world.findings.note(
                candidates.isEmpty ? "a result is one of a game" : "a result is listed once", "\(place): \(listed)")
        }
        known.insert(index)
        world.findings.expect(
            fits(world.results.all[index], now: world.now), "a leaderboard has the results that were asked for",
            "\(place): \(listed)")
        for member in listed.members ?? [] where !Self.members.contains(member.name) {
            world.findings.note("a result says no more than it should", "\(place): \(listed)")
        }
        guard let player = listed["player"]?.text else { return }
        if let name = listed["name"]?.text {
            world.accounts.shown(name, of: player, place)
        } else {
            world.accounts.shownNameless(player, place)
        }
    }

    /// By which results are in order.
    private func key(_ listed: JSON) -> [Int] {
        let at = listed["at"]?.number ?? 0
        guard isBest else { return [at] }
        return [-(listed["score"]?.number ?? 0), listed["turns"]?.number ?? 0, listed["time"]?.number ?? 0, at]
    }

    /// That those are there that are to be, and no others.
    private func checkAll(_ keys: [[Int]], _ world: World) {
        let all = world.results.all.filter { $0.replacedAt == nil && fits($0, now: world.now) }
        let expected: [[Int]]
        if isBest {
            expected = Array(all.map(\.rank).sorted { $0.lexicographicallyPrecedes($1) }.prefix(limit))
        } else {
            expected = all.map(\.at).sorted().suffix(limit).map { [$0] }
        }
        world.findings.expect(
            keys == expected, "a leaderboard has all results that were asked for",
            "\(place): \(keys) instead of \(expected)")
    }

    private func checkOwn(_ own: JSON?, _ world: World) {
        guard isBest, let player else {
            return world.findings.expect(own == nil, "a leaderboard has its own result of who asks", place)
        }
        let all = world.results.all.filter { $0.replacedAt == nil && fits($0, now: world.now) }
        let best = all.filter { $0.player == player }.map(\.rank).min { $0.lexicographicallyPrecedes($1) }
        let shown = own?["result"].map(key)
        world.findings.expect(
            shown == best, "a leaderboard has its own result of who asks",
            "\(place): \(own ?? .null) instead of \(best ?? [])")
        guard let best else { return }
        let better = all.count { $0.rank.prefix(3).lexicographicallyPrecedes(best.prefix(3)) }
        world.findings.expect(
            own?["rank"]?.number == (better < Self.rankLimit ? better + 1 : nil), "a rank counts who is better",
            "\(place): \(own ?? .null), \(better) are better")
    }

    // MARK: What is asked for

    private func fits(_ result: ResultsModel.Result, now: Int) -> Bool {
        guard query["game"].map({ $0 == result.game }) ?? true, query["mode"].map({ $0 == result.mode }) ?? true,
            query["against"].map({ $0 == result.against }) ?? true, !isBest || result.kind == "finished"
        else { return false }
        switch query["span"] {
        case "day": return isNearMidnight(now) || result.at / Self.day == now / Self.day
        case "week":
            // 1970-01-01 was a Thursday.
            return isNearMidnight(now) || (result.at / Self.day + 3) / 7 == (now / Self.day + 3) / 7
        default: return true
        }
    }

    /// Whether the hub may have taken another day for today.
    private func isNearMidnight(_ now: Int) -> Bool { (now + 60_000) / Self.day != (now - 60_000) / Self.day }
}
