import Cryptography
import EventStore
import Games
import Testing

@testable import Hub
@testable import Rooms

@Suite("Several nodes: a room and its members") struct ClusterTests {
    @Test("members on any nodes play to the end and see the same", arguments: [1, 2, 3] as [UInt64])
    func plays(seed: UInt64) throws {
        let table = SpreadTable(seed: seed)
        table.playOut()
        #expect(table.annPage.last("game-ended") != nil)
        table.expectSame(table.pages)
        // New members get the same welcome on each node.
        let welcomes = table.cluster.nodes.map { node in
            let page = node.join(table.code)
            return page.last("welcome")
        }
        for name in ["version", "head", "room", "view", "names"] {
            #expect(welcomes[0]?[name] != nil && welcomes.allSatisfy { $0?[name] == welcomes[0]?[name] }, "\(name)")
        }
    }

    @Test("no secret crosses a link")
    func keepsSecrets() {
        let table = SpreadTable()
        let seeds = table.home.storage.records(of: .room(table.code)).compactMap(\.event.sealed)
        #expect(!seeds.isEmpty)
        for message in table.cluster.messages {
            // As bytes, and as JSON would write it.
            for seed in seeds {
                #expect(!message.bytes.contains(seed) && !message.bytes.contains(Array(seed.hex.utf8)))
            }
        }
    }

    @Test("each node sends presence of all of them")
    func presence() {
        let table = SpreadTable(isDealt: false)
        table.cluster.pass(3_000)
        for page in table.pages {
            #expect(page.present.players == [table.ann.id, table.ben.id])
            // No one has a seat yet.
            #expect(page.present.spectators == 3)
        }
        table.benPage.leave()
        table.cluster.pass(3_000)
        for page in [table.annPage, table.watcher] {
            #expect(page.present.players == [table.ann.id])
            #expect(page.present.spectators == 2)
        }
    }

    @Test("the home notices a host who leaves on another node, and names a new one")
    func absence() {
        let table = SpreadTable()
        table.annPage.leave()
        table.cluster.pass(62_000)
        #expect(table.watcher.last("host-changed")?["player"] == .string(table.ben.id))
        #expect(table.benPage.last("host-changed")?["player"] == .string(table.ben.id))
    }

    @Test("a room whose log is damaged closes its members on all nodes")
    func breaks() {
        let table = SpreadTable(isDealt: false)
        table.home.shard.rooms[table.code]?.streamFailed("a test")
        table.cluster.pass(100)
        for page in table.pages { #expect(page.closed == .internalError) }
    }

    @Test("if a home has died and the next one cannot read the log, members wait, and then continue")
    func cannotRead() throws {
        var table = SpreadTable()
        let nodes = table.cluster.nodes(of: table.code)
        table.cluster.kill(nodes[0])
        let next = table.cluster.home(of: table.code)
        func fail() { next.log.putIn(.unreadable(.cannotRead(reason: "a test"))) }
        fail()
        // It makes the next home read the room, and nothing else.
        _ = next.join(table.code)
        table.comeBack()
        for _ in 0..<2 {
            #expect(table.pages.allSatisfy { $0.closed == nil && $0.messages.isEmpty })
            fail()
            table.cluster.pass(RoomStream.retryPause)
        }
        table.cluster.pass(6_000)
        table.playOut()
        table.expectSame(table.pages)
    }
}
