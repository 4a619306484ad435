import CSQLite
import Foundation
import Records
import Testing

@testable import EventStore

@Suite("SQLite: when the disk fails", .serialized) struct SQLiteFailureTests {
    private let folder = TemporaryFolder()
    private let watcher = RecordingInbox()

    private func open() throws -> Desk {
        let options = SQLiteLog.Options(checkInterval: .milliseconds(5), system: FaultySystem.begin())
        return Desk(try SQLiteLog(folder: folder.path, options: options))
    }

    private func isUnavailable(_ answer: AppendAnswer) -> Bool {
        if case .cannotWrite = answer.refusal { true } else { false }
    }

    /// Every measured span is one of these.
    private func expect(_ counters: LogCounters, appends: Int, records: Int, syncs: Int) {
        #expect(counters.appends.count == appends && counters.records == records && counters.syncs.count == syncs)
        #expect(counters.syncs.sum > 0, "a sync takes time")
        #expect(counters.appends.sum >= counters.syncs.sum, "each sync is waited for by an append at least")
    }

    @Test("every transaction waits for a sync, and many appends share one") func syncs() throws {
        let desk = try open()
        let before = FaultySystem.orders.withLock { $0.syncs }
        try desk.fill(.red, to: 10)
        let log = try #require(desk.log as? SQLiteLog)
        #expect(FaultySystem.orders.withLock { $0.syncs } - before >= 10)
        expect(log.counters, appends: 10, records: 10, syncs: 10)

        // The inbox of the first append blocks the writer until all others wait.
        let (gate, inbox) = (GatedInbox(), RecordingInbox())
        log.append(.numbered(11), to: .red, expecting: 10, ticket: 1, answer: gate)
        gate.waitUntilHeld()
        let held = FaultySystem.orders.withLock { $0.syncs }
        for number in 1...500 {
            log.append(
                .numbered(number), to: .room("\(number)"), expecting: 0, ticket: Ticket(number), answer: inbox)
        }
        #expect(log.counters.waiting == 501, "those, and the one that is being answered")
        gate.open()
        try inbox.wait { $0.count == 500 }
        #expect(FaultySystem.orders.withLock { $0.syncs } == held + 1)
        expect(log.counters, appends: 511, records: 511, syncs: 12)
        // One delivery for the batch.
        #expect(inbox.outbox.count == 1)
    }

    @Test(
        "a full disk refuses writes but not reads, until there is space",
        arguments: [SQLITE_FULL, SQLITE_IOERR])
    func stopsAndGoesOn(code: Int32) throws {
        let desk = try open()
        desk.log.watchAvailability(into: watcher)
        let follower = RecordingInbox()
        desk.log.follow(.red, after: 0, ticket: 1, into: follower)
        try desk.fill(.red, to: 3)

        FaultySystem.orders.withLock { $0.write = code }
        let refused = try desk.append(.numbered(4), to: .red, expecting: 3)
        #expect(code == SQLITE_FULL ? isUnavailable(refused) : refused == .outcomeUnknown)
        #expect(isUnavailable(try desk.append(.numbered(5), to: .blue, expecting: 0)))
        #expect(isUnavailable(try desk.erase(.ada)))
        try watcher.wait { $0.availability.map { $0 != .available } ?? false }
        #expect(try desk.load(.red).get().count == 3)
        // A follow can begin before the end of the outage.
        try desk.follow(.red, ticket: 2, into: follower)

        FaultySystem.orders.withLock { $0.write = nil }
        try watcher.wait { $0.availability == .available }
        try desk.fill(.red, from: 4, to: 6)
        try follower.wait { $0.recordCount == 12 }
        let records = try desk.load(.red).get()
        #expect(records.map(\.version) == Array(1...6))
        #expect(follower.records(1) == records && follower.records(2) == records)
        desk.log.close()
        #expect(try Desk(SQLiteLog(folder: folder.path)).load(.red) == .success(records))
    }

    @Test("after a failed sync the outcome is unknown, and followers see what the log holds") func losesSync()
        throws
    {
        let desk = try open()
        desk.log.watchAvailability(into: watcher)
        let follower = RecordingInbox()
        desk.log.followAll(after: 0, ticket: 1, into: follower)
        try desk.fill(.red, to: 3)
        FaultySystem.orders.withLock { $0.sync = SQLITE_IOERR | (4 << 8) }
        #expect(try desk.append(.numbered(4, events: 2), to: .red, expecting: 3) == .outcomeUnknown)
        FaultySystem.orders.withLock { $0.sync = nil }
        try watcher.wait { $0.availability == .available && $0.count >= 3 }
        let version = try desk.load(.red).get().count
        #expect(version == 3 || version == 5)
        let again = try desk.append(.numbered(4, events: 2), to: .red, expecting: 3)
        #expect(again == (version == 5 ? .repeated(version: 5) : .appended(version: 5)))
        try desk.fill(.blue, to: 1)
        try follower.wait { $0.recordCount == 6 }
        #expect(follower.records(1) == (try desk.everything().records))
        desk.log.close()
        #expect(try Desk(SQLiteLog(folder: folder.path)).everything().records == follower.records(1))
    }

