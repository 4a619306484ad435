import EventStore
import Games
import Testing

@testable import Hub

@Suite("Several nodes: players who cannot be heard") struct OutpostSilenceTests {
    private func deadline(_ table: SpreadTable) -> Milliseconds? {
        table.cluster.home(of: table.code).room(table.code).deadline
    }

    private func events(_ table: SpreadTable, _ type: String) -> [Fields] {
        table.home.storage.records(of: .room(table.code)).filter { $0.event.type == type }
            .compactMap { (try? JSONReader.read($0.event.shown))?.object }
    }

    @Test("what a link is down takes nothing of a player's turn, and nobody loses a turn meanwhile")
    func linkIsDown() throws {
        let table = SpreadTable()
        let before = try #require(deadline(table))
        let turn = before - table.home.now
        table.cluster.pass(1_000)
        // It was heard last a second ago.
        table.cluster.cutLinks(since: table.home.now - 1_000)
        table.cluster.pass(turn + 5_000)
        #expect(events(table, "turn-expired").isEmpty)
        #expect(events(table, "clock-extended").isEmpty)
        table.cluster.mendLinks()
        let extended = try #require(events(table, "clock-extended").first)
        #expect(extended["deadline"]?.integer == deadline(table))
        #expect((turn + 6_000...turn + 6_500).contains(try #require(deadline(table)) - before))
        // From here on time counts as ever.
        table.cluster.pass(turn + 500)
        #expect(events(table, "turn-expired").count == 1)
        #expect(events(table, "clock-extended").count == 1)
        table.expectSame(table.pages)
    }

    @Test("what waits for a player who is not heard is judged when the player is, or is none any more")
    func waits() {
        let table = SpreadTable()
        table.cluster.cutLinks(since: table.home.now)
        table.annPage.command("leave", id: "leave")
        #expect(!table.annPage.messages.contains { $0["id"] == "leave" })
        let other = table.cluster.nodes(of: table.code)[1]
        table.cluster.loses = { _ in false }
        table.cluster.kill(other)
        #expect(table.annPage.messages.contains { $0["id"] == "leave" && $0["type"] == "ok" })
    }

    @Test("who has gone from a node while it was not heard is gone once it is")
    func goesMeanwhile() {
        let table = SpreadTable()
        table.cluster.cutLinks(since: table.home.now)
        table.benPage.leave()
        let other = table.cluster.nodes(of: table.code)[1]
        other.shard.rooms[table.code]?.sleep()
        table.cluster.pass(120_000)
        table.cluster.mendLinks()
        table.cluster.pass(2_500)
        #expect(table.annPage.present.players == [table.ann.id])
        #expect(table.ask(table.annPage, "leave")?["type"] == "ok")
    }

    @Test("a home that begins while a node is not heard waits for who may be there", arguments: [true, false])
    func beginsUnheard(isThere: Bool) throws {
        let table = SpreadTable(isDealt: false)
        let nodes = table.cluster.nodes(of: table.code)
        let cem = nodes[2].player("Cem")
        let page = nodes[2].join(table.code, cem)
        for page in [table.annPage, page] { table.ask(page, "sit") }
        table.ask(table.annPage, "start")
        let before = try #require(deadline(table))
        let turn = before - table.home.now
        table.cluster.cutLinks(since: table.home.now)
        table.cluster.kill(table.home)
        if !isThere { page.leave() }
        table.cluster.pass(turn + 10_000)
        #expect(events(table, "turn-expired").isEmpty)
        table.cluster.mendLinks()
        let rest = try #require(deadline(table)) - nodes[1].now
        #expect((turn - 500...turn + 500).contains(rest))
        table.cluster.pass(turn + 500)
        #expect(events(table, "turn-expired").count == 1)
    }

    @Test("a spectator who is not heard holds nothing up")
    func spectator() throws {
        let table = SpreadTable(isDealt: false)
        table.ask(table.annPage, "sit")
        let ben = table.home.join(table.code, table.ben)
        table.benPage.leave()
        ben.command("sit", id: "sit")
        table.ask(table.annPage, "start")
        let turn = try #require(deadline(table)) - table.home.now
        table.cluster.cutLinks(since: table.home.now)
        table.cluster.pass(turn + 500)
        #expect(events(table, "turn-expired").count == 1)
        table.cluster.mendLinks()
        #expect(events(table, "clock-extended").isEmpty)
    }
}
