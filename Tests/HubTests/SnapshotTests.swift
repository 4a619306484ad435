import Cryptography
import EventStore
import Games
import JSON
import Records
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("Snapshots of rooms") struct SnapshotTests {
    @Test("a snapshot at any event reads back unchanged")
    func sameFacts() throws {
        let long = try LongTable()
        let games = try #require(long.hub.games)
        var (whole, answered) = (RoomState(code: long.table.code, games: games), AnsweredCommands())
        let unopened = facts(of: whole)
        var unsaid = Set(unopened.keys)
        var count = 0
        for record in long.records {
            try whole.apply(record)
            answered.rememberCommands(of: [record])
            guard let kept = RoomSnapshot(whole, answered: answered) else { continue }
            let read = try RoomSnapshot(kept.bytes, of: long.table.code, at: whole.end, games: games)
            let (before, after) = (facts(of: kept.state), facts(of: read.state))
            for name in before.keys { #expect(after[name] == before[name], "\(name) at \(record.version)") }
            #expect(read.state.end == whole.end && read.state.game == nil)
            #expect(read.state.time == whole.time && read.state.usedAt == whole.usedAt)
            let ids = [answered, read.answered].map { $0.newest(until: whole.version).map(\.commit.text) }
            #expect(ids[0] == ids[1] && read.bytes == kept.bytes)
            unsaid = unsaid.filter { before[$0] == unopened[$0] }
            count += 1
        }
        // All other facts have had a value besides the first one, so that the comparison means something.
        #expect(count > 30 && unsaid == ["code", "games", "seed", "proposal", "dealing", "lastEnd"])
    }

    /// The facts of a room from its events, by name: as text, since sets have no order.
    private func facts(of state: RoomState) -> [String: String] {
        Mirror(reflecting: state.facts).children.reduce(into: [:]) { $0[$1.label ?? ""] = text(of: $1.value) }
    }

    private func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children.map { "\($0.label ?? "") \(text(of: $0.value))" }
        guard !parts.isEmpty else { return "\(value)" }
        let isUnordered = mirror.displayStyle == .set || mirror.displayStyle == .dictionary
        return "(\((isUnordered ? parts.sorted() : parts).joined(separator: ", ")))"
    }

    @Test("folding from a snapshot gives the same as from the first event")
    func sameFold() throws {
        let long = try LongTable()
        let row = try #require(long.kept())
        let games = try #require(long.hub.games)
        let snapshot = try RoomSnapshot(row.bytes, of: long.table.code, at: row.end, games: games)
        var (whole, short) = (RoomState(code: long.table.code, games: games), snapshot.state)
        var answered = AnsweredCommands()
        answered.rememberCommands(of: long.records)
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
        #expect(short.summary == whole.summary && RoomRow(short, lead: 0) == RoomRow(whole, lead: 0))
        #expect(facts(of: short) == facts(of: whole))
        #expect(short.seed?.bytes != nil && short.deck == whole.deck && short.usedAt == whole.usedAt)
    }

    @Test("a room that wakes only reads what follows its snapshot, and is unchanged")
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

    @Test("a command that was done before the snapshot is not done again")
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

    @Test("events before the snapshot are still there for members who resume")
    func resumes() throws {
        let long = try LongTable()
        _ = long.wake()
        let seen = long.records[4]
        let page = long.hub.join(long.table.code, long.table.ann, after: seen.version, head: seen.hash.hex)
        #expect(page.versions == Array(6...long.records.count))
    }

    @Test("a snapshot is written only after a number of events since the last one", arguments: [0, 1])
    func distance(missing: Int) throws {
        let first = try #require(try LongTable().records.last { $0.event.type == "game-ended" }?.version)
        let long = try LongTable(first - 1 + missing)
        #expect((long.kept() != nil) == (missing == 0))
    }

    enum Damage: CaseIterable {
        /// The log was copied from a backup, and ends before the snapshot,
        case logEndsBefore
        /// or after the end of its game without another having begun,
        case logEndsBetween
        /// or right there, and its game went on,
        case logGoesOn
        /// or holds something else there.
        case logIsAnother
        case noJSON, noGame, noSeats, unknownGame
        /// A later release has stored a fact of the room, or of its players, that this one does not know.
        case newFact, newFactInside
    }

    @Test(
        "a snapshot that does not match the log, or cannot be read, is ignored", arguments: Damage.allCases
    )
    func damaged(_ damage: Damage) throws {
        let long = try LongTable()
        let row = try #require(long.kept())
        long.hub.witness.isOn = false
        var (end, bytes) = (row.end, row.bytes)
        switch damage {
        case .logEndsBefore: long.hub.storage.cutBack(long.stream, to: end.version - 1)
        case .logEndsBetween: long.hub.storage.cutBack(long.stream, to: end.version + 1)
        case .logGoesOn: try long.goOn(from: end.version)
        case .logIsAnother: end = StreamEnd(version: end.version, head: SHA256.digest(of: "another"))
        case .noJSON: bytes.removeLast()
        case .noGame: bytes = try changed(bytes) { $0["start"] = nil }
        case .noSeats: bytes = try changed(bytes) { $0["seating"] = 3 }
        case .unknownGame: bytes = try changed(bytes) { $0["game"] = "chess" }
        case .newFact: bytes = try changed(bytes) { $0["rating"] = 1 }
        case .newFactInside:
            bytes = try changed(bytes) { fields in
                var seats = fields["seating"]?.list?.compactMap(\.object) ?? []
                seats[0]["rating"] = 1
                fields["seating"] = .list(seats.map { .object($0) })
            }
        }
        long.hub.write([SnapshotRow(code: row.code, end: end, bytes: bytes).change])
        #expect(long.kept()?.bytes == bytes)
        let (read, welcome) = long.wake()
        #expect(read >= long.records.count - 1 && welcome != nil)
        var whole = RoomState(code: row.code, games: long.hub.games)
        for record in long.records { try whole.apply(record) }
        #expect(long.table.state.end == whole.end && long.table.state.gameView == whole.gameView)
        let warnings = long.hub.logged.of(.warning).count { $0.contains("snapshot") }
        switch damage {
        // In these cases the snapshot is not at fault.
        case .unknownGame, .logEndsBefore: #expect(warnings == 0)
        case .logIsAnother: break
        default: #expect(warnings == 1)
        }
    }

    @Test("a room whose log is damaged does not open, with a snapshot or without")
    func damagedLog() throws {
        let long = try LongTable()
        let end = try #require(long.kept()).end
        long.hub.witness.isOn = false
        try long.goOn(from: end.version, times: 2)
        #expect(long.wake().welcome == nil)
        #expect(long.hub.logged.of(.error).count { $0.contains("room does not open") } == 1)
    }

    @Test("the next home also reads all of a room if its log does not continue from a snapshot")
    func doesNotGoOnElsewhere() throws {
        var table = SpreadTable(in: ScriptedCluster(count: 4, serving: 4))
        table.playOut()
        table.ask(table.annPage, "propose", ["what": "rematch"])
        table.benPage.answer(true)
        let records = table.home.storage.records(of: .room(table.code))
        let flip = try #require(records.last { $0.event.type == "show-card" }?.version)
        var whole = RoomState(code: table.code, games: table.home.games)
        for record in records.prefix(flip - 1) { try whole.apply(record) }
        let snapshot = try #require(RoomSnapshot(whole, answered: AnsweredCommands()))
        table.home.write([SnapshotRow(snapshot).change])
        table.cluster.kill(table.home)
        table.comeBack()
        let next = table.cluster.home(of: table.code)
        let page = next.join(table.code)
        #expect(page.last("welcome")?["version"]?.integer == records.count)
        #expect(next.room(table.code).gameView == table.home.room(table.code).gameView)
        for page in table.pages { #expect(page.closed == nil && page.seen == records.count) }
    }

    private func changed(_ bytes: [UInt8], _ change: (inout Fields) -> Void) throws -> [UInt8] {
        var fields = try #require(try JSONReader.read(bytes).object)
        change(&fields)
        return JSONWriter.bytes(fields)
    }

    @Test("it has no secrets")
    func secrets() throws {
        let long = try LongTable()
        let text = String(decoding: try #require(long.kept()).bytes, as: UTF8.self)
        let opened = long.records.prefix { $0.version <= long.kept()?.end.version ?? 0 }.compactMap(\.event.sealed)
        let sealed = long.records.compactMap(\.event.sealed)
        #expect(sealed.count == 4 && opened.count == 3)
        for seed in sealed { #expect(!text.contains(seed.hex)) }
    }

    @Test("a node that takes over a room starts from it, and can open what is sealed") func otherNodes() throws {
        let table = SpreadTable(
            in: ScriptedCluster(count: 4, serving: 4, limits: .with { $0.snapshotDistance = 1 }))
        for _ in 0..<2 {
            table.playOut()
            table.ask(table.annPage, "propose", ["what": "rematch"])
            table.benPage.answer(true)
        }
        let records = table.home.storage.records(of: .room(table.code))
        let ended = try #require(records.last { $0.event.type == "game-ended" }?.version)
        let deck = table.home.room(table.code).deck
        for node in table.cluster.nodes(of: table.code).prefix(3) { table.cluster.kill(node) }
        let fourth = table.cluster.home(of: table.code)
        let before = fourth.counters.events.value
        let page = fourth.join(table.code)
        #expect(fourth.counters.events.value - before <= records.count - ended + 2)
        #expect(page.last("welcome")?["version"]?.integer == records.count)
        #expect(fourth.room(table.code).deck == deck)
    }
}
