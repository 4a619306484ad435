import Records
import Testing

@testable import EventStore

@Suite("A log in memory: fences") struct InMemoryFenceTests {
    private let storage = InMemoryStorage()
    private let inbox = RecordingInbox()
    private let lost: InMemoryLog
    private let other: InMemoryLog

    init() {
        lost = InMemoryLog(storage: storage, run: "lost", pace: .stepped)
        other = InMemoryLog(storage: storage, run: "other", pace: .stepped)
    }

    private let fence = Commit.fence("lost")

    private func append(_ stream: StreamName, ticket: Ticket) {
        lost.append(.numbered(1), to: stream, expecting: 0, ticket: ticket, answer: inbox)
    }

    @Test("it also waits for an abandoned transaction, but no longer than for a stream")
    func waitsForAbandoned() throws {
        append(.red, ticket: 1)
        lost.beginTransaction()
        lost.crash(leaving: .leftOpen)
        other.append(fence, ticket: 2, answer: inbox)
        for _ in 0..<InMemoryLog.claimLimit {
            other.run()
            other.poll()
        }
        other.run()
        let refusal = try #require(try inbox.answer(2).refusal)
        #expect(refusal.sentence.contains("lost"))
        storage.endAbandonedTransactions(committing: true)
        other.perform { $0.append(fence, ticket: 3, answer: inbox) }
        #expect(inbox.messages.last == .settled(3, .appended(version: 1)))
        #expect(storage.records.map(\.stream) == [.red, .hub])
    }

    @Test("while the fence is open the run's appends wait, and are refused afterwards", arguments: [true, false])
    func holdsBack(isCommitted: Bool) {
        other.append(fence, ticket: 1, answer: inbox)
        other.beginTransaction()
        append(.red, ticket: 2)
        lost.run()
        #expect(lost.heldBack == 1 && inbox.messages.isEmpty)
        if isCommitted { other.commit() } else { other.rollBack() }
        lost.perform { $0.poll() }
        #expect(inbox.messages.last == .settled(2, isCommitted ? .unavailable(.fenced) : .appended(version: 1)))
    }

    @Test("a fenced log stays fenced, whatever happens to its connection")
    func staysFenced() {
        let before = InMemoryStorage(copying: storage)
        lost.watchAvailability(into: inbox)
        other.perform { $0.append(fence, ticket: 1, answer: inbox) }
        append(.red, ticket: 2)
        lost.run()
        let told: [LogMessage] = [
            .settled(1, .appended(version: 1)), .availability(.available), .availability(.unavailable(.fenced)),
            .settled(2, .unavailable(.fenced)),
        ]
        #expect(inbox.messages == told)
        lost.stopWrites(.cannotWrite(reason: "full"))
        lost.resumeWrites()
        lost.disconnect()
        lost.reconnect()
        storage.failOver(to: before)
        lost.poll()
        lost.reconnect()
        append(.blue, ticket: 3)
        lost.run()
        #expect(inbox.messages == told + [.settled(3, .unavailable(.fenced))])
        lost.close()
        #expect(inbox.messages.last == .availability(.unavailable(.closed)))
    }

    @Test("a failover takes fences back, and loses leases and their reports")
    func failsOver() throws {
        let leases = InMemoryLeaseStore(storage: storage, run: "lost") { 7 }
        let other = InMemoryLeaseStore(storage: storage, run: "other") { 7 }
        let rooms = PresenceReport(rooms: [RoomPresence(room: "red", present: 1, spectators: 2)])
        #expect(try other.answer(renewing: "", rooms).get().leases.count == 1)
        #expect(try leases.answer(renewing: "before", PresenceReport()).get().presence["other"] == rooms.rooms)
        let replica = InMemoryStorage(copying: storage)
        _ = leases.answer(renewing: "after")
        self.other.append(fence, ticket: 1, answer: inbox)
        self.other.run()
        let fenced = LeaseRenewal(time: 7, isFenced: true, leases: [Lease("other", "", 1)], hubVersion: 1)
        #expect(leases.answer() == .success(fenced))
        storage.failOver(to: replica)
        let again = LeaseRenewal(time: 7, isFenced: false, leases: [Lease("lost", "again", 1)])
        #expect(leases.answer(renewing: "again") == .success(again))
        lost.reconnect()
        append(.red, ticket: 2)
        lost.run()
        #expect(inbox.messages.last == .settled(2, .appended(version: 1)))
    }
}
