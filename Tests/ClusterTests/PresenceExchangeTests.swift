import EventStore
import Records
import Synchronization
import Testing

@testable import Cluster
@testable import Rooms

@Suite("Several nodes: exchanging presence") struct PresenceExchangeTests {
    private let storage = InMemoryStorage()

    /// A node, as far as it counts.
    private final class Node {
        let counts = PresenceCounts()
        var exchange: PresenceExchange
        private let leases: InMemoryLeaseStore
        private(set) var report = PresenceReport()
        var there: Set<String> = ["a", "b"]

        init(_ run: String, _ storage: InMemoryStorage) {
            exchange = PresenceExchange(run: run, counts: counts)
            leases = InMemoryLeaseStore(storage: storage, run: run) { 0 }
        }

        /// `isLost`: the answer is lost.
        func renew(isLost: Bool = false) {
            let answer = Mutex<Result<LeaseRenewal, EventLogError>>(.failure(.closed))
            report = exchange.report()
            leases.renew([], presence: report, silences: SilenceReport(isServing: true)) { result in
                if !isLost { answer.withLock { $0 = result } }
            }
            exchange.leasesRead(answer.withLock { $0 }) { [there] in there.contains($0) }
        }

        func renew(times: Int) { for _ in 0..<times { renew() } }

        func set(_ present: Int, in room: String) { counts.set(PresenceCount(present: present), in: room) }
        subscript(room: String) -> Int { counts.count(in: room).present }
    }

    /// Two nodes that have each seen the other.
    private func nodes() -> (a: Node, b: Node) {
        let nodes = (a: Node("a", storage), b: Node("b", storage))
        for _ in 0..<3 {
            nodes.a.renew()
            nodes.b.renew()
        }
        return nodes
    }

    @Test("a change is reported once, and arrives with the next renewal") func tells() {
        let (a, b) = nodes()
        a.set(2, in: "red")
        a.renew()
        #expect(
            a.report
                == PresenceReport(rooms: [RoomPresence(room: "red", present: 2, spectators: 0)], seen: a.report.seen))
        b.renew()
        #expect(b["red"] == 2)
        a.renew()
        #expect(a.report.rooms.isEmpty && !a.report.isWhole)
        a.set(0, in: "red")
        a.renew()
        b.renew()
        #expect(b["red"] == 0)
    }

    @Test("after a lost answer everything is reported again") func saysAgain() {
        let (a, b) = nodes()
        for room in ["red", "blue"] { a.set(2, in: room) }
        a.renew()
        b.renew()
        a.set(0, in: "red")
        a.renew(isLost: true)
        a.renew()
        #expect(a.report.isWhole && a.report.rooms.map(\.room) == ["blue"] && a.report.seen.isEmpty)
        b.renew()
        #expect(b["red"] == 0 && b["blue"] == 2)
        a.renew()
        #expect(!a.report.isWhole && a.report.seen == ["b": 4])
    }

    @Test("a database that has lost all reports gets them again, and no one disappears from lists")
    func databaseCrashes() {
        let (a, b) = nodes()
        for room in ["red", "blue"] { a.set(2, in: room) }
        a.renew()
        b.renew()
        a.set(0, in: "red")
        a.renew()
        // Before anyone else has seen that.
        storage.failOver(to: InMemoryStorage(copying: storage))
        for _ in 0..<3 {
            b.renew()
            #expect(b["blue"] == 2)
        }
        for _ in 0..<3 {
            a.renew()
            b.renew()
            #expect(b["blue"] == 2)
        }
        #expect(b["red"] == 0)
        #expect(!a.report.isWhole && !b.report.isWhole)
        a.set(3, in: "blue")
        a.renew()
        b.renew()
        #expect(b["blue"] == 3)
    }

    @Test("two crashes at the same renewal are noticed too") func crashesTwice() {
        let (a, b) = nodes()
        a.set(2, in: "red")
        for _ in 0..<2 {
            storage.failOver(to: InMemoryStorage(copying: storage))
            a.renew()
            b.renew()
        }
        a.set(0, in: "red")
        for _ in 0..<3 {
            a.renew()
            b.renew()
        }
        #expect(b["red"] == 0)
    }

    @Test("no one is counted for a run that has gone, until it is back") func gone() {
        let (a, b) = nodes()
        a.set(2, in: "red")
        a.renew()
        b.renew()
        b.there = ["b"]
        b.exchange.forget { $0 == "a" }
        #expect(b["red"] == 0)
        b.renew()
        #expect(b["red"] == 0)
        b.there = ["a", "b"]
        b.renew()
        #expect(b["red"] == 2)
    }

    @Test("a run that leaves and returns during a request is requested again") func goneMeanwhile() {
        let (a, b) = nodes()
        a.set(2, in: "red")
        a.renew()
        b.renew()
        let report = b.exchange.report()
        b.exchange.forget { $0 == "a" }
        #expect(report.seen == ["a": 4])
        let lease = [Lease(run: "a", note: [], renewals: 4), Lease(run: "b", note: [], renewals: 5)]
        b.exchange.leasesRead(.success(LeaseRenewal(time: 0, isFenced: false, leases: lease))) { _ in true }
        #expect(b.exchange.report().seen.isEmpty)
    }

    @Test("a node that has not looked for long learns who has left since", arguments: [0, 1])
    func looksLate(past: Int) {
        let (a, b) = nodes()
        a.set(2, in: "red")
        a.renew()
        b.renew()
        a.set(0, in: "red")
        a.renew(times: PresenceReport.leftFor + past)
        b.renew()
        #expect(b["red"] == (past == 0 ? 0 : 2))
        b.renew()
        #expect(b["red"] == 0)
    }

    @Test("no report has more rooms than a renewal can handle") func bounded() {
        let (a, b) = nodes()
        for number in 0...PresenceExchange.roomLimit { a.set(1, in: "room-\(number)") }
        a.renew()
        #expect(a.report.rooms.count == PresenceExchange.roomLimit)
        a.renew()
        #expect(a.report.rooms.count == 1)
        b.renew()
        #expect((0...PresenceExchange.roomLimit).allSatisfy { b["room-\($0)"] == 1 })
    }
}
