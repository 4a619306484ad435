import Cryptography
import EventStore
import Games
import Testing

@testable import Hub

/// A room in which games were played, ended, begun again and left, with all that its snapshots must know of it.
private struct LongTable {
    let table: Table
    var hub: ScriptedHub { table.hub }
    var stream: StreamName { .room(table.code) }
    var records: [Record] { hub.storage.records(of: stream) }

    /// - Parameter distance: how far snapshots lie apart.
    init(_ distance: Int = 1) throws {
        var limits = HubLimits()
        limits.snapshotDistance = distance
        table = Table(limits: limits)
        let (ann, ben) = (table.annPage, table.benPage)
        for round in 0..<2 {
            table.playOut()
            ann.command("sit", ["commitment": .string(SHA256.digest(of: "nonce \(round)").hex)])
            table.playAgain()
            table.hub.pass(11_000)
        }
        ann.command("propose", ["what": "restart"])
        ben.answer(false)
        ann.command("bot", ["seat": 2])
        ann.command("mute", ["player": .string(table.ben.id)])
        ann.command("propose", ["what": "restart"])
        table.hub.pass(61_000)
        ann.command("propose", ["what": "restart"])
        ben.answer(true)
        table.hub.pass(11_000)
        try #require(table.state.gameNumber == 4 && table.state.phase == .running)
    }

    /// What is kept of the room.
    func kept() -> SnapshotRow? {
        var found: [SnapshotRow] = []
        hub.shard.surroundings.readModels.find(.snapshot(ofRoom: table.code)) { found = (try? $0.get()) ?? [] }
        hub.settle()
        return found.first
    }

    /// The hub is started again; how many records it reads of the room as the first one comes back, and what that one
    /// is welcomed with.
    func wake() -> (read: Int, welcome: Fields?) {
        hub.crash(downtime: 1_000)
        let before = hub.counters.events.value
        let page = hub.join(table.code, table.ann)
        return (hub.counters.events.value - before, page.last("welcome"))
    }
}

@Suite("Snapshots of rooms") struct SnapshotTests {
    @Test("what is folded from a snapshot is what is folded from the first event")
    func sameFold() throws {
        let long = try LongTable()
        let row = try #require(long.kept())
        let games = try #require(long.hub.games)
        let snapshot = try #require(RoomSnapshot(row.bytes, of: long.table.code, at: row.end, games: games))
        var (whole, short) = (RoomState(code: long.table.code, games: games), snapshot.state)
        var answered = AnsweredCommands()
        answered.note(long.records)
        for record in long.records {
            if record.version == row.end.version + 1 {
                let kept = try #require(RoomSnapshot(whole, answered: answered))
                #expect(whole.end == row.end && kept.bytes == row.bytes)
                #expect(record.event.type == "game-ended")
            }
            try whole.apply(record)
            if record.version > row.end.version { try short.apply(record) }
        }
        #expect(short.roomView == whole.roomView && short.gameView == whole.gameView)
        #expect(short.summary == whole.summary && short.row(lead: 0) == whole.row(lead: 0))
        #expect(short.seed == whole.seed && short.seed?.bytes != nil && short.usedAt == whole.usedAt)
        #expect(short.extendedUntil == whole.extendedUntil && short.proposalPauses == whole.proposalPauses)
        #expect(short.deck == whole.deck && short.seating.players == whole.seating.players)
    }

    @Test("a room that wakes reads what is behind its snapshot alone, and is what it was")
    func wakes() throws {
        let long = try LongTable()
        let row = try #require(long.kept())
        let before = long.table.state
        let (read, welcome) = long.wake()
        #expect(read <= long.records.count - row.end.version + 3)
        #expect(welcome?["room"]?.object?["muted"] == before.roomView["muted"])
        #expect(long.table.state.gameNumber == 4 && long.table.state.deck == before.deck)
        #expect(long.table.state.seating.players == before.seating.players)
    }

    @Test("a command that was done ahead of the snapshot is not done again")
    func commands() throws {
        let long = try LongTable()
        let done = try #require(long.records.first { $0.event.type == "seat-taken" })
        let row = try #require(long.kept())
        #expect(done.version < row.end.version)
        _ = long.wake()
        let page = long.hub.join(long.table.code, long.table.ann)
        let id = String(done.commit.text.drop { $0 != "/" }.dropFirst())
        page.command("sit", id: id)
        #expect(page.messages.last { $0["id"] == .string(id) }?["v"]?.integer == done.version)
    }

