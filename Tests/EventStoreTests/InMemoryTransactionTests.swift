import Records
import Testing

@testable import EventStore

@Suite("Several logs in memory: transactions") struct InMemoryTransactionTests {
    private let storage = InMemoryStorage()
    private let inbox = RecordingInbox()
    private let one: InMemoryLog
    private let other: InMemoryLog

    init() {
        one = InMemoryLog(storage: storage, pace: .stepped)
        other = InMemoryLog(storage: storage, pace: .stepped)
    }

    /// Appends one event as the first of `stream`, in a transaction that stays open.
    private func begin(_ stream: StreamName, on log: InMemoryLog, ticket: Ticket = 1) {
        log.append(.numbered(1), to: stream, expecting: 0, ticket: ticket, answer: inbox)
        #expect(log.beginTransaction() && log.isInTransaction)
    }

    /// Follows all streams on `one`, with ticket 9, and lets it write to blue after `other` has begun a transaction on
    /// red.
    private func makeGap() {
        one.perform { $0.followAll(after: 0, ticket: 9, into: inbox) }
        begin(.red, on: other)
        one.perform { $0.append(.numbered(1), to: .blue, expecting: 0, ticket: 2, answer: inbox) }
    }

    @Test("nothing is visible or answered before the commit")
    func waits() {
        begin(.red, on: one)
        one.load(.red, after: 0, limit: 9, ticket: 2, answer: inbox)
        one.perform { $0.append(.numbered(2), to: .blue, expecting: 0, ticket: 3, answer: inbox) }
        #expect(inbox.messages == [.loaded(2, .success([]))])
        #expect(!one.beginTransaction() && one.waiting == 1 && storage.records.isEmpty)
        #expect(one.commit() && !one.commit())
        #expect(inbox.messages.last == .settled(1, .appended(version: 1)))
        one.run()
        #expect(inbox.messages.last == .settled(3, .appended(version: 1)))
    }

    @Test("erasures are committed out of order, and delivered in the order of positions")
    func erasesOutOfOrder() {
        let streams = [StreamName.ada, .name("eve")]
        for stream in streams { one.append(.numbered(1), to: stream, expecting: 0, ticket: 1, answer: inbox) }
        one.run()
        one.perform { $0.followAll(after: 2, ticket: 9, into: inbox) }
        let before = inbox.messages.count
        for (log, stream) in zip([one, other], streams) {
            log.append(.erasing(stream, at: storage.end(of: stream)), ticket: 2, answer: RecordingInbox())
            log.beginTransaction()
        }
        other.commit()
        one.poll()
        #expect(inbox.messages.count == before)
        one.commit()
        one.poll()
        let positions = inbox.messages[before...].map {
            if case .erased(9, let erasure) = $0 { erasure.position } else { 0 }
        }
        #expect(positions == [3, 4])
        #expect(storage.erasedStreams(after: 2) == streams)
    }

    @Test("a gap is passed even if other transactions have begun since it was seen")
    func waitsForThoseThatWereOpen() {
        makeGap()
        one.poll()
        let third = InMemoryLog(storage: storage, pace: .stepped)
        begin(.ada, on: third)
        other.crash()
        one.poll()
        #expect(inbox.records(9).map(\.position) == [2])
        one.perform { $0.append(.numbered(2), to: .blue, expecting: 1, ticket: 4, answer: inbox) }
        one.poll()
        #expect(inbox.records(9).map(\.position) == [2])
        third.commit()
        one.poll()
        #expect(inbox.records(9).map(\.position) == [2, 3, 4])
    }

    @Test("a follower of a stream does not wait for others' gaps")
    func followsStreamAcrossGap() {
        one.follow(.blue, after: 0, ticket: 7, into: inbox)
        makeGap()
        #expect(inbox.records(7).map(\.position) == [2])
        one.poll()
        other.commit()
        one.poll()
        #expect(inbox.records(7).map(\.position) == [2])
    }

    @Test("a certain conflict is answered at once, even if the stream is claimed")
    func refusesAtOnce() {
        one.perform { $0.append(.numbered(5), to: .red, expecting: 0, ticket: 2, answer: inbox) }
        other.perform { $0.append(.numbered(2), to: .red, expecting: 0, ticket: 3, answer: inbox) }
        let end = storage.end(of: .red)
        #expect(inbox.messages.last == .settled(3, .conflict(.red, actual: end)))
        other.append(Draft.numbered(2).commit(to: .red, expecting: end), ticket: 4, answer: inbox)
        other.beginTransaction()
        one.perform { $0.append(.numbered(6), to: .red, expecting: 0, ticket: 5, answer: inbox) }
        #expect(inbox.messages.last == .settled(5, .conflict(.red, actual: end)))
    }

    @Test("an append is tried a limited number of times while its stream is claimed")
    func boundsTries() {
        begin(.ada, on: other)
        one.perform { $0.append(.numbered(2), to: .ada, expecting: 0, ticket: 2, answer: inbox) }
        for _ in 1..<InMemoryLog.claimLimit {
            one.perform { $0.poll() }
        }
        #expect(one.heldBack == 1 && inbox.messages.isEmpty)
        one.perform { $0.poll() }
        let error = EventLogError.cannotWrite(reason: "another transaction has not released name/…")
        #expect(one.heldBack == 0 && inbox.messages == [.settled(2, .unavailable(error))])
    }

    @Test("appends to a stream wait after one that is held back, and others do not")
    func keepsOrder() {
        begin(.red, on: other)
        for (ticket, stream) in [(Ticket(2), StreamName.red), (3, .red), (4, .blue)] {
            let draft = Draft(id: "\(ticket)", events: [.test(1)])
            let end = ticket == 3 ? StreamName.red.start.after([.test(1)]) : stream.start
            one.append(draft.commit(to: stream, expecting: end), ticket: ticket, answer: inbox)
        }
        one.run()
        // What the third expects does not exist: judged before the second, it would be a conflict.
        #expect(inbox.messages == [.settled(4, .appended(version: 1))])
        #expect(one.heldBack == 2)
        other.crash()
        one.perform { $0.poll() }
        #expect(inbox.messages.dropFirst() == [.settled(2, .appended(version: 1)), .settled(3, .appended(version: 2))])
    }

    @Test("a commit that the storage refuses is unavailable, and nothing is written")
    func refusesCommit() {
        begin(.red, on: one)
        let error = EventLogError.cannotWrite(reason: "disk full")
        one.stopWrites(error)
        one.commit()
        #expect(inbox.messages == [.settled(1, .unavailable(error))])
        #expect(storage.records.isEmpty)
    }

    @Test("closing ends appends under way, and answers those held back")
    func closes() {
        begin(.red, on: one)
        other.perform { $0.append(.numbered(2), to: .red, expecting: 0, ticket: 2, answer: inbox) }
        other.close()
        one.close()
        #expect(inbox.messages == [.settled(2, .unavailable(.closed)), .settled(1, .appended(version: 1))])
    }

    @Test("an ordered failure strikes the next append, in a transaction or not")
    func failsAsOrdered() {
        one.putIn(.outcomeUnknown(written: true))
        one.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: inbox)
        #expect(one.beginTransaction() && !one.isInTransaction)
        #expect(inbox.messages == [.settled(1, .outcomeUnknown)])
        #expect(storage.records.count == 1)
    }
}
