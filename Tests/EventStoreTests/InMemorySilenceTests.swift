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
}
