import Cryptography
import EventStore
import Games
import Testing

@testable import Hub

@Suite("Several nodes: a home that moves") struct HomeMoveTests {
    /// A room whose home is another one once all nodes serve rooms.
    private func movingTable() -> SpreadTable {
        for seed in 1... {
            let cluster = ScriptedCluster(seed: UInt64(seed), count: 4, serving: 2)
            let table = SpreadTable(isDealt: true, in: cluster)
            let before = cluster.home(of: table.code)
            cluster.serveByAll()
            if cluster.home(of: table.code) !== before { return table }
        }
        preconditionFailure("there is a seed")
    }

    @Test("a node that joins takes over a room: its members hear nothing of it, and play on")
    func joins() {
        let table = movingTable()
        table.playOut()
        table.expectSame(table.pages)
        #expect(table.annPage.last("game-ended") != nil)
        // The one before knows no more than was shown.
        #expect(table.home.shard.rooms[table.code]?.state.seed?.bytes == nil)
    }

    @Test("a room that a node was reading as another's is not judged there before it is handed over")
    func isHandedOverFirst() throws {
        // Its next home is one that none of its members is at.
        let found = (1...32).lazy.map { SpreadTable(in: ScriptedCluster(seed: $0, count: 4, serving: 2)) }.first {
            $0.cluster.homeIfAllServe(of: $0.code) === $0.cluster.nodes(of: $0.code)[3]
        }
        let table = try #require(found)
        let next = table.cluster.nodes(of: table.code)[3]
        table.cluster.isSlow = true
        let room = try #require(next.shard.rooms.wake(table.code))
        // Whether there is a snapshot is not known yet.
        next.shard.serve(by: Membership(epoch: 9, nodes: (0..<4).map { NodeName("node-\($0)") }))
        next.settle()
        #expect(room.home != nil && room.life == .loading)
    }

    @Test("the next home of a room with members there reads the newest game alone, and can deal what comes behind it")
    func readsLittle() throws {
        let table = SpreadTable()
        for _ in 0..<2 {
            table.playOut()
            table.ask(table.annPage, "start")
            table.ask(table.benPage, "agree")
        }
        let next = table.cluster.nodes(of: table.code)[1...].map { node in (node, node.counters.events.value) }
        let records = table.home.storage.records(of: .room(table.code))
        let ended = try #require(records.last { $0.event.type == "game-ended" }?.version)
        table.cluster.kill(table.home)
        let (home, before) = try #require(next.first { $0.0 === table.cluster.home(of: table.code) })
        #expect(home.counters.events.value - before <= records.count - ended + 2)
        let other = try #require(next.first { $0.0 !== home })
        // The record that it knows is still there.
        #expect(other.0.counters.events.value - other.1 <= 1)
        #expect(home.room(table.code).deck.count == 6)
    }

