import EventStore
import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules

@Suite("The leaderboard") struct LeaderboardTests {
    private func results(_ hub: ScriptedHub, _ query: String = "") -> [Fields] {
        hub.pass(1_500)
        let answer = hub.request("GET", "/api/leaderboard" + query)
        #expect(answer.status == 200)
        return answer.fields["results"]?.list?.compactMap(\.object) ?? []
    }

    @Test("each player of a finished game has one result, with a mark if they left")
    func results() {
        let table = Table()
        table.playOut()
        let finished = results(table.hub)
        #expect(finished.map { $0["kind"] } == ["finished", "finished"])
        #expect(Set(finished.compactMap { $0["name"]?.string }) == ["Ann", "Ben"])
        #expect(finished.first?["mode"] == "pairs-2x3")
        table.playAgain()
        table.annPage.command("leave")
        #expect(results(table.hub).suffix(1).map { $0["kind"] } == ["left"])
        table.benPage.command("leave")
        #expect(results(table.hub).count == 4)
    }

    @Test("pages follow one another without a gap or a double", arguments: ["recent", "best"])
    func pages(_ order: String) throws {
        let table = Table()
        for _ in 0..<4 {
            table.playOut()
            table.playAgain()
            table.hub.pass(1_000)
        }
        let query = "?game=memory&mode=pairs-2x3&against=people&order=\(order)"
        let all = results(table.hub, query)
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
        #expect(results(table.hub, "?span=day").count == 2)
        table.hub.crash(downtime: 86_400_000)
        #expect(results(table.hub, "?span=day").isEmpty)
        table.hub.crash(downtime: 7 * 86_400_000)
        #expect(results(table.hub, "?span=week").isEmpty)
        #expect(results(table.hub).count == 2)
    }

    @Test("rebuilt from the log it is the same")
    func rebuilt() {
        let table = Table()
        table.playOut()
        let before = results(table.hub)
        table.hub.crash(downtime: 0, keepsRows: false)
        #expect(results(table.hub) == before)
    }

    @Test("unfinished games are not ranked", arguments: [true, false])
    func cutShort(isDealtAgain: Bool) {
        let table = Table()
        let deck = table.deck
        let pair = deck.indices.filter { deck[$0] == deck[0] }
        for cell in pair { table.annPage.command("flip", ["cell": .integer(cell)]) }
        if isDealtAgain {
            table.benPage.command("propose", ["what": "restart"])
            table.annPage.answer(true)
        } else {
            table.annPage.command("close")
        }
        let all = results(table.hub)
        #expect(all.map { $0["kind"] } == ["left", "left"])
        #expect(results(table.hub, "?game=memory&mode=pairs-2x3&against=people&order=best").isEmpty)
    }

    @Test("a stalled game is not ranked, whatever was won in it")
    func stalled() {
        let table = Table()
        let deck = table.deck
        for cell in deck.indices where deck[cell] == deck[0] { table.mover.command("flip", ["cell": .integer(cell)]) }
        let left = deck.indices.filter { deck[$0] != deck[0] }
        // Two cards of different pairs: once all are seen, as many turns of each player as there are cards.
        let (first, second) = (left[0], left.first { deck[$0] != deck[left[0]] } ?? 0)
        for _ in 0..<13 {
            for cell in [first, second] { table.mover.command("flip", ["cell": .integer(cell)]) }
            table.hub.pass(1_000)
        }
        #expect(table.state.lastEnd?.reason == .game(.stalled))
        #expect(results(table.hub).map { $0["kind"] } == ["left", "left"])
        #expect(results(table.hub, "?game=memory&mode=pairs-2x3&against=people&order=best").isEmpty)
    }

    @Test(
        "a player whom the other leaves has won, but no one has if both leave",
        arguments: [(true, ["finished", "left"]), (false, ["left", "left"])])
    func deserted(_ isByOne: Bool, _ kinds: [String]) {
        let table = Table(["turnTime": 0], game: "reversi")
        table.annPage.command("place", ["cell": table.state.gameView?["legal"]?.list?.first ?? 0])
        if isByOne {
            table.benPage.command("leave")
        } else {
            for page in table.pages { page.leave() }
            table.hub.pass(61 * 60_000)
        }
        #expect(results(table.hub).compactMap { $0["kind"]?.string }.sorted() == kinds)
    }

    @Test("no one learns the code of an unlisted room")
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