    @Test("a whole transaction is refused together, also the parts that only read") func refusesTogether() throws {
        let desk = try open()
        let (gate, inbox) = (GatedInbox(), RecordingInbox())
        desk.log.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: gate)
        gate.waitUntilHeld()
        FaultySystem.orders.withLock { $0.write = SQLITE_FULL }
        desk.log.append(.numbered(2), to: .red, expecting: 1, ticket: 2, answer: inbox)
        desk.log.append(.numbered(3), to: .red, expecting: 1, ticket: 3, answer: inbox)
        desk.log.append(.numbered(1), to: .red, expecting: 0, ticket: 4, answer: inbox)
        gate.open()
        try inbox.wait { $0.count == 3 }
        for message in inbox.messages {
            guard case .settled(_, let answer) = message else { continue }
            #expect(isUnavailable(answer))
        }
        FaultySystem.orders.withLock { $0.write = nil }
    }

    @Test("a log that lost what it acknowledged does not continue") func refusesLoss() throws {
        let desk = try open()
        desk.log.watchAvailability(into: watcher)
        try desk.fill(.red, to: 3)
        FaultySystem.orders.withLock { $0.write = SQLITE_FULL }
        #expect(isUnavailable(try desk.append(.numbered(4), to: .red, expecting: 3)))
        let database = try Database(path: LogFile(folder: folder.path).path, access: .readWrite)
        try database.execute("PRAGMA busy_timeout = 10000; DELETE FROM records WHERE version = 3")
        FaultySystem.orders.withLock { $0.write = nil }
        let path = LogFile(folder: folder.path).path
        let lost = EventLogError.cannotWrite(reason: "record 3 of room/red was acknowledged and is not in \(path)")
        try watcher.wait { $0.availability == .unavailable(lost) }
        #expect(try desk.append(.numbered(4), to: .red, expecting: 2) == .unavailable(lost))
    }

    /// Moves the folder away while the next transaction is synced.
    func moveAway(_ place: LogPlace) {
        FaultySystem.orders.withLock { $0.duringSync = { try? place.move("data", "aside") } }
    }

    @Test("what was written to a folder that was just moved is not acknowledged or shown until it is back")
    func losesPlaceWhileWriting() throws {
        let place = try LogPlace()
        let desk = try place.open(system: FaultySystem.begin())
        let follower = RecordingInbox()
        desk.log.followAll(after: 0, ticket: 1, into: follower)
        try desk.fill(.red, to: 3)
        try follower.wait { $0.recordCount == 3 }
        let vanished = EventLogError.vanished(path: place.path("data/log.sqlite"))
        moveAway(place)
        #expect(try desk.append(.numbered(4, events: 2), to: .red, expecting: 3) == .outcomeUnknown)
        #expect(try desk.append(.numbered(4, events: 2), to: .red, expecting: 3) == .unavailable(vanished))
        #expect(try desk.load(.red) == .failure(vanished))
        #expect(follower.records(1).count == 3)
        try place.move("aside", "data")
        try follower.wait { $0.recordCount == 5 }
        #expect(try desk.append(.numbered(4, events: 2), to: .red, expecting: 3) == .repeated(version: 5))
        try desk.fill(.red, from: 6, to: 6)
        #expect(follower.records(1) == (try desk.load(.red).get()))
    }

    @Test("an erasure in a folder that was just moved is delivered when it is back") func losesPlaceWhileErasing()
        throws
    {
        let place = try LogPlace()
        let desk = try place.open(system: FaultySystem.begin())
        let follower = RecordingInbox()
        desk.log.follow(.ada, after: 0, ticket: 1, into: follower)
        try desk.fill(.ada, to: 2)
        try follower.wait { $0.recordCount == 2 }
        moveAway(place)
        #expect(try desk.erase(.ada) == .outcomeUnknown)
        #expect(try desk.load(.ada) == .failure(.vanished(path: place.path("data/log.sqlite"))))
        try place.move("aside", "data")
        try follower.wait { $0.contains { $0.isErasure } }
        #expect(try desk.erase(.ada) == .conflict(.ada, actual: StreamName.ada.start))
        try desk.fill(.ada, to: 1)
        #expect(follower.records(1).map(\.version) == [1, 2, 1])
    }

    @Test("a log that ends before what was acknowledged does not continue, whatever else is in it")
    func refusesOlder() throws {
        let place = try LogPlace()
        try place.open().fill(.red, to: 3)
        try place.copy("data", "backup")
        let first = try place.open()
        try first.fill(.blue, to: 1)
        first.log.close()
        // This log appends nothing, so it remembers no heads.
        let desk = try place.open(system: FaultySystem.begin())
        FaultySystem.orders.withLock { $0.write = SQLITE_FULL }
        #expect(isUnavailable(try desk.append(.numbered(4), to: .red, expecting: 3)))
        try place.move("data/log.sqlite", "aside")
        try place.move("backup/log.sqlite", "data/log.sqlite")
        FaultySystem.orders.withLock { $0.write = nil }
        let path = place.path("data/log.sqlite")
        let lost = EventLogError.cannotWrite(reason: "position 4 was acknowledged and is not in \(path)")
        desk.log.watchAvailability(into: watcher)
        try watcher.wait { $0.availability == .unavailable(lost) }
    }

    @Test("while the disk does not answer, the log takes no writes") func stalls() throws {
        let options = SQLiteLog.Options(stallLimit: .milliseconds(500), system: FaultySystem.begin())
        let log = try SQLiteLog(folder: folder.path, options: options)
        let desk = Desk(log)
        log.watchAvailability(into: watcher)
        try desk.fill(.red, to: 1)
        let (stalled, answers) = (DispatchSemaphore(value: 0), RecordingInbox())
        FaultySystem.orders.withLock { $0.duringSync = { stalled.wait() } }
        log.append(.numbered(2), to: .red, expecting: 1, ticket: 1, answer: answers)
        try watcher.wait {
            if case .unavailable(.stalled(let span)) = $0.availability { span >= 500 } else { false }
        }
        // Further calls are refused at once.
        let refusal = try desk.append(.numbered(1), to: .blue, expecting: 0).refusal
        guard case .stalled = refusal else { throw NothingCame(messages: answers.messages) }
        #expect(log.counters.stalls == 1 && answers.messages.isEmpty)
        stalled.signal()
        try watcher.wait { $0.availability == .available }
        try answers.wait { $0 == [.settled(1, .appended(version: 2))] }
        try desk.fill(.red, from: 3, to: 3)
    }

    @Test("a file that cannot be written is not opened") func refusesReadOnlyFile() throws {
        try open().log.close()
        let system = FaultySystem.begin()
        FaultySystem.orders.withLock { $0.isReadOnly = true }
        let path = LogFile(folder: folder.path).path
        #expect(throws: EventLogError.cannotOpen(path: path, reason: "the file is read-only")) {
            try SQLiteLog(folder: folder.path, options: .init(system: system))
        }
    }

    @Test("unwritten rows are in the answers, and are dropped beyond a limit")
    func keepsUnwrittenRows() throws {
        let system = FaultySystem.begin()
        try LogFile(folder: folder.path).makeFolder()
        let rows = try SQLiteRowStore(folder: folder.path, layout: .test, waitingLimit: 10, system: system)
        rows.apply([], reached: 1)
        #expect(try rows.answer().position == 1)
        FaultySystem.orders.withLock { $0.write = SQLITE_FULL }
        rows.apply([], reached: 2)
        #expect(try rows.answer().position == 2)
        guard case .rowsFailed(let reason) = rows.writeFailure else { throw NothingCame(messages: []) }
        #expect(reason.contains("full") && !rows.isHalted)
        let reader = try Database(path: folder.path + "/read-models.sqlite", access: .readOnly)
        #expect(try reader.integer("SELECT reached FROM position") == 1)
        FaultySystem.orders.withLock { $0.write = nil }
        #expect(try rows.answer().position == 2)
        #expect(rows.writeFailure == nil)

        let gate = GatedInbox()
        rows.ask([]) { _ in gate.deliver([]) }
        gate.waitUntilHeld()
        for number in 3...13 { rows.apply([], reached: number) }
        gate.open()
        // Until the calls before it are done, there is no place for another.
        #expect((0..<1_000_000).lazy.compactMap { _ in try? rows.answer() }.first?.position == 2)
        #expect(rows.halt == .givenUp(.busy(reason: "10 calls are already waiting")))
        #expect(try rows.begun().position == 2 && !rows.isHalted)
        rows.apply([], reached: 14)
        #expect(try rows.answer().position == 14)
    }
}