    @Test("when a home dies, members of the others play on by the next one", arguments: [false, true])
    func dies(isUnderWay: Bool) throws {
        let table = SpreadTable()
        table.ask(table.mover, "flip", ["cell": 0])
        // Ann is at the home, and gone with it.
        let pages = [table.benPage, table.watcher]
        if isUnderWay { table.cluster.loses = { if case .room(_, _, .command) = $0 { true } else { false } } }
        table.benPage.command("leave", id: "under way")
        table.cluster.loses = { _ in false }
        table.cluster.kill(table.home)
        #expect(table.benPage.messages.count { $0["id"] == "under way" } == 1)
        table.expectSame(pages)
        #expect(table.cluster.home(of: table.code).room(table.code).seats.count == 1)
        table.cluster.pass(2_500)
        for page in pages { #expect(page.present.players == [table.ben.id]) }
        // Ann comes back elsewhere.
        let page = table.cluster.home(of: table.code).join(table.code, table.ann)
        #expect(page.last("welcome")?["version"]?.integer == table.benPage.versions.last)
    }

    @Test("who comes to a living node is greeted there, though the next home has not answered yet")
    func greetsMeanwhile() throws {
        let table = SpreadTable()
        table.cluster.loses = { if case .room(_, _, .attach) = $0 { true } else { false } }
        table.cluster.kill(table.home)
        let next = table.cluster.home(of: table.code)
        let other = try #require(table.cluster.living.first { $0 !== next })
        let page = other.join(table.code, table.ann)
        let end = next.storage.records(of: .room(table.code)).count
        #expect(page.last("welcome")?["version"]?.integer == end)
    }

    @Test("who has seen more than a node was told of is brought what the log holds", arguments: [false, true])
    func knowsMore(isHomeDead: Bool) throws {
        let table = SpreadTable()
        table.cluster.loses = { if case .room(_, _, .events) = $0 { true } else { false } }
        table.ask(table.mover, "flip", ["cell": 0])
        let records = table.home.storage.records(of: .room(table.code))
        let edges = table.cluster.nodes(of: table.code)[1...]
        if isHomeDead { table.cluster.kill(table.home) }
        for edge in edges {
            let last = records[records.count - 1]
            let page = edge.join(table.code, table.ann, after: last.version, head: last.hash.hex)
            #expect(page.messages.first { $0["type"] != "presence" }?["type"] == "resume")
            #expect(page.messages.allSatisfy { $0["diverged"] == nil })
        }
        // What nobody has written is lost.
        let stranger = edges[1].join(table.code, after: records.count + 5, head: records[0].hash.hex)
        #expect(stranger.last("welcome")?["diverged"] == true)
    }

    @Test("what a link lost is asked once more, and nothing is done or told twice", arguments: [true, false])
    func linkLost(losesAnswers: Bool) {
        let table = SpreadTable()
        let mover = table.mover
        table.cluster.loses = { message in
            switch message {
            case .room(_, _, .answer), .room(_, _, .events), .room(_, _, .said), .room(_, _, .others): losesAnswers
            case .room(_, _, .command), .room(_, _, .report), .room(_, _, .say): !losesAnswers
            default: false
            }
        }
        for page in [table.benPage, table.annPage] {
            page.command("flip", ["cell": 1], id: "flip")
            page.command("say", ["text": "hello"], id: "say")
        }
        table.cluster.mendLinks()
        for page in [table.benPage, table.annPage] {
            for id in ["flip", "say"] { #expect(page.messages.count { $0["id"] == .string(id) } == 1) }
        }
        #expect(mover.messages.contains { $0["id"] == "flip" && $0["type"] == "ok" })
        for page in table.pages { #expect(page.messages.count { $0["type"] == "chat" } == 2) }
        table.playOut()
        table.expectSame(table.pages)
    }

    @Test("who is renamed while the home is told of the old name is called by the new one everywhere")
    func renamedMeanwhile() throws {
        let table = SpreadTable(isDealt: false)
        let (home, edge, ben) = (table.home, table.cluster.nodes(of: table.code)[1], table.ben)
        table.cluster.isSlow = true
        let room = try #require(edge.shard.rooms[table.code])
        room.linkIsBack(to: try #require(room.remote?.node))
        edge.settle()
        // The home hears of it ahead of what is under way to it.
        #expect(edge.rename(ben, "Bea").status == 200)
        home.log.poll()
        home.shard.received(.accountChanged(ben.id))
        home.settle()
        table.cluster.loses = { if case .accountChanged = $0 { true } else { false } }
        table.cluster.isSlow = false
        edge.settle()
        table.cluster.pass(2_000)
        for page in table.pages {
            #expect(page.present.names[ben.id] == "Bea")
        }
    }

    /// `silence`: for how long no home hears of it; after 5 s a room sleeps where nobody is any more.
    @Test("who comes and goes before a home knows of it has been there", arguments: [0, 8_000])
    func shortVisit(silence: Milliseconds) {
        let table = SpreadTable(isDealt: false)
        for page in [table.annPage, table.benPage] { table.ask(page, "sit") }
        for page in [table.annPage, table.watcher] { page.leave() }
        table.cluster.pass(50_000)
        let edge = table.cluster.nodes(of: table.code)[2]
        table.cluster.cutLinks(since: edge.now)
        edge.join(table.code, table.ann).leave()
        table.cluster.pass(silence)
        table.cluster.mendLinks()
        func hosts() -> Int {
            table.home.storage.records(of: .room(table.code)).count { $0.event.type == "host-changed" }
        }
        table.cluster.pass(59_000)
        #expect(hosts() == 0)
        table.cluster.pass(2_000)
        #expect(hosts() == 1)
    }

    @Test("who is back while a home moves has the seat back that a computer has kept", arguments: [1, 2])
    func backMeanwhile(at place: Int) {
        let table = SpreadTable()
        table.annPage.leave()
        table.cluster.pass(61_000)
        #expect(table.ask(table.benPage, "bot", ["seat": 0, "level": "easy"])?["type"] == "ok")
        #expect(table.home.room(table.code).isHelped(Seat(0)))
        // The next home, or another edge.
        let edge = table.cluster.nodes(of: table.code)[place]
        table.cluster.cutLinks(since: edge.now)
        _ = edge.join(table.code, table.ann)
        table.cluster.loses = { _ in false }
        table.cluster.kill(table.home)
        #expect(!table.cluster.home(of: table.code).room(table.code).isHelped(Seat(0)))
    }
}
