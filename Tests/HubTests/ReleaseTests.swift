import EventStore
import Games
import JSON
import Testing

@testable import Cluster
@testable import Hub
@testable import RoomRules

@Suite("Several nodes: two releases") struct ReleaseTests {
    private func note(_ reads: [String]) -> NodeNote {
        var note = NodeNote(node: NodeName("b"), address: "", now: 0, wall: 0)
        note.reads = reads
        return note
    }

    @Test("a lease tells what its node cannot read, until the node is gone")
    func watch() {
        var watch = ReleaseWatch()
        let own = ["turn", "seat-taken", "resigned"]
        let (old, same) = (note(["turn", "other"]), note(own))
        let rounds: [(notes: [(String, NodeNote)], runs: [String], hasChanged: Bool, unreadable: Set<String>)] = [
            ([("1", same)], ["1"], false, []),
            ([("1", same), ("2", old)], ["1", "2"], true, ["seat-taken", "resigned"]),
            // It is unreachable at the moment.
            ([("1", same)], ["1", "2"], false, ["seat-taken", "resigned"]),
            ([("1", same), ("2", old)], ["1"], true, []),
        ]
        for round in rounds {
            #expect(watch.look(at: round.notes, for: round.runs, own: own) == round.hasChanged)
            #expect(watch.unreadable == round.unreadable)
        }
    }

    @Test("a node that has left delays nothing, even before the next look at leases")
    func atOnce() {
        let scene = KeeperScene(others: ["b"])
        for _ in 0..<3 {
            scene.renew("b")
            scene.pass(1_000)
        }
        #expect(scene.host.told == ["joined"])
        #expect(scene.hub.shard.surroundings.unreadable == Set(scene.hub.games.eventTypes))
        scene.record(.left(run: "b", at: scene.hub.now))
        #expect(scene.hub.shard.surroundings.unreadable.isEmpty)
    }

    @Test("a node that has started at the same moment is asked at once what it reads")
    func unannounced() {
        let scene = KeeperScene()
        scene.pass(1_000)
        scene.renew("b")
        scene.record(.joined(NodeRun(node: NodeName("b"), run: "b", address: "http://b"), at: scene.hub.now))
        // By themselves, leases are looked at once a second.
        scene.pass(100)
        #expect(scene.hub.shard.surroundings.unreadable == Set(scene.hub.games.eventTypes))
    }

    @Test("a note says what its node reads, and one without that reads nothing")
    func notes() throws {
        #expect(try #require(NodeNote(note(["a", "b"]).bytes)).reads == ["a", "b"])
        let old = Array(#"{"node":"b","address":"","now":0,"wall":0,"settled":0,"joining":false,"links":0}"#.utf8)
        #expect(try #require(NodeNote(old)).reads.isEmpty)
    }

    @Test("a release cannot read what it did not have")
    func leftOut() throws {
        let table = Table()
        table.annPage.command("mute", ["player": .string(table.ben.id)])
        let records = table.hub.storage.records(of: .room(table.code))
        let muted = try #require(records.last)
        let older = try GameCatalog(GameList.all, leavingOut: [muted.event.type])
        var state = RoomState(code: table.code, games: older)
        for record in records.dropLast() { try state.apply(record) }
        let before = state.end
        #expect(throws: RoomState.FoldError.unreadable(version: muted.version, type: "player-muted")) {
            try state.apply(muted)
        }
        #expect(state.end == before && state.muted.isEmpty)
    }

    @Test("a command whose events another node cannot read is refused until that node has left")
    func refused() {
        let table = SpreadTable()
        let home = table.home.shard!
        home.handle(.othersCannotRead(["player-left"]))
        for page in [table.annPage, table.benPage] {
            let refusal = table.ask(page, "leave")
            #expect(refusal?["code"] == "older-node")
            #expect(refusal?["event"] == "player-left")
        }
        // Everything else works.
        #expect(table.ask(table.mover, "flip", ["cell": 0])?["type"] == "ok")
        home.handle(.othersCannotRead([]))
        #expect(table.ask(table.benPage, "leave")?["type"] == "ok")
    }

    @Test("a room's own events wait until all nodes can read them")
    func waits() throws {
        let table = SpreadTable()
        let turn = try #require(table.home.room(table.code).deadline) - table.home.now
        table.home.shard.handle(.othersCannotRead(["turn-expired"]))
        table.cluster.pass(turn + 10_000)
        #expect(table.annPage.last("turn-expired") == nil)
        // It comes before what others ask for.
        #expect(table.ask(table.annPage, "leave")?["code"] == "older-node")
        table.home.shard.handle(.othersCannotRead([]))
        table.cluster.pass(0)
        table.home.settle()
        #expect(table.annPage.last("turn-expired") != nil)
        table.playOut()
        table.expectSame(table.pages)
    }

    @Test("an unnamable new host delays nothing else")
    func hostGone() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 100])
        table.hub.witness.isOn = false
        table.hub.shard.rooms.othersCannotRead(["host-changed"])
        table.annPage.leave()
        table.hub.pass(Attendance.absence + 1_000)
        // A player who is back has said so before the turn is over.
        for _ in 0..<4 {
            #expect(table.benPage.command("here")?["type"] == "ok")
            table.hub.pass(100_000)
        }
        #expect(table.state.host == table.ann.id)
        #expect(table.benPage.events.count { $0["type"] == "turn-expired" } >= 3)
        table.hub.shard.rooms.othersCannotRead([])
        table.hub.pass(1_000)
        #expect(table.state.host == table.ben.id)
    }

    @Test("no room is opened for a game that another node does not have")
    func opening() {
        let hub = ScriptedHub()
        hub.witness.isOn = false
        let ann = hub.player("Ann")
        let types = hub.games.game(named: "memory")?.eventTypes ?? []
        hub.shard.rooms.othersCannotRead(Set(types))
        let body: Fields = ["game": "memory", "options": .object([:])]
        #expect(hub.request("POST", "/api/rooms", token: ann.token, body: body).fields["code"] == "older-node")
        hub.shard.rooms.othersCannotRead([])
        #expect(hub.request("POST", "/api/rooms", token: ann.token, body: body).status == 201)
    }
}
