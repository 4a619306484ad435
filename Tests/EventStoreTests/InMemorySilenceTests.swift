import Records
import Synchronization
import Testing

@testable import EventStore

@Suite("A database in memory that fails over: silences") struct InMemorySilenceTests {
    private let storage = InMemoryStorage()
    private let clock = Clock()
    private let leases: InMemoryLeaseStore

    private final class Clock: Sendable {
        let time = Mutex(0)
    }

    init() {
        leases = InMemoryLeaseStore(storage: storage, run: "one") { [clock] in clock.time.withLock { $0 } }
    }

    private func renewed(at time: Int, _ report: SilenceReport = SilenceReport(isServing: true)) throws -> [Silence] {
        clock.time.withLock { $0 = time }
        return try leases.answer(renewing: "", silences: report).get().silences
    }

    @Test("a silence begins with the replica's last renewal, even if leases are lost")
    func fallsBack() throws {
        #expect(try renewed(at: 10_000).isEmpty)
        let replica = InMemoryStorage(copying: storage)
        #expect(try renewed(at: 11_000).isEmpty)
        storage.failOver(to: replica)
        #expect(try renewed(at: 13_000) == [Silence(since: 10_000, until: 13_000)])
    }

    @Test("a lost silence is found again, with a later end") func findsAgain() throws {
        #expect(try renewed(at: 10_000).isEmpty)
        let replica = InMemoryStorage(copying: storage)
        #expect(try renewed(at: 20_000) == [Silence(since: 10_000, until: 20_000)])
        storage.failOver(to: replica)
        #expect(try renewed(at: 21_000) == [Silence(since: 10_000, until: 21_000)])
    }

    @Test("a silence that the replica has stays, and is not found twice") func stays() throws {
        #expect(try renewed(at: 10_000).isEmpty)
        #expect(try renewed(at: 20_000).count == 1)
        storage.failOver(to: InMemoryStorage(copying: storage))
        #expect(try renewed(at: 21_000) == [Silence(since: 10_000, until: 20_000)])
    }

    @Test("a run cannot delete a silence whose record the replica lacks")
    func keepsUnrecorded() throws {
        #expect(try renewed(at: 10_000).isEmpty)
        let found = try renewed(at: 20_000)
        let replica = InMemoryStorage(copying: storage)
        let log = InMemoryLog(storage: storage)
        log.append(.numbered(1), to: .hub, expecting: 0, ticket: 1, answer: RecordingInbox())
        var report = SilenceReport(isServing: true, recorded: found, in: storage.end(of: .hub))
        let recorded = InMemoryStorage(copying: storage)
        #expect(try renewed(at: 21_000, report).isEmpty)
        // The deletion is lost, the record is not.
        storage.failOver(to: recorded)
        #expect(try renewed(at: 22_000) == found)
        #expect(try renewed(at: 23_000, report).isEmpty)
        storage.failOver(to: replica)
        #expect(try renewed(at: 22_000, report) == found)
        // Another record is in its place.
        let other = Draft.numbered(2).commit(to: .hub, expecting: StreamName.hub.start)
        InMemoryLog(storage: storage).append(other, ticket: 1, answer: RecordingInbox())
        #expect(try renewed(at: 22_000, report) == found)
        report.end = storage.end(of: .hub)
        #expect(try renewed(at: 22_000, report).isEmpty)
    }
}
