import Cryptography
import EventStore
import Games
import Testing

@testable import Hub

/// A room with its host at its home, another player and a spectator on two other nodes: 2 x 3 cards, dealt.
private struct SpreadTable {
    let cluster: ScriptedCluster
    let code: String
    let home: ScriptedHub
    let ann: ScriptedPlayer
    let ben: ScriptedPlayer
    let annPage: ScriptedClient
    let benPage: ScriptedClient
    let watcher: ScriptedClient
    var pages: [ScriptedClient] { [annPage, benPage, watcher] }

    init(seed: UInt64 = 1, isDealt: Bool = true, in cluster: ScriptedCluster? = nil) {
        self.cluster = cluster ?? ScriptedCluster(seed: seed)
        let cluster = self.cluster
        ann = cluster.nodes[0].player("Ann")
        ben = cluster.nodes[1].player("Ben")
        code = cluster.nodes[0].open(ann, ["columns": .integer(2), "rows": .integer(3), "theme": "numbers"])
        let nodes = cluster.nodes(of: code)
        home = nodes[0]
        annPage = nodes[0].join(code, ann)
        benPage = nodes[1].join(code, ben)
        watcher = nodes[2].join(code)
        guard isDealt else { return }
        ask(annPage, "sit")
        ask(benPage, "sit")
        ask(annPage, "start")
    }

    /// What a command is answered.
    @discardableResult
    func ask(_ page: ScriptedClient, _ type: String, _ fields: Fields = [:]) -> Fields? {
        let id = "\(type)-\(page.messages.count)"
        page.command(type, fields, id: id)
        return page.messages.last { $0["id"] == .string(id) }
    }

    /// Each card in the order of its face, from here to the end of the game.
    func playOut() {
        let deck = cluster.home(of: code).room(code).deck
        let shown = Set(annPage.events.filter { $0["type"] == "show-card" }.compactMap { $0["cell"]?.integer })
        // What lies open first.
        let open = Set(shown.map { deck[$0] })
        for face in Set(deck).sorted(by: { (open.contains($0) ? 0 : 1, $0) < (open.contains($1) ? 0 : 1, $1) }) {
            for cell in deck.indices where deck[cell] == face && !shown.contains(cell) {
                #expect(ask(mover, "flip", ["cell": .integer(cell)])?["type"] == "ok")
            }
        }
    }

    /// All of them saw each event once, and in order; who was greeted again, from there on.
    func expectSame(_ pages: [ScriptedClient]) {
        let log = cluster.home(of: code).storage.records(of: .room(code)).map(\.event.shown)
        for page in pages {
            #expect(page.versions == Array(2...log.count))
            #expect(page.events.map { JSONWriter.bytes($0) } == Array(log.dropFirst()))
            #expect(page.closed == nil)
        }
    }

    /// The page of whoever is to move.
    var mover: ScriptedClient { cluster.home(of: code).room(code).gameView?["turn"]?.integer == 0 ? annPage : benPage }
}

@Suite("Several nodes: a room and its members") struct ClusterTests {
    @Test("members of any node play to the end and see the same", arguments: [1, 2, 3] as [UInt64])
    func plays(seed: UInt64) throws {
        let table = SpreadTable(seed: seed)
        table.playOut()
        #expect(table.annPage.last("game-ended") != nil)
        table.expectSame(table.pages)
        // Whoever comes now is welcomed to the same on each node.
        let welcomes = table.cluster.nodes.map { node in
            let page = node.join(table.code)
            return page.last("welcome")
        }
        for name in ["version", "head", "room", "view", "names"] {
            #expect(welcomes[0]?[name] != nil && welcomes.allSatisfy { $0?[name] == welcomes[0]?[name] }, "\(name)")
        }
    }

    @Test("nothing that is secret goes over a link")
    func keepsSecrets() {
        let table = SpreadTable()
        let seeds = table.home.storage.records(of: .room(table.code)).compactMap(\.event.sealed)
        #expect(!seeds.isEmpty)
        for message in table.cluster.messages {
            // As it is, and as JSON would say it.
            for seed in seeds {
                #expect(!message.bytes.contains(seed) && !message.bytes.contains(Array(seed.hex.utf8)))
            }
        }
    }

    @Test("what is refused is refused alike on each node", arguments: ["flip", "start", "bot", "nonsense"])
    func refuses(type: String) {
        let table = SpreadTable()
        let other = table.mover === table.annPage ? table.benPage : table.annPage
        var answers = [other, table.mover].map { table.ask($0, type, ["cell": .integer(77), "seat": .integer(5)]) }
        let atHome = table.home.join(table.code, table.ben)
        answers.append(table.ask(atHome, type, ["cell": .integer(77), "seat": .integer(5)]))
        #expect(answers.allSatisfy { $0?["type"] == "error" && $0?["code"] != nil })
        // Ben is told the same by both of his pages.
        #expect(answers[other === table.benPage ? 0 : 1]?["code"] == answers[2]?["code"])
    }

    @Test("each node tells who is there on all of them")
    func presence() {
        let table = SpreadTable(isDealt: false)
        table.cluster.pass(3_000)
        for page in table.pages {
            let presence = page.last("presence")
            #expect(presence?["players"] == .strings([table.ann.id, table.ben.id].sorted()))
            // Nobody has a seat yet.
            #expect(presence?["spectators"] == 3)
        }
        table.benPage.leave()
        table.cluster.pass(3_000)
        for page in [table.annPage, table.watcher] {
            #expect(page.last("presence")?["players"] == .strings([table.ann.id]))
            #expect(page.last("presence")?["spectators"] == 2)
        }
    }

    @Test("a line of chat comes to each once and in one order, and to who comes later")
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

    @Test("who goes on another node is missed at the home: another player is host then")
    func absence() {
        let table = SpreadTable()
        table.annPage.leave()
        table.cluster.pass(62_000)
        #expect(table.watcher.last("host-changed")?["player"] == .string(table.ben.id))
        #expect(table.benPage.last("host-changed")?["player"] == .string(table.ben.id))
    }

    @Test("a home stays awake for members of other nodes, and sleeps when they have gone")
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

    @Test("where a link was lost and the log cannot be read, members wait, and then go on")
    func cannotRead() throws {
        let table = SpreadTable()
        let node = table.cluster.nodes(of: table.code)[1]
        for _ in 0..<3 { node.log.putIn(.unreadable(.cannotRead(reason: "a test"))) }
        let room = try #require(node.shard.rooms[table.code])
        room.linkIsBack(to: try #require(room.remote?.node))
        table.ask(table.mover, "flip", ["cell": 0])
        table.cluster.pass(6_000)
        table.playOut()
        table.expectSame(table.pages)
    }

    @Test("who comes again on another node resumes there", arguments: [0, 1, 2])
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
        for page in pages { #expect(page.last("presence")?["players"] == .strings([table.ben.id])) }
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
}
