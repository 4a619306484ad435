import Cryptography
import EventStore
import Games
import Records
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("Reading sleeping rooms") struct RoomReaderTests {
    private let hub = ScriptedHub(limits: .forManyCommands)
    private let ann: ScriptedPlayer
    /// A reader that has read nothing yet.
    private let reader: RoomReader

    init() {
        ann = hub.player("Ann")
        reader = RoomReader(hub.shard.surroundings)
    }

    private var readCount: Int { hub.counters.eventsRead.value }

    /// A sleeping room, with so many records.
    private func sleeping(records count: Int = 4) -> String {
        let code = hub.open(ann)
        let page = hub.join(code, ann)
        for number in 1..<count {
            page.command("visibility", ["visibility": number % 2 == 0 ? "public" : "unlisted"])
        }
        page.leave()
        hub.pass(120_000)
        #expect(hub.shard.rooms[code] == nil && hub.storage.records(of: .room(code)).count == count)
        return code
    }

    /// Another writer records that a player sits.
    private func write(to code: String, seat: Int = 1, at time: Milliseconds? = nil) {
        hub.witness.isOn = false
        hub.seatOthers(on: [seat], in: code, at: time)
    }

    private func row(of code: String) -> RoomRow? {
        var row: RoomRow?
        hub.shard.calls.ask(.row, about: code) { if case .row(let answer) = $0 { row = answer } }
        hub.settle()
        return row
    }

    private func get(_ code: String) -> ScriptedResponse { hub.request("GET", "/api/rooms/\(code)") }

    @Test("a sleeping room is described as it describes itself awake")
    func sameAnswers() {
        let code = sleeping()
        let (row, description) = (self.row(of: code), get(code).fields)
        #expect(description["names"]?.object?[ann.id] == "Ann" && description["hostName"] == "Ann")
        #expect(hub.shard.rooms[code] == nil)
        _ = hub.join(code)
        hub.pass(1_000)
        #expect(row != nil && row == hub.shard.rooms[code]?.row)
        #expect(get(code).fields == description.merging(["spectators": 1]))
    }

    @Test("its row has its deadline in hub time, even if its events are from a clock that was ahead")
    func lead() throws {
        let code = sleeping()
        write(to: code, at: hub.now + 3_600_000)
        let row = try #require(self.row(of: code))
        #expect(row.deadline == hub.now + RoomState.expiry)
        _ = hub.join(code)
        #expect(row == hub.shard.rooms[code]?.row)
    }

    @Test("only new records of a known room are read, and one that has gone back is read again")
    func keeps() {
        let code = sleeping()
        #expect(row(of: code)?.version == 4)
        var before = readCount
        #expect(row(of: code)?.version == 4 && readCount == before)
        write(to: code)
        #expect(row(of: code)?.version == 5 && readCount == before + 1)
        before = readCount
        for version in [4, 3] {
            hub.storage.cutBack(.room(code), to: version)
            #expect(row(of: code)?.version == version)
        }
        write(to: code, seat: 3)
        write(to: code, seat: 4)
        #expect(row(of: code)?.version == 5 && readCount == before + 4 + 3 + 2)
        hub.storage.cutBack(.room(code), to: 0)
        #expect(row(of: code) == nil && get(code).status == 404)
    }

    @Test("simultaneous requests share a read, and each gets all that was in the log when it asked")
    func shares() {
        let code = sleeping()
        var versions: [Int] = []
        func ask() { reader.read(code) { if case .room(let state) = $0 { versions.append(state.version) } } }
        hub.log.pace = .stepped
        ask()
        ask()
        // The snapshot is looked for.
        hub.step()
        #expect(hub.log.waiting == 1)
        let before = readCount
        hub.log.step()
        write(to: code)
        ask()
        hub.settle()
        #expect(versions == [4, 4, 5] && readCount == before + 4 + 1)
    }

    @Test("a limited number of rooms is read at a time, and the others in turn")
    func readingLimit() {
        let code = sleeping()
        hub.log.pace = .stepped
        let codes = (0..<RoomReader.readingLimit).map { "wrong\($0)" } + [code]
        let answers = codes.map { hub.request("GET", "/api/rooms/\($0)", settling: false) }
        hub.step()
        #expect(hub.log.waiting == RoomReader.readingLimit)
        hub.settle()
        #expect(answers.map(\.status) == Array(repeating: 404, count: RoomReader.readingLimit) + [200])
    }

    @Test("a long log is read in pieces", arguments: [-1, 0, 1])
    func pieces(more: Int) {
        let code = sleeping(records: RoomReader.pieceLimit + more)
        let before = readCount
        hub.log.pace = .stepped
        var version: Int?
        reader.read(code) { if case .room(let state) = $0 { version = state.version } }
        hub.step()
        hub.step()
        #expect(readCount == before + RoomReader.pieceLimit + min(more, 0))
        #expect((version == nil) == (more >= 0))
        hub.settle()
        #expect(version == RoomReader.pieceLimit + more)
    }

    @Test("a limited number of rooms is kept, and the least recently used is dropped")
    func keptLimit() {
        let codes = (0..<3).map { _ in sleeping() }
        let reader = RoomReader(hub.shard.surroundings, keptLimit: 2)
        /// How many of its records are read.
        func read(_ code: String) -> Int {
            let before = readCount
            reader.read(code) { _ in }
            hub.settle()
            return readCount - before
        }
        #expect(codes.prefix(2).map(read) == [4, 4] && read(codes[0]) == 0)
        #expect([codes[2], codes[0], codes[1], codes[0]].map(read) == [4, 0, 4, 0])
    }

    @Test("the record of uses stays as small as the number of rooms")
    func keptUses() throws {
        var kept = KeptRooms(limit: 3)
        for round in 0..<100 {
            kept.put(RoomState(code: "room\(round % 5)", games: hub.games))
            kept.put(RoomState(code: "room", games: hub.games))
            #expect(kept.count <= 3)
        }
        #expect(kept.remove("room98") == nil && kept.remove("room4") != nil && kept.remove("room3") != nil)
        #expect(kept.remove("room") != nil && kept.remove("room") == nil && kept.count == 0)
    }

    @Test("a busy log is reported as busy, and does not blame the room")
    func busy() {
        let code = sleeping()
        hub.witness.isOn = false
        #expect(get(code).status == 200)
        for _ in 0..<2 * RoomStream.readingLimit {
            hub.log.putIn(.unreadable(.busy(reason: "65536 calls are already waiting")))
            #expect(get(code).fields["code"] == "busy")
        }
        #expect(get(code).status == 200 && hub.shard.rooms[code] == nil)
    }

    @Test("a failed read is repeated a second later, and a room that never succeeds is broken, with one line")
    func unreadable() {
        let code = sleeping()
        hub.witness.isOn = false
        func fail(_ count: Int) -> ScriptedResponse {
            for _ in 0..<count { hub.log.putIn(.unreadable(.cannotRead(reason: "bad sector"))) }
            let answer = get(code)
            #expect(answer.status == 0)
            hub.pass((count - 1) * RoomStream.retryPause)
            return answer
        }
        let answer = fail(RoomStream.readingLimit - 1)
        #expect(answer.status == 0)
        hub.pass(RoomStream.retryPause)
        #expect(answer.status == 200)
        for _ in 0..<2 { #expect(fail(RoomStream.readingLimit).fields["code"] == "room-broken") }
        #expect(hub.logged.of(.error).count { $0.contains("room does not open") } == 1)
        #expect(get(code).status == 200)
    }

    @Test("a snapshot that does not match the log is ignored", arguments: [true, false])
    func snapshots(goesOn: Bool) throws {
        let long = try LongTable()
        let end = try #require(long.kept()).end
        long.hub.witness.isOn = false
        let version = goesOn ? end.version + 1 : end.version - 1
        if goesOn { try long.goOn(from: end.version) } else { long.hub.storage.cutBack(long.stream, to: version) }
        var whole = RoomState(code: long.table.code, games: long.hub.games)
        for record in long.records { try whole.apply(record) }
        let (read, state) = readOnce(long)
        #expect(
            read >= version && state.map { RoomRow($0, lead: 0) } == RoomRow(whole, lead: 0) && state?.end == whole.end)
    }

    @Test("a room with a snapshot is read from there")
    func readsFromSnapshot() throws {
        let long = try LongTable()
        let end = try #require(long.kept()).end
        let (read, state) = readOnce(long)
        #expect(read == long.records.count - end.version && state?.end == long.table.state.end)
    }

    /// How many records a new reader reads.
    private func readOnce(_ long: LongTable) -> (read: Int, state: RoomState?) {
        let (reader, before) = (RoomReader(long.hub.shard.surroundings), long.hub.counters.eventsRead.value)
        var state: RoomState?
        reader.read(long.table.code) { if case .room(let answer) = $0 { state = answer } }
        long.hub.settle()
        return (long.hub.counters.eventsRead.value - before, state)
    }

    @Test("if the log may have gone back, the row of an awake room is also read", arguments: [true, false])
    func doubtful(isDoubtful: Bool) throws {
        let cluster = ScriptedCluster(count: 1, serving: 1)
        let hub = cluster.nodes[0]
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        hub.join(code, ann).command("sit")
        try #require(hub.shard.rooms[code]).mustCompare = isDoubtful
        let before = hub.counters.eventsRead.value
        var version: Int?
        hub.shard.calls.ask(.row, about: code) { if case .row(let row) = $0 { version = row.version } }
        hub.settle()
        // It was read when it was opened.
        #expect(version == 2 && hub.counters.eventsRead.value == before + (isDoubtful ? 1 : 0))
        #expect(cluster.home(of: code) === hub)
    }
}
