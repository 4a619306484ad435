import Cryptography
import EventStore
import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("A room: computer players") struct RoomComputersTests {
    /// Ann against a computer, not started.
    private struct Duel {
        let hub: ScriptedHub
        let ann: ScriptedPlayer
        let code: String
        var page: ScriptedClient

        init(turnTime: Int = 0, limits: HubLimits = HubLimits()) {
            hub = ScriptedHub(limits: limits)
            ann = hub.player("Ann")
            code = hub.open(
                ann, ["columns": 2, "rows": 3, "theme": "numbers", "turnTime": .integer(turnTime), "reveal": 200])
            page = hub.join(code, ann)
            page.command("sit")
            page.command("bot", ["seat": 1, "level": "easy"])
        }

        var state: RoomState { hub.room(code) }
        var types: [String] { hub.storage.records(of: .room(code)).map(\.event.type) }
        var shows: [Int] {
            page.events.filter { $0["type"] == "show-card" }.compactMap { $0["seat"]?.integer }
        }

        /// Ann turns cards that differ, so that the computer's turn comes.
        func miss() {
            let faces = state.deck
            for cell in [0, faces.indices.first { faces[$0] != faces[0] } ?? 1] {
                page.command("flip", ["cell": .integer(cell)])
            }
            hub.pass(300)
        }
    }

    @Test("a game of only computers is not started")
    func computersAlone() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let page = hub.join(hub.open(ann), ann)
        for seat in 0..<2 { page.command("bot", ["seat": .integer(seat), "level": "easy"]) }
        #expect(page.command("start")?["code"] == "player-count")
        page.command("sit")
        #expect(page.command("start")?["type"] == "ok")
    }

    @Test("a computer that is late for three of its turns plays the next one")
    func late() {
        let duel = Duel(turnTime: 5, limits: .with { $0.thinkTime = 6_000 })
        duel.page.command("start")
        for _ in 1...3 {
            duel.miss()
            duel.hub.pass(5_000)
        }
        #expect(duel.page.events.suffix(4).map { $0["type"] } == ["turn-expired", "away", "turn", "back"])
        duel.miss()
        #expect(duel.state.awaited == [Seat(1)])
    }

    @Test("a computer takes a seat and plays a whole game, by the same commands")
    func wholeGame() {
        let duel = Duel()
        #expect(duel.state.seats[Seat(1)] == "bot-1")
        duel.page.command("start")
        duel.miss()
        for _ in 0..<200 where duel.state.phase == .running {
            duel.hub.pass(1_000)
            if duel.state.awaited == [Seat(0)] { duel.miss() }
        }
        #expect(duel.shows.contains(1))
        #expect(Set(duel.shows) == [0, 1])
        #expect(duel.types.count { $0 == "show-card" } > 4)
    }

    @Test("it takes as long as a human to think")
    func thinks() {
        let duel = Duel()
        duel.page.command("start")
        duel.miss()
        let before = duel.shows.count
        duel.hub.pass(500)
        #expect(duel.shows.count == before)
        duel.hub.pass(500)
        #expect(duel.shows.count == before + 1)
    }

    /// A computer's move is for one version. If other events come first, it is asked again, but not twice.
    @Test("a computer that had to wait for the log moves once")
    func movesOnce() {
        let duel = Duel()
        duel.page.command("start")
        duel.miss()
        let before = duel.shows.count
        // The log is slow with something else while the computer thinks, then with the computer's move.
        duel.page.command("visibility", ["visibility": "seeking"], settling: false)
        duel.hub.wait(1_000)
        duel.hub.step()
        duel.hub.wait(1_000)
        while duel.hub.log.waiting > 0 { duel.hub.step() }
        #expect(duel.shows.count == before + 1)
    }

    @Test("its results mark it as a computer")
    func results() throws {
        let duel = Duel()
        duel.page.command("start")
        duel.page.command("leave")
        let end = try #require(duel.page.last("game-ended"))
        #expect(end["reason"] == "left")
        #expect(end["results"]?.list?.map { $0.object?["bot"] } == [nil, true])
    }

    @Test("a computer plays for an absent player, and gives the seat back on return")
    func helps() throws {
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 600])
        let page = table.annPage
        #expect(page.command("bot", ["seat": 1, "level": "easy"])?["code"] == "player-there")
        table.benPage.leave()
        table.hub.pass(60_000)
        #expect(page.command("bot", ["seat": 1, "level": "easy"])?["type"] == "ok")
        #expect(table.state.isHelped(Seat(1)))
        let back = table.hub.join(table.code, table.ben)
        #expect(back.last("seat-returned") != nil || page.last("seat-returned") != nil)
        #expect(!table.state.isHelped(Seat(1)))
        page.command("leave")
        back.command("leave", id: "another")
        let results = try #require(page.last("game-ended")?["results"]?.list)
        #expect(results.map { $0.object?["helped"] } == [nil, true])
    }

    @Test("a computer whose turn it is plays on after the hub was killed")
    func crash() {
        let duel = Duel()
        duel.page.command("start")
        duel.miss()
        duel.hub.crash(downtime: 1_000)
        let page = duel.hub.join(duel.code, duel.ann)
        page.clear()
        duel.hub.pass(2_000)
        #expect(page.last("show-card")?["seat"] == 1)
    }

    @Test("computers agree to a restart, which deals again at once")
    func restart() {
        let duel = Duel()
        duel.page.command("start")
        duel.page.command("flip", ["cell": 0])
        duel.page.command("propose", ["what": "restart"])
        #expect(duel.types.suffix(4) == ["show-card", "game-ended", "game-started", "turn"])
        #expect(duel.state.gameNumber == 2)
        #expect(duel.page.last("game-ended")?["reason"] == "restart")
        // The computer plays the new game, not the one that it was hired for.
        duel.page.clear()
        duel.miss()
        duel.hub.pass(2_000)
        #expect(duel.page.last("show-card")?["seat"] == 1)
    }

    @Test("they play Reversi, at every level", arguments: ["1", "2", "3", "4"])
    func reversi(_ level: String) throws {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann, ["turnTime": 0], game: "reversi")
        let page = hub.join(code, ann)
        page.command("sit")
        page.command("bot", ["seat": 1, "level": .string(level)])
        #expect(page.command("start")?["type"] == "ok")
        for _ in 0..<80 where hub.room(code).phase == .running {
            hub.pass(1_000)
            let view = try #require(hub.room(code).gameView)
            guard view["awaited"]?.integers == [0], let cell = view["legal"]?.integers?.first else { continue }
            page.command("place", ["cell": .integer(cell)])
        }
        #expect(page.last("game-ended")?["reason"] == "finished")
        #expect(page.last("game-ended")?["reveal"] == nil)
        #expect(page.events.contains { $0["type"] == "place-disc" && $0["seat"] == 1 })
    }

    struct Refused: CustomTestStringConvertible {
        let testDescription: String
        let fields: Fields
        let code: String
        init(_ what: String, _ fields: Fields, _ code: String) {
            (testDescription, self.fields, self.code) = (what, fields, code)
        }
    }

    /// Each draws its own seed. In another order the same hub would play other games.
    @Test("computers are hired, told and dismissed in the order of their seats")
    func order() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let page = hub.join(hub.open(ann, ["columns": 4, "rows": 4, "turnTime": 0]), ann)
        page.command("sit")
        for seat in (1...7).reversed() { page.command("bot", ["seat": .integer(seat), "level": "easy"]) }
        page.command("start")
        page.command("close")
        func seats(_ word: String) -> [String] {
            hub.computers.posted.filter { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count + 1)) }
        }
        let inOrder = (1...7).map { String($0) }
        #expect(seats("hire") == inOrder && seats("see") == inOrder && seats("dismiss") == inOrder)
    }

    @Test(
        "is refused",
        arguments: [
            Refused("a level that does not exist", ["seat": 1, "level": "clever"], "unknown-value"),
            Refused("a seat off the table", ["seat": 8, "level": "easy"], "no-such-seat"),
            Refused("a player's seat", ["seat": 0, "level": "easy"], "seat-taken"),
            Refused("no level", ["seat": 1], "bad-field"), Refused("no seat", ["level": "easy"], "bad-field"),
        ])
    func refuses(_ refused: Refused) {
        #expect(Duel().page.command("bot", refused.fields)?["code"]?.string == refused.code)
    }
}
