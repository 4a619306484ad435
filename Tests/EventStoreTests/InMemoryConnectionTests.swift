import Records
import Testing

@testable import EventStore

@Suite("Several logs in memory: crashes, lost connections, failover") struct InMemoryConnectionTests {
    private let storage = InMemoryStorage()
    private let inbox = RecordingInbox()
    private let one: InMemoryLog
    private let other: InMemoryLog
    private let lost = EventLogError.cannotWrite(reason: "the connection to the database was lost")

    init() {
        one = InMemoryLog(storage: storage, pace: .stepped)
        other = InMemoryLog(storage: storage)
    }

    /// Written by `other`, which performs its calls at once.
    private func write(_ number: Int, to stream: StreamName) {
        let draft = Draft(id: "other-\(number)", events: [.test(number)])
        let answer = RecordingInbox()
        other.append(draft.commit(to: stream, expecting: storage.end(of: stream)), ticket: 1, answer: answer)
        #expect(answer.messages == [.settled(1, .appended(version: storage.end(of: stream).version))])
    }

    @Test("each log has its own pace, calls, faults and followers")
    func keepsApart() {
        one.putIn(.refused(lost))
        one.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: inbox)
        one.follow(.blue, after: 0, ticket: 2, into: inbox)
        write(1, to: .red)
        _ = InMemoryLog(storage: storage)
        #expect(one.waiting == 2 && inbox.messages.isEmpty)
        one.run()
        write(1, to: .blue)
        #expect(
            inbox.messages == [
                .settled(1, .unavailable(lost)), .caughtUp(2, version: 0, head: StreamName.blue.origin),
            ])
    }

    @Test("a crash tears nothing while others are connected, and does not disturb them")
    func crashes() {
        write(1, to: .blue)
        one.append(.numbered(1, events: 2), to: .red, expecting: 0, ticket: 1, answer: inbox)
        one.crash(tearing: true)
        #expect(storage.records.map(\.stream) == [.blue])
        let again = InMemoryLog(storage: storage)
        write(2, to: .blue)
        again.append(.numbered(1), to: .red, expecting: 0, ticket: 2, answer: inbox)
        #expect(inbox.messages == [.settled(2, .appended(version: 1))])
    }

    @Test("without a connection nothing is written or read, and watchers know")
    func disconnects() {
        one.perform { $0.watchAvailability(into: inbox) }
        one.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: inbox)
        one.disconnect()
        one.resumeWrites()
        one.load(.red, after: 0, limit: 9, ticket: 2, answer: inbox)
        one.loadNewest(9, ticket: 3, answer: inbox)
        one.follow(.red, after: 0, ticket: 4, into: inbox)
        one.perform { $0.followAll(after: 0, ticket: 5, into: inbox) }
        one.poll()
        let unread = EventLogError.cannotRead(reason: "there is no connection to the database")
        #expect(
            inbox.messages == [
                .availability(.available), .availability(.unavailable(lost)), .settled(1, .unavailable(lost)),
                .loaded(2, .failure(unread)), .loaded(3, .failure(unread)), .followFailed(4, unread),
                .followFailed(5, unread),
            ])
        one.reconnect()
        one.perform { $0.append(.numbered(1), to: .red, expecting: 0, ticket: 6, answer: inbox) }
        #expect(inbox.messages.suffix(2) == [.availability(.available), .settled(6, .appended(version: 1))])
    }

    @Test(
        "repeating a commit shows what became of it when the connection was lost",
        arguments: [InMemoryLog.TransactionFate.committed, .rolledBack, .leftOpen], [true, false])
    func findsOut(fate: InMemoryLog.TransactionFate, endsCommitted: Bool) {
        one.perform { $0.follow(.red, after: 0, ticket: 1, into: inbox) }
        one.append(.numbered(1), to: .red, expecting: 0, ticket: 2, answer: inbox)
        one.beginTransaction()
        one.disconnect(leaving: fate)
        #expect(inbox.messages.last == .settled(2, .outcomeUnknown))
        one.reconnect()
        one.perform { $0.append(.numbered(1), to: .red, expecting: 0, ticket: 3, answer: inbox) }
        #expect(storage.abandonedTransactions == (fate == .leftOpen ? 1 : 0))
        #expect(one.heldBack == storage.abandonedTransactions)
        storage.endAbandonedTransactions(committing: endsCommitted)
        one.perform { $0.poll() }
        let isWritten = fate == .committed || fate == .leftOpen && endsCommitted
        #expect(inbox.messages.last == .settled(3, isWritten ? .repeated(version: 1) : .appended(version: 1)))
        #expect(inbox.records(1) == storage.records(of: .red) && inbox.records(1).count == 1)
    }

    @Test("after a failover the newest records are gone, and their positions are reused")
    func failsOver() {
        write(1, to: .red)
        let replica = InMemoryStorage(copying: storage)
        write(2, to: .red)
        write(1, to: .blue)
        one.perform { $0.watchAvailability(into: inbox) }
        storage.failOver(to: replica)
        #expect(storage.records.map(\.position) == [1] && storage.end(of: .blue) == StreamName.blue.start)
        one.perform { $0.append(.numbered(1), to: .blue, expecting: 0, ticket: 1, answer: inbox) }
        one.reconnect()
        one.perform { $0.append(.numbered(1), to: .blue, expecting: 0, ticket: 2, answer: inbox) }
        #expect(
            inbox.messages == [
                .availability(.available), .availability(.unavailable(lost)), .settled(1, .unavailable(lost)),
                .availability(.available), .settled(2, .appended(version: 1)),
            ])
        #expect(storage.records.map(\.position) == [1, 2])
    }

    @Test("the outcome of an append under way at a failover is unknown")
    func losesTransaction() {
        let replica = InMemoryStorage(copying: storage)
        one.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: inbox)
        one.beginTransaction()
        storage.failOver(to: replica)
        one.commit()
        #expect(inbox.messages == [.settled(1, .outcomeUnknown)])
        #expect(storage.records.isEmpty && !one.isConnected)
    }

    /// The first log, with ticket 1, has three records in red, two of which a failover loses.
    private func goBack() -> StreamEnd {
        write(1, to: .red)
        let replica = InMemoryStorage(copying: storage)
        write(2, to: .red)
        write(3, to: .red)
        one.perform { $0.follow(.red, after: 0, ticket: 1, into: inbox) }
        let end = storage.end(of: .red)
        storage.failOver(to: replica)
        other.reconnect()
        return end
    }

    @Test(
        "a conflict or a later record shows that a stream has gone back",
        arguments: [(added: 0, isTold: false), (1, false), (2, false), (3, true), (5, true)])
    func showsGoingBack(added: Int, isTold: Bool) {
        let known = goBack()
        for number in 0..<added { write(10 + number, to: .red) }
        let before = inbox.messages.count
        one.poll()
        one.reconnect()
        let failure = LogMessage.followFailed(1, .chainBroken(stream: .red, version: 4))
        #expect(inbox.messages[before...] == (isTold ? [failure] : []))
        one.perform { $0.append(Draft.numbered(7).commit(to: .red, expecting: known), ticket: 2, answer: inbox) }
        #expect(inbox.messages.last == .settled(2, .conflict(.red, actual: storage.end(of: .red))))
        // It is not told again, and nothing else is.
        #expect(inbox.messages.count == before + (isTold ? 2 : 1))
    }

    @Test("after a failover, passed positions are gaps again while others are under way")
    func forgetsPassedPositions() {
        for number in 1...3 { write(number, to: .red) }
        one.perform { $0.followAll(after: 0, ticket: 1, into: inbox) }
        storage.failOver(to: InMemoryStorage())
        other.pace = .stepped
        other.reconnect()
        other.append(.numbered(1), to: .blue, expecting: 0, ticket: 2, answer: inbox)
        other.beginTransaction()
        one.reconnect()
        one.perform { $0.followAll(after: 0, ticket: 3, into: inbox) }
        #expect(inbox.messages.last == .caughtUp(3, version: 0, head: StreamName.all.origin))
        other.commit()
        one.poll()
        #expect(inbox.records(3).map(\.stream) == [.blue])
    }

    @Test("a follower learns that its stream has gone back and grown before the conflict")
    func showsGoingBackBeforeConflict() {
        let known = goBack()
        one.reconnect()
        for number in 0..<3 { write(10 + number, to: .red) }
        let before = inbox.messages.count
        one.perform { $0.append(Draft.numbered(7).commit(to: .red, expecting: known), ticket: 2, answer: inbox) }
        #expect(
            inbox.messages[before...] == [
                .followFailed(1, .chainBroken(stream: .red, version: 4)),
                .settled(2, .conflict(.red, actual: storage.end(of: .red))),
            ])
    }
}