    @Test("what came ahead of it is still there for whoever resumes")
    func resumes() throws {
        let long = try LongTable()
        _ = long.wake()
        let seen = long.records[4]
        let page = long.hub.join(long.table.code, long.table.ann, after: seen.version, head: seen.hash.hex)
        #expect(page.versions == Array(6...long.records.count))
    }

    @Test("none is kept before so many events lie behind the one before, and one is then", arguments: [0, 1])
    func distance(missing: Int) throws {
        let first = try #require(try LongTable().records.last { $0.event.type == "game-ended" }?.version)
        let long = try LongTable(first - 1 + missing)
        #expect((long.kept() != nil) == (missing == 0))
    }

    enum Damage: CaseIterable {
        /// The log was carried over from a backup, and ends ahead of the snapshot,
        case logEndsBefore
        /// or behind the end of its game, and no other has begun,
        case logEndsBetween
        /// or holds something else there.
        case logIsAnother
        case noJSON, noGame, noSeats, unknownGame
    }

    @Test(
        "one that the log does not bear out, or nobody can read, is as if it were not there", arguments: Damage.allCases
    )
    func damaged(_ damage: Damage) throws {
        let long = try LongTable()
        let row = try #require(long.kept())
        long.hub.witness.isOn = false
        var (end, bytes) = (row.end, row.bytes)
        switch damage {
        case .logEndsBefore: long.hub.storage.cutBack(long.stream, to: end.version - 1)
        case .logEndsBetween: long.hub.storage.cutBack(long.stream, to: end.version + 1)
        case .logIsAnother: end = StreamEnd(version: end.version, head: SHA256.digest(of: "another"))
        case .noJSON: bytes.removeLast()
        case .noGame: bytes = try changed(bytes) { $0["start"] = nil }
        case .noSeats: bytes = try changed(bytes) { $0["seating"] = 3 }
        case .unknownGame: bytes = try changed(bytes) { $0["game"] = "chess" }
        }
        long.hub.write([SnapshotRow(code: row.code, end: end, bytes: bytes).change])
        #expect(long.kept()?.bytes == bytes)
        let (read, welcome) = long.wake()
        #expect(read >= long.records.count - 1 && welcome != nil)
        var whole = RoomState(code: row.code, games: long.hub.games)
        for record in long.records { try whole.apply(record) }
        #expect(long.table.state.end == whole.end && long.table.state.gameView == whole.gameView)
    }

    private func changed(_ bytes: [UInt8], _ change: (inout Fields) -> Void) throws -> [UInt8] {
        var fields = try #require(try JSONReader.read(bytes).object)
        change(&fields)
        return JSONWriter.bytes(fields)
    }

    @Test("it says nothing that is secret")
    func secrets() throws {
        let long = try LongTable()
        let text = String(decoding: try #require(long.kept()).bytes, as: UTF8.self)
        let opened = long.records.prefix { $0.version <= long.kept()?.end.version ?? 0 }.compactMap(\.event.sealed)
        let sealed = long.records.compactMap(\.event.sealed)
        #expect(sealed.count == 4 && opened.count == 3)
        for seed in sealed { #expect(!text.contains(seed.hex)) }
    }

    @Test("a node that takes over a room, or comes to have members of it, begins with it, without what is sealed")
    func otherNodes() throws {
        var limits = HubLimits()
        limits.snapshotDistance = 1
        let table = SpreadTable(in: ScriptedCluster(count: 4, serving: 4, limits: limits))
        for _ in 0..<2 {
            table.playOut()
            table.ask(table.annPage, "propose", ["what": "rematch"])
            table.benPage.answer(true)
        }
        let records = table.home.storage.records(of: .room(table.code))
        let ended = try #require(records.last { $0.event.type == "game-ended" }?.version)
        let fourth = table.cluster.nodes(of: table.code)[3]
        let before = fourth.counters.events.value
        let page = fourth.join(table.code)
        #expect(fourth.counters.events.value - before <= records.count - ended + 2)
        #expect(fourth.shard.rooms[table.code]?.state.seed?.bytes == nil)
        #expect(page.last("welcome")?["version"]?.integer == records.count)
        let deck = table.home.room(table.code).deck
        for node in table.cluster.nodes(of: table.code).prefix(3) { table.cluster.kill(node) }
        #expect(fourth.room(table.code).deck == deck)
    }
}
