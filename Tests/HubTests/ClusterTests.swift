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

    @Test("refusals are the same on each node", arguments: ["flip", "start", "bot", "nonsense"])
    func refuses(type: String) {
        let table = SpreadTable()
        let other = table.mover === table.annPage ? table.benPage : table.annPage
        var answers = [other, table.mover].map { table.ask($0, type, ["cell": .integer(77), "seat": .integer(5)]) }
        let atHome = table.home.join(table.code, table.ben)
        answers.append(table.ask(atHome, type, ["cell": .integer(77), "seat": .integer(5)]))
        #expect(answers.allSatisfy { $0?["type"] == "error" && $0?["code"] != nil })
        // Both of Ben's pages get the same.
        #expect(answers[other === table.benPage ? 0 : 1]?["code"] == answers[2]?["code"])
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

    @Test("a line of chat reaches each member once and in order, and later ones too")
    func chat() {
        let table = SpreadTable(isDealt: false)
        for (index, page) in [table.benPage, table.annPage, table.benPage].enumerated() {
            #expect(table.ask(page, "say", ["text": .string("line \(index)")])?["type"] == "ok")
        }
        for page in table.pages {
            let texts = page.messages.filter { $0["type"] == "chat" }.map { $0["text"] }
            #expect(texts == ["line 0", "line 1", "line 2"])
        }
        let late = table.cluster.nodes(of: table.code)[1].join(table.code)
        #expect(late.last("welcome")?["chat"]?.list?.count == 3)
    }

    @Test("the home notices a host who leaves on another node, and names a new one")
    func absence() {
        let table = SpreadTable()
        table.annPage.leave()
        table.cluster.pass(62_000)
        #expect(table.watcher.last("host-changed")?["player"] == .string(table.ben.id))
        #expect(table.benPage.last("host-changed")?["player"] == .string(table.ben.id))
    }

    @Test("a home stays awake for members on other nodes, and sleeps when they have left")
    func staysAwake() {
        let table = SpreadTable(isDealt: false)
        table.annPage.leave()
        table.cluster.pass(200_000)
        #expect(table.home.shard.rooms[table.code] != nil)
        #expect(table.ask(table.benPage, "sit")?["type"] == "ok")
        #expect(table.watcher.last("seat-taken")?["player"] == .string(table.ben.id))
        table.benPage.leave()
        table.watcher.leave()
        table.cluster.pass(200_000)
        for node in table.cluster.nodes { #expect(node.shard.rooms[table.code] == nil) }
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

    @Test("a member who comes back on another node resumes there", arguments: [0, 1, 2])
    func resumes(node: Int) throws {
        let table = SpreadTable()
        let seen = try #require(table.benPage.versions.last)
        table.ask(table.mover, "flip", ["cell": 0])
        let head = table.home.storage.records(of: .room(table.code))[seen - 1].hash.hex
        let page = table.cluster.nodes[node].join(table.code, table.ben, after: seen, head: head)
        #expect(page.messages.contains { $0["type"] == "resume" })
        #expect(page.versions == Array(seen + 1...table.home.room(table.code).version))
    }
}
