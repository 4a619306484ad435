import Cryptography
import EventStore
import Games
import Testing

@testable import Hub

/// Who finds it first that the log has gone back.
private enum Finder: CaseIterable { case all, home, edges }

/// How the log ends by the time that somebody looks.
private enum Fork: Int, CaseIterable, CustomStringConvertible {
    case shorter, otherwise, longer

    var description: String {
        switch self {
        case .shorter: "shorter"
        case .otherwise: "as long, by another record"
        case .longer: "longer, by other records"
        }
    }
}

/// A room with members on three nodes of four, whose newest flip is lost after all have seen it.
private struct LosingSpread {
    let table: SpreadTable
    private let replica: InMemoryStorage
    private let seen: [Int]
    /// Where the log has gone back to.
    let version: Int
    var cluster: ScriptedCluster { table.cluster }
    var nodes: [ScriptedHub] { cluster.nodes(of: table.code) }
    private var stream: StreamName { .room(table.code) }

    init() throws {
        table = SpreadTable(in: ScriptedCluster(count: 4, serving: 4))
        replica = InMemoryStorage(copying: table.home.storage)
        version = table.home.room(table.code).version
        #expect(table.ask(table.mover, "flip", ["cell": 0])?["type"] == "ok")
        seen = table.pages.map(\.messages.count)
        for page in table.pages { #expect(page.versions.last == table.home.room(table.code).version) }
    }

    /// The database fails over. Those who find it first come to the other one some seconds ahead of the rest.
    /// `meanwhile`: called when they have.
    func failOver(foundBy finder: Finder, meanwhile: () -> Void = {}) {
        table.home.storage.failOver(to: replica)
        let first =
            switch finder {
            case .all: nodes
            case .home: [nodes[0]]
            case .edges: Array(nodes[1...])
            }
        for group in [first, nodes] {
            for node in group { node.log.poll() }
            for node in group { node.settle() }
            for node in group { node.log.reconnect() }
            for node in group { node.settle() }
            cluster.pass(10_000)
            if group.count < nodes.count { meanwhile() }
        }
    }

    /// The flip is not there any more, and others have sat down, of which no node has heard.
    func cutBack(_ fork: Fork) {
        table.home.storage.cutBack(stream, to: version)
        let other = BlockingLog(InMemoryLog(storage: table.home.storage))
        for seat in 2..<2 + fork.rawValue {
            let event = EventCoding.encode(
                .own(SeatTaken(seated: SeatedPlayer(seat: Seat(seat), player: "somebody\(seat)"))),
                version: version + seat - 1, at: table.home.now, more: false)
            let commit = Commit(
                id: "other/\(seat)", appending: [event], to: stream, expecting: table.home.storage.end(of: stream))
            #expect(other.append(commit) == .appended(version: version + seat - 1))
        }
    }

    /// All have what the log has, were told once that it is another, and play on.
    func expectRight() throws {
        func state() throws -> RoomState {
            var state = RoomState(code: table.code, games: table.home.games)
            for record in table.home.storage.records(of: stream) { try state.apply(record) }
            return state
        }
        let folded = try state()
        for node in nodes.prefix(3) { #expect(node.room(table.code).end == folded.end) }
        // Whose account could not be read meanwhile was told to come again.
        #expect(table.pages.count { $0.closed == nil } >= 2)
        for (page, seen) in zip(table.pages, seen) where page.closed != .tryAgainLater {
            #expect(page.closed == nil)
            let new = page.messages.dropFirst(seen)
            #expect(new.count { $0["diverged"] == true } == 1)
            let greeting = try #require(new.firstIndex { $0["diverged"] == true })
            let welcomed = try #require(new[greeting]["version"]?.integer)
            let behind = new[greeting...].compactMap { $0["t"] == nil ? nil : $0["v"]?.integer }
            #expect(behind == Array(welcomed..<folded.version).map { $0 + 1 })
        }
        let isAnns = table.mover === table.annPage
        let mover = table.mover.closed == nil ? table.mover : nodes[0].join(table.code, isAnns ? table.ann : table.ben)
        #expect(table.ask(mover, "flip", ["cell": 2])?["type"] == "ok")
        let end = try state().end
        for page in table.pages where page.closed == nil { #expect(page.versions.last == end.version) }
        for node in nodes.prefix(3) { #expect(node.room(table.code).end == end) }
    }
}

@Suite("Several nodes: a room whose log has gone back") struct GoneBackAcrossNodesTests {
    @Test("members of all nodes are told, whichever finds it first", arguments: Finder.allCases)
    private func failsOver(finder: Finder) throws {
        let losing = try LosingSpread()
        losing.failOver(foundBy: finder)
        try losing.expectRight()
    }

    @Test("who is at a node that has not found it yet is there all the time")
    func staysThere() throws {
        let losing = try LosingSpread()
        let table = losing.table
        losing.failOver(foundBy: .home) {
            #expect(table.annPage.present.players == [table.ann.id, table.ben.id])
        }
        #expect(table.annPage.present.players == [table.ann.id, table.ben.id])
        try losing.expectRight()
    }

    @Test("edges hear of what the next command finds", arguments: Fork.allCases)
    private func commandFinds(fork: Fork) throws {
        let losing = try LosingSpread()
        losing.cutBack(fork)
        losing.table.ask(losing.table.mover, "flip", ["cell": 1])
        losing.cluster.pass(10_000)
        try losing.expectRight()
    }

    @Test("a home hears from who comes to another node that it has read what is lost", arguments: Fork.allCases)
    private func edgeTells(fork: Fork) throws {
        let losing = try LosingSpread()
        losing.cutBack(fork)
        let page = losing.nodes[3].join(losing.table.code)
        losing.cluster.pass(5_000)
        #expect(page.messages.contains { $0["type"] == "welcome" })
        try losing.expectRight()
    }

    @Test("an edge that has read what is lost hears so from a home that has not", arguments: Fork.allCases)
    private func homeTells(fork: Fork) throws {
        let losing = try LosingSpread()
        let (cluster, home, edge) = (losing.cluster, losing.nodes[0], losing.nodes[1])
        let room = try #require(edge.shard.rooms[losing.table.code])
        // It has read all that there was and asks the home; meanwhile that begins anew.
        cluster.isSlow = true
        room.linkIsBack(to: try #require(room.remote?.node))
        edge.settle()
        losing.cutBack(fork)
        home.shard.rooms[losing.table.code]?.streamHasGoneBack()
        home.settle()
        cluster.isSlow = false
        edge.settle()
        cluster.pass(3_000)
        try losing.expectRight()
    }

    @Test("an edge that is not heard may let go in a session that was refused, and while its home begins anew")
    func letsGo() throws {
        let table = SpreadTable()
        let room = try #require(table.home.shard.rooms[table.code])
        let node = try #require(room.home?.outposts.nodes.first)
        room.receive(.detach, in: NodeSession(7), from: node)
        #expect(room.home?.outposts[node] != nil)
        table.cluster.cutLinks(since: table.home.now)
        room.expected = try #require(room.home?.outposts)
        room.receive(.detach, in: NodeSession(7), from: node)
        #expect(room.home?.outposts[node] == nil)
        #expect(room.expected[node] == nil)
    }

    @Test("who has let go again before a home has read the room is not there")
    func letsGoEarly() throws {
        let table = SpreadTable()
        let room = try #require(table.home.shard.rooms[table.code])
        let audience = Audience(connections: 1, players: [], nameless: 1)
        room.stream.life = .loading
        room.receive(
            .attach(Attachment(audience: audience, said: [], end: room.stream.readEnd, since: nil)),
            in: NodeSession(7), from: NodeName("node-9"))
        #expect(!room.visitors.isEmpty)
        room.receive(.detach, in: NodeSession(7), from: NodeName("node-9"))
        #expect(room.visitors.isEmpty)
    }

    @Test("the next home judges anew what it has seen done, and the log has lost")
    func judgesAnew() throws {
        let table = SpreadTable()
        let (storage, stream) = (table.home.storage, StreamName.room(table.code))
        let before = storage.end(of: stream)
        table.cluster.loses = { if case .room(_, _, .answer) = $0 { true } else { false } }
        table.benPage.command("leave", id: "lost")
        #expect(table.benPage.versions.last == before.version + 1)
        table.cluster.loses = { _ in false }
        // The database fails over in the moment in which the home dies.
        storage.cutBack(stream, to: before.version)
        table.cluster.kill(table.home)
        let greeting = try #require(table.benPage.messages.lastIndex { $0["diverged"] == true })
        let answers = table.benPage.messages.indices.filter { table.benPage.messages[$0]["id"] == "lost" }
        #expect(answers.count == 1)
        #expect(answers.allSatisfy { $0 > greeting })
        let version = answers.first.flatMap { table.benPage.messages[$0]["v"]?.integer }
        #expect(storage.records(of: stream).last?.event.type == "player-left")
        #expect(version == storage.end(of: stream).version)
    }

    @Test("what was answered ahead of events that the log loses is asked for once more")
    func asksAnew() throws {
        let table = SpreadTable()
        let (storage, stream) = (table.home.storage, StreamName.room(table.code))
        let before = storage.end(of: stream)
        table.cluster.loses = { if case .room(_, _, .events) = $0 { true } else { false } }
        table.benPage.command("leave", id: "early")
        #expect(storage.end(of: stream).version > before.version)
        #expect(table.benPage.versions.last == before.version)
        table.cluster.loses = { _ in false }
        storage.cutBack(stream, to: before.version)
        for node in table.cluster.nodes { node.shard.rooms[table.code]?.streamHasGoneBack() }
        table.cluster.pass(3_000)
        let answers = table.benPage.messages.filter { $0["id"] == "early" }
        let left = try #require(storage.records(of: stream).last { $0.event.type == "player-left" })
        #expect(answers.count == 1 && answers.first?["v"]?.integer == left.version)
    }

    @Test("what does not follow on what was read is not folded", arguments: [false, true])
    func broken(isNew: Bool) throws {
        let table = SpreadTable()
        let node = table.cluster.nodes(of: table.code)[1]
        let sessions = table.cluster.messages.compactMap { message -> NodeSession? in
            if case .room(table.code, let session, .attach) = message { session } else { nil }
        }
        let room = node.room(table.code)
        let home = try #require(node.shard.rooms[table.code]?.remote?.node)
        let event = EventCoding.encode(
            .own(SeatTaken(seated: SeatedPlayer(seat: Seat(2), player: "somebody"))), version: room.version + 1,
            at: table.home.now, more: false)
        let record = LinkedEvent(
            version: room.version + 1, time: event.time, type: event.type, commit: "other/1", shown: event.shown,
            hash: SHA256.digest(of: "another"))
        for session in sessions {
            let message = RoomMessage.events([record], behind: isNew ? SHA256.digest(of: "other") : room.head)
            node.shard.rooms[table.code]?.receive(message, in: session, from: home)
            node.settle()
        }
        #expect((node.room(table.code).version == room.version) == isNew)
        table.cluster.pass(5_000)
        #expect(table.ask(table.mover, "flip", ["cell": 0])?["type"] == "ok")
        let end = table.home.storage.end(of: .room(table.code))
        for page in table.pages { #expect(page.versions.last == end.version) }
        for node in table.cluster.nodes { #expect(node.room(table.code).end == end) }
    }
}
