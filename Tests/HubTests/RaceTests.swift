import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("A room: a game in which all act at once") struct RaceTests {
    private static let race: Fields = ["columns": 2, "rows": 3, "theme": "numbers", "order": "free"]

    /// Cells of two cards with one face, and of one with another.
    private func cells(_ deck: [String]) -> (first: Int, mate: Int, other: Int) {
        let mate = deck.indices.first { $0 != 0 && deck[$0] == deck[0] } ?? 0
        return (0, mate, deck.indices.first { deck[$0] != deck[0] } ?? 0)
    }

    @Test("lists and pages show that it waits for all")
    func awaited() {
        let table = Table(Self.race)
        let expected = [table.ann.id, table.ben.id]
        #expect(table.hub.request("GET", "/api/rooms/\(table.code)").fields["awaited"]?.strings == expected)
        #expect(table.hub.join(table.code).last("welcome")?["view"]?.object?["awaited"]?.integers == [0, 1])
    }

    @Test("of two who press the same card, the first gets it and the other is refused")
    func sameCard() {
        let table = Table(Self.race)
        let (first, mate, _) = cells(table.deck)
        table.hub.log.pace = .stepped
        table.annPage.command("flip", ["cell": .integer(first)], settling: false)
        table.benPage.command("flip", ["cell": .integer(first)], settling: false)
        table.annPage.command("flip", ["cell": .integer(mate)], settling: false)
        table.benPage.command("flip", ["cell": .integer(mate)], settling: false)
        table.hub.log.pace = .automatic
        table.hub.settle()
        let errors = { (page: ScriptedClient) in
            page.messages.filter { $0["type"] == "error" }.compactMap { $0["code"]?.string }
        }
        #expect(errors(table.annPage).isEmpty && errors(table.benPage) == ["card-is-up", "card-is-won"])
        #expect(table.watcher.last("match")?["seat"] == 0)
        for page in table.pages { #expect(page.events.suffix(3) == table.watcher.events.suffix(3)) }
    }

    @Test("a player wins a pair with a card that another has turned up")
    func othersCard() {
        let table = Table(Self.race)
        let (first, mate, other) = cells(table.deck)
        table.annPage.command("flip", ["cell": .integer(first)])
        table.annPage.command("flip", ["cell": .integer(other)])
        #expect(table.state.awaited == [Seat(1)])
        #expect(table.annPage.command("flip", ["cell": .integer(mate)])?["code"] == "wait-for-reveal")
        #expect(table.benPage.command("flip", ["cell": .integer(mate)])?["type"] == "ok")
        #expect(table.watcher.last("match")?["cells"]?.integers == [first, mate])
        table.hub.pass(1_000)
        #expect(table.watcher.last("hide-card")?["cells"]?.integers == [other])
        #expect(table.state.awaited == [Seat(0), Seat(1)])
    }

    @Test("a first card turns back after its time, which the hub's absence does not take")
    func absence() {
        let table = Table(Self.race)
        table.annPage.command("flip", ["cell": 0])
        table.hub.pass(4_000)
        table.hub.crash(downtime: 60_000)
        let page = table.hub.join(table.code, table.ann)
        #expect(page.last("welcome")?["view"]?.object?["up"]?.integers == [0])
        table.hub.pass(999)
        #expect(page.last("hide-card") == nil)
        table.hub.pass(1)
        #expect(page.last("hide-card")?["cells"]?.integers == [0])
    }

    @Test("computers race each other and a person", arguments: 1...4 as ClosedRange<UInt64>)
    func computers(seed: UInt64) {
        let hub = ScriptedHub(seed: seed)
        let ann = hub.player("Ann")
        let code = hub.open(ann, (["columns": 4, "rows": 4] as Fields).merging(["order": "free"]))
        let page = hub.join(code, ann)
        page.command("sit")
        for (seat, level) in [(1, "easy"), (2, "medium"), (3, "perfect")] {
            page.command("bot", ["seat": .integer(seat), "level": .string(level)])
        }
        page.command("start")
        for step in 0..<400 where hub.room(code).phase == .running {
            page.command("flip", ["cell": .integer(step * 5 % 16)])
            hub.pass(700)
        }
        let shows = page.events.filter { $0["type"] == "show-card" }.compactMap { $0["seat"]?.integer }
        #expect(hub.room(code).phase == .ended && Set(shows) == [0, 1, 2, 3])
        #expect(hub.metric("flipside_computer_failures_total") == 0)
    }
}
