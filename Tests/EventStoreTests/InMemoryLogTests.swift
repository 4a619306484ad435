import Records
import Testing

@testable import EventStore

@Suite("The log in memory: stepped and failing as ordered") struct InMemoryLogTests {
    private let inbox = RecordingInbox()
    private let log = InMemoryLog(pace: .stepped)

    @Test(
        "another writer is first, as ordered, and its records come before the answer or later",
        arguments: [false, true])
    func conflicts(isToldLater: Bool) {
        log.perform { $0.follow(.red, after: 0, ticket: 1, into: inbox) }
        let other = Draft.numbered(5, events: 2)
        let end = StreamName.red.start.after(other.events)
        log.putIn(.overtaken(by: other.commit(to: .red, expecting: StreamName.red.start), isToldLater: isToldLater))
        log.append(.numbered(1), to: .red, expecting: 0, ticket: 2, answer: inbox)
        log.step()
        #expect(inbox.messages.last == .settled(2, .conflict(.red, actual: end)))
        #expect(inbox.records(1).count == (isToldLater ? 0 : 2))
        log.perform { $0.append(Draft.numbered(1).commit(to: .red, expecting: end), ticket: 3, answer: inbox) }
        #expect(inbox.records(1).map(\.commit) == ["commit-5", "commit-5", "commit-1"])
        #expect(inbox.messages.last == .settled(3, .appended(version: 3)))
    }

    @Test("a stream that goes back looks as if it had never been longer")
    func goesBack() {
        log.append(.numbered(1, events: 2), to: .red, expecting: 0, ticket: 1, answer: inbox)
        log.perform { $0.append(.numbered(1), to: .blue, expecting: 0, ticket: 2, answer: inbox) }
        log.storage.cutBack(.red, to: 1)
        #expect(log.storage.records.map(\.stream) == [.red, .blue])
        #expect(log.storage.end(of: .red) == log.storage.records[0].end)
        // Its commit is gone too.
        let again = Draft.numbered(1).commit(to: .red, expecting: log.storage.end(of: .red))
        log.perform { $0.append(again, ticket: 3, answer: inbox) }
        #expect(inbox.messages.last == .settled(3, .appended(version: 2)))
    }

    @Test("an unknown outcome as ordered, written or not", arguments: [true, false])
    func losesOutcome(isWritten: Bool) {
        log.perform { $0.follow(.red, after: 0, ticket: 1, into: inbox) }
        log.putIn(.outcomeUnknown(written: isWritten))
        log.append(.numbered(1), to: .red, expecting: 0, ticket: 2, answer: inbox)
        log.step()
        #expect(inbox.messages.last == .settled(2, .outcomeUnknown))
        log.run()
        #expect(inbox.records(1).count == (isWritten ? 1 : 0))
        #expect(log.storage.records(of: .red).count == (isWritten ? 1 : 0))
    }

    @Test("followers of all get a commit of unknown outcome before later ones")
    func keepsOrder() {
        log.perform { $0.followAll(after: 0, ticket: 1, into: inbox) }
        log.putIn(.outcomeUnknown(written: true))
        log.append(.numbered(1), to: .red, expecting: 0, ticket: 2, answer: inbox)
        log.perform { $0.append(.numbered(2), to: .blue, expecting: 0, ticket: 3, answer: inbox) }
        #expect(inbox.records(1).map(\.position) == [1, 2])
    }

    @Test("a crash loses what waits and keeps what was written")
    func crashes() {
        log.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: inbox)
        log.step()
        log.append(.numbered(2), to: .red, expecting: 1, ticket: 2, answer: inbox)
        log.crash()
        log.perform { $0.append(.numbered(3), to: .red, expecting: 1, ticket: 3, answer: inbox) }
        #expect(inbox.messages == [.settled(1, .appended(version: 1))])
        let again = InMemoryLog(storage: log.storage)
        again.append(.numbered(2), to: .red, expecting: 1, ticket: 4, answer: inbox)
        #expect(inbox.messages.last == .settled(4, .appended(version: 2)))
    }

    @Test("the next log drops a commit that a crash has torn")
    func tears() {
        log.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: inbox)
        log.append(.numbered(2), to: .red, expecting: 1, ticket: 2, answer: inbox)
        log.crash(after: 1, tearing: true)
        #expect(log.storage.records(of: .red).count == 2)
        let again = InMemoryLog(storage: log.storage)
        #expect(again.storage.records(of: .red).count == 1)
        again.append(.numbered(2), to: .red, expecting: 1, ticket: 3, answer: inbox)
        #expect(inbox.messages == [.settled(3, .appended(version: 2))])
    }

    @Test("beyond the limit of waiting calls an append is unavailable")
    func boundsQueue() {
        let log = InMemoryLog(pace: .stepped, waitingLimit: 2)
        for ticket: Ticket in 1...3 {
            log.append(.numbered(1), to: .red, expecting: 0, ticket: ticket, answer: inbox)
        }
        #expect(
            inbox.messages == [.settled(3, .unavailable(.busy(reason: "2 calls are already waiting")))])
    }

    @Test("a call made by an inbox during a delivery is performed after it")
    func takesCallsDuringDelivery() throws {
        let log = InMemoryLog()
        let answer = RecordingInbox()
        let repeating = Repeating(log: log, answer: answer)
        log.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: repeating)
        #expect(answer.messages == [.settled(2, .appended(version: 2))])
    }
}

extension InMemoryLog {
    /// Makes a call, and performs all that waits.
    func perform(_ call: (InMemoryLog) -> Void) {
        call(self)
        run()
    }
}

/// Appends a second commit when the first arrives.
private final class Repeating: LogInbox {
    private let log: InMemoryLog
    private let answer: RecordingInbox

    init(log: InMemoryLog, answer: RecordingInbox) {
        self.log = log
        self.answer = answer
    }

    func deliver(_ messages: [LogMessage]) {
        log.append(.numbered(2), to: .red, expecting: 1, ticket: 2, answer: answer)
    }
}