    @Test(
        "games alone, against people and against computers have separate lists, finished or left",
        arguments: [(1, 0, "alone"), (1, 1, "computers"), (2, 0, "people"), (2, 1, "people")], [false, true])
    func against(_ room: (people: Int, computers: Int, is: String), _ isLeft: Bool) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann, ["columns": 2, "rows": 3])
        let pages = ([ann] + (1..<room.people).map { hub.player("Player \($0)") }).map { hub.join(code, $0) }
        for page in pages { page.command("sit") }
        for seat in 0..<room.computers {
            pages[0].command("bot", ["seat": .integer(room.people + seat), "level": "easy"])
        }
        pages[0].command("start")
        if isLeft { pages[0].command("leave") } else { playOut(hub, code, pages) }
        for against in ["alone", "people", "computers"] {
            let listed = results(hub, "?game=memory&mode=pairs-2x3&against=\(against)")
            #expect(listed.isEmpty == (against != room.is))
            #expect(listed.allSatisfy { $0["against"]?.string == against })
            #expect(listed.allSatisfy { $0["kind"]?.string == (isLeft ? "left" : "finished") })
        }
    }

    /// People take all pairs that are left, in the first of their turns. Computers turn cards until then.
    private func playOut(_ hub: ScriptedHub, _ code: String, _ pages: [ScriptedClient]) {
        let deck = hub.room(code).deck
        for _ in 0..<100 where hub.room(code).phase == .running {
            guard let seat = hub.room(code).gameView?["mover"]?.integer, pages.indices.contains(seat) else {
                hub.pass(1_000)
                continue
            }
            for face in Set(deck).sorted() {
                for cell in deck.indices where deck[cell] == face {
                    pages[seat].command("flip", ["cell": .integer(cell)])
                }
            }
        }
        #expect(hub.room(code).phase == .ended)
    }

    @Test("a request with a token gets the player's own best of a list, with its rank")
    func own() throws {
        let table = Table()
        table.playOut()
        let query = "?game=memory&mode=pairs-2x3&against=people&order=best"
        let best = results(table.hub, query)
        for player in [table.ann, table.ben] {
            let row = try #require(best.firstIndex { $0["player"]?.string == player.id })
            // Equal results share a rank.
            let first = best.firstIndex { $0["score"] == best[row]["score"] && $0["time"] == best[row]["time"] }
            let own = table.hub.request("GET", "/api/leaderboard" + query, token: player.token).fields["own"]?.object
            #expect(own?["result"]?.object == best[row])
            #expect(own?["rank"]?.integer == first.map { $0 + 1 })
        }
        let stranger = table.hub.player("Cy")
        let answers = [
            table.hub.request("GET", "/api/leaderboard" + query),
            table.hub.request("GET", "/api/leaderboard", token: table.ann.token),
            table.hub.request("GET", "/api/leaderboard" + query, token: stranger.token),
            table.hub.request("GET", "/api/leaderboard" + query + "&span=day", token: table.ann.token),
        ]
        #expect(answers.map { $0.fields["own"] != nil } == [false, false, false, true])
        let nobody = String(repeating: "A", count: 43)
        #expect(table.hub.request("GET", "/api/leaderboard" + query, token: nobody).status == 401)
    }

    @Test("ranks are told up to a thousand", arguments: [(999, 1_000), (1_000, nil)])
    func rankLimit(_ better: Int, _ rank: Int?) {
        let hub = ScriptedHub()
        // No log has led to these rows.
        hub.witness.isOn = false
        let ann = hub.player("Ann")
        let row = { (player: String, number: Int, score: Int) in
            ResultRow(
                room: "abcdef", number: number, seat: 0, game: "memory", mode: "pairs-4x4", against: .alone,
                player: player, score: score, turns: 1, time: 1, at: 1, kind: .finished)
        }
        hub.write(((0..<better).map { row("other", $0, 9) } + [row(ann.id, better, 8)]).map(\.change))
        let query = "?game=memory&mode=pairs-4x4&against=alone&order=best&limit=1"
        let own = hub.request("GET", "/api/leaderboard" + query, token: ann.token).fields["own"]?.object
        #expect(own?["result"]?.object?["score"] == 8)
        #expect(own?["rank"]?.integer == rank)
    }

    @Test("a game given up before any move is a win without a score", arguments: [false, true])
    func unplayed(_ isMoved: Bool) {
        let table = Table([:], game: "connect-four")
        if isMoved { table.annPage.command("drop", ["column": 3]) }
        table.benPage.command("resign")
        let end = table.state.lastEnd
        #expect(end?.results.map(\.place) == [1, 2] && end?.isUnplayed == !isMoved)
        let best = results(table.hub, "?game=connect-four&mode=7x6&against=people&order=best")
        #expect(best.count == (isMoved ? 2 : 0))
    }

    @Test("boards with a drawn number of pairs are compared with those of the same number")
    func drawn() {
        var boards: [Set<String>: Set<Int>] = [:]
        for seed in 1...6 as ClosedRange<UInt64> {
            let table = Table(seed: seed, ["preset": "memorize", "theme": "garden"])
            let pairs = table.state.gameView?["pairs"]?.integer ?? 0
            table.annPage.command("close")
            boards[Set(results(table.hub).compactMap { $0["mode"]?.string }), default: []].insert(pairs)
        }
        #expect(boards.count > 1)
        #expect(boards.allSatisfy { $0.key.count == 1 && $0.value.count == 1 })
    }

    @Test("computers have no results")
    func computers() {
        let party = Party(["Ann"], computers: 1)
        party["Ann"].command("leave")
        #expect(results(party.hub).map { $0["player"]?.string } == [party.players[0].id])
    }

    @Test(
        "is refused",
        arguments: [
            "order=worst", "order=best", "order=best&game=memory", "order=best&game=memory&mode=pairs-4x4", "mode=8x8",
            "against=people", "game=memory&against=people", "game=memory&mode=pairs-4x4&against=robots", "span=year",
            "limit=0", "limit=101", "limit=x", "after=nonsense", "after=1.2.3.4.5.6",
        ])
    func refused(_ query: String) {
        let answer = ScriptedHub().request("GET", "/api/leaderboard?" + query)
        #expect(answer.status == 400)
        #expect(answer.fields["code"] == "bad-field")
    }
}
