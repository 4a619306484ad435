import EventStore
import Games
import Records
import Testing

@testable import Hub
@testable import RoomRules

/// Which nodes find first that the log has gone back.
private enum Finder: CaseIterable { case all, home, others }

/// How the log ends when someone looks.
private enum Fork: Int, CaseIterable {
    /// By as many other records as the case's number.
    case shorter, asLong, longer
}

/// A room with members on three nodes of four, whose newest flip is lost after all have seen it.
private struct LosingSpread {
    let table: SpreadTable
    private let replica: InMemoryStorage
    private let seen: [Int]
    /// The version to which the log has gone back.
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

    /// The database fails over. The first finders reach the new one some seconds ahead of the rest. `meanwhile` is
    /// called at that point.
    func failOver(foundBy finder: Finder, meanwhile: () -> Void = {}) {
        table.home.storage.failOver(to: replica)
        let first =
            switch finder {
            case .all: nodes
            case .home: [nodes[0]]
            case .others: Array(nodes[1...])
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

    /// The flip is gone, and others have sat down without any node knowing.
    func cutBack(_ fork: Fork) {
        table.home.storage.cutBack(stream, to: version)
        table.home.seatOthers(on: 2..<2 + fork.rawValue, in: table.code)
    }

    /// All have the log's state, were told once that it differs, and play on.
    func expectRight() throws {
        func state() throws -> RoomState {
            var state = RoomState(code: table.code, games: table.home.games)
            for record in table.home.storage.records(of: stream) { try state.apply(record) }
            return state
        }
        let folded = try state()
        #expect(nodes[0].room(table.code).end == folded.end)
        // A client whose account could not be read in between was told to come again.
        #expect(table.watcher.closed == nil)
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
        #expect(nodes[0].room(table.code).end == end)
    }
}

@Suite("Several nodes: a room whose log has gone back") struct GoneBackAcrossNodesTests {
    @Test("members on all nodes are told, whichever node finds it first", arguments: Finder.allCases)
    private func failsOver(finder: Finder) throws {
        let losing = try LosingSpread()
        losing.failOver(foundBy: finder)
        try losing.expectRight()
    }

    @Test("members at a node that has not found it yet stay present")
    func staysThere() throws {
        let losing = try LosingSpread()
        let table = losing.table
        losing.failOver(foundBy: .home) {
            #expect(table.annPage.present.players == [table.ann.id, table.ben.id])
        }
        #expect(table.annPage.present.players == [table.ann.id, table.ben.id])
        try losing.expectRight()
    }

    @Test("members on all nodes are told when the next command finds it", arguments: Fork.allCases)
    private func commandFinds(fork: Fork) throws {
        let losing = try LosingSpread()
        losing.cutBack(fork)
        losing.table.ask(losing.table.mover, "flip", ["cell": 1])
        losing.cluster.pass(10_000)
        try losing.expectRight()
    }

    @Test("the next home judges again the commands that the log has lost")
    func judgesAnew() throws {
        var table = SpreadTable()
        let (storage, stream) = (table.home.storage, StreamName.room(table.code))
        let before = storage.end(of: stream)
        table.cluster.loses = { if case .relay(_, .answer) = $0 { true } else { false } }
        table.benPage.command("leave", id: "lost")
        #expect(table.benPage.versions.last == before.version + 1)
        table.cluster.loses = { _ in false }
        // The database fails over at the moment when the home dies.
        storage.cutBack(stream, to: before.version)
        table.cluster.kill(table.home)
        #expect(table.benPage.closed == .serviceRestart)
        table.comeBack()
        #expect(table.benPage.messages.first { $0["type"] != "presence" }?["diverged"] == true)
        // Clients repeat what was not answered.
        table.benPage.command("leave", id: "lost")
        let answers = table.benPage.messages.filter { $0["id"] == "lost" }
        #expect(answers.count == 1 && answers.first?["v"]?.integer == storage.end(of: stream).version)
        #expect(storage.records(of: stream).last?.event.type == "player-left")
    }
}
