import EventStore
import Games
import Testing

@testable import Hub

@Suite("The leaderboard") struct LeaderboardTests {
    private func results(_ table: Table, _ query: String = "") -> [Fields] {
        table.hub.pass(1_500)
        let answer = table.hub.request("GET", "/api/leaderboard" + query)
        #expect(answer.status == 200)
        return answer.fields["results"]?.list?.compactMap(\.object) ?? []
    }

    @Test("each player of a finished game has one result, and who left has it marked")
    func results() {
        let table = Table()
        table.playOut()
        let finished = results(table)
        #expect(finished.map { $0["kind"] } == ["finished", "finished"])
        #expect(Set(finished.compactMap { $0["name"]?.string }) == ["Ann", "Ben"])
        #expect(finished.first?["mode"] == "pairs-2x3")
        table.annPage.command("again")
        table.annPage.command("leave")
        #expect(results(table).suffix(1).map { $0["kind"] } == ["left"])
        table.benPage.command("leave")
        #expect(results(table).count == 4)
    }

    @Test("the best are finished ones of one game and mode, the higher score first")
    func best() {
        let table = Table()
        table.playOut()
        let best = results(table, "?game=memory&mode=pairs-2x3&order=best")
        #expect(best.map { $0["score"]?.integer ?? 0 } == best.map { $0["score"]?.integer ?? 0 }.sorted(by: >))
        #expect(best.count == 2)
        #expect(results(table, "?game=memory&mode=hard-4x5&order=best").isEmpty)
    }

    @Test("pages follow one another without a gap or a double", arguments: ["recent", "best"])
    func pages(_ order: String) throws {
        let table = Table()
        for _ in 0..<4 {
            table.playOut()
            table.annPage.command("again")
            table.hub.pass(1_000)
        }
        let query = "?game=memory&mode=pairs-2x3&order=\(order)"
        let all = results(table, query)
        #expect(all.count == 8)
        var (seen, next): ([Fields], String?) = ([], "")
        while let cursor = next {
            let after = cursor.isEmpty ? "" : "&after=\(cursor)"
            let page = table.hub.request("GET", "/api/leaderboard\(query)&limit=3\(after)").fields
            let rows = page["results"]?.list?.compactMap(\.object) ?? []
            seen = order == "best" ? seen + rows : rows + seen
            next = page["next"]?.string
        }
        #expect(seen == all)
    }

    @Test("a day and a week end by UTC")
    func spans() {
        let table = Table()
        table.playOut()
        #expect(results(table, "?span=day").count == 2)
        table.hub.pass(86_400_000)
        #expect(results(table, "?span=day").isEmpty)
        table.hub.pass(7 * 86_400_000)
        #expect(results(table, "?span=week").isEmpty)
        #expect(results(table).count == 2)
    }

    @Test("dropped and rebuilt from the log it is the same")
    func rebuilt() {
        let table = Table()
        table.playOut()
        let before = results(table)
        table.hub.crash(downtime: 0, keepsRows: false)
        #expect(results(table) == before)
    }

    @Test("what was not played to its end is not ranked", arguments: ["restart", "close"])
    func cutShort(_ command: String) {
        let table = Table()
        let deck = table.deck
        let pair = deck.indices.filter { deck[$0] == deck[0] }
        for cell in pair { table.annPage.command("flip", ["cell": .integer(cell)]) }
        table.benPage.command("restart")
        table.annPage.command(command)
        let all = results(table)
        #expect(all.map { $0["kind"] } == ["left", "left"])
        #expect(results(table, "?game=memory&mode=pairs-2x3&order=best").isEmpty)
    }

    @Test("a game that stalled was not played to its end: it is not ranked, whatever was won in it")
    func stalled() {
        let table = Table()
        let deck = table.deck
        for cell in deck.indices where deck[cell] == deck[0] { table.mover.command("flip", ["cell": .integer(cell)]) }
        let left = deck.indices.filter { deck[$0] != deck[0] }
        // Both of no pair: once all is seen, as many turns of each as there are cards.
        let (first, second) = (left[0], left.first { deck[$0] != deck[left[0]] } ?? 0)
        for _ in 0..<13 {
            for cell in [first, second] { table.mover.command("flip", ["cell": .integer(cell)]) }
            table.hub.pass(1_000)
        }
        #expect(table.state.lastEnd?.reason == .game(.stalled))
        #expect(results(table).map { $0["kind"] } == ["left", "left"])
        #expect(results(table, "?game=memory&mode=pairs-2x3&order=best").isEmpty)
    }

    @Test(
        "who is left alone by the other has won; where both have gone nobody has",
        arguments: [(true, ["finished", "left"]), (false, ["left", "left"])])
    func deserted(_ isByOne: Bool, _ kinds: [String]) {
        let hub = ScriptedHub()
        let (ann, ben) = (hub.player("Ann"), hub.player("Ben"))
        let code = hub.open(ann, ["turnTime": 0], game: "reversi")
        let pages = [ann, ben].map { hub.join(code, $0) }
        for page in pages { page.command("sit") }
        pages[0].command("start")
        if isByOne {
            pages[1].command("leave")
        } else {
            for page in pages { page.leave() }
            hub.pass(61 * 60_000)
        }
        hub.pass(1_500)
        let results = hub.request("GET", "/api/leaderboard").fields["results"]?.list ?? []
        #expect(results.compactMap { $0.object?["kind"]?.string }.sorted() == kinds)
    }

    @Test("of a room that is found by its link alone nobody learns the code")
    func unlisted() throws {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let opened = hub.request(
            "POST", "/api/rooms", token: ann.token, body: ["game": "memory", "visibility": "unlisted"])
        let code = try #require(opened.fields["code"]?.string)
        let page = hub.join(code, ann)
        for command in ["sit", "start", "leave"] { #expect(page.command(command)?["type"] == "ok") }
        hub.pass(1_500)
        let answer = hub.request("GET", "/api/leaderboard?limit=1")
        #expect(answer.fields["results"]?.list?.count == 1)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(code))
        let next = try #require(answer.fields["next"]?.string)
        #expect(hub.request("GET", "/api/leaderboard?limit=1&after=\(next)").fields["results"]?.list?.isEmpty == true)
    }

    @Test("computers have none")
    func computers() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let page = hub.join(hub.open(ann), ann)
        page.command("sit")
        page.command("bot", ["seat": 1, "level": "easy"])
        page.command("start")
        page.command("leave")
        hub.pass(1_500)
        let results = hub.request("GET", "/api/leaderboard").fields["results"]?.list
        #expect(results?.map { $0.object?["player"]?.string } == [ann.id])
    }

    @Test(
        "is refused",
        arguments: [
            "order=worst", "order=best", "order=best&game=memory", "mode=8x8", "span=year", "limit=0", "limit=101",
            "limit=x", "after=nonsense", "after=1.2.3.4.5.6",
        ])
    func refused(_ query: String) {
        let answer = ScriptedHub().request("GET", "/api/leaderboard?" + query)
        #expect(answer.status == 400)
        #expect(answer.fields["code"] == "bad-field")
    }
}
