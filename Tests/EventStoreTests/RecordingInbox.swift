import Foundation
import Records
import Synchronization
import Testing

@testable import EventStore

/// An inbox that keeps all deliveries, and lets a test wait for messages.
final class RecordingInbox: LogInbox, @unchecked Sendable {
    // Checked by hand: `condition` guards all state.
    private let condition = NSCondition()
    private var received: [[LogMessage]] = []
    /// Longest wait for a message. Only a failing test comes near it.
    private static let timeouts: TimeInterval = 20

    func deliver(_ messages: [LogMessage]) {
        condition.withLock {
            received.append(messages)
            condition.broadcast()
        }
    }

    var outbox: [[LogMessage]] { condition.withLock { received } }
    var messages: [LogMessage] { outbox.flatMap { $0 } }

    /// Waits for the first message that `pick` accepts.
    func wait<Picked>(for pick: (LogMessage) -> Picked?) throws -> Picked {
        let end = Date(timeIntervalSinceNow: RecordingInbox.timeouts)
        condition.lock()
        defer { condition.unlock() }
        while true {
            for message in received.joined() {
                if let picked = pick(message) { return picked }
            }
            guard condition.wait(until: end) else { throw NothingCame(messages: Array(received.joined())) }
        }
    }

    func wait(until isThere: ([LogMessage]) -> Bool) throws {
        let end = Date(timeIntervalSinceNow: RecordingInbox.timeouts)
        condition.lock()
        defer { condition.unlock() }
        while !isThere(Array(received.joined())) {
            guard condition.wait(until: end) else { throw NothingCame(messages: Array(received.joined())) }
        }
    }

    /// Waits for the answer to an append.
    func answer(_ ticket: Ticket) throws -> AppendAnswer {
        try wait { if case .settled(ticket, let answer) = $0 { answer } else { nil } }
    }

    func waitUntilCaughtUp(_ tickets: Ticket...) throws {
        for ticket in tickets { _ = try wait { if case .caughtUp(ticket, _, _) = $0 { true } else { nil } } }
    }

    func records(_ ticket: Ticket) -> [Record] { messages.records(ticket) }
}

extension [LogMessage] {
    /// The records for `ticket`, in order.
    func records(_ ticket: Ticket) -> [Record] {
        flatMap { if case .records(ticket, let records) = $0 { records } else { [Record]() } }
    }

    /// The number of records in all.
    var recordCount: Int {
        reduce(0) { if case .records(_, let records) = $1 { $0 + records.count } else { $0 } }
    }

    /// The newest state that a watcher got.
    var availability: Availability? {
        compactMap { if case .availability(let state) = $0 { state } else { nil } }.last
    }
}

extension LogMessage {
    var isErasure: Bool { if case .erased = self { true } else { false } }
    var isDown: Bool { if case .availability(.unavailable) = self { true } else { false } }
}

extension AppendAnswer {
    /// Why nothing was written, if the log takes no writes.
    var refusal: EventLogError? { if case .unavailable(let error) = self { error } else { nil } }
}

/// An answer that comes from another thread.
final class Reply<Answer: Sendable>: Sendable {
    private let answer = Mutex<Answer?>(nil)
    private let arrived = DispatchSemaphore(value: 0)

    var take: @Sendable (Answer) -> Void {
        { [self] given in
            answer.withLock { $0 = given }
            arrived.signal()
        }
    }

    func wait() throws -> Answer {
        arrived.wait()
        return try #require(answer.withLock { $0 })
    }
}

struct NothingCame: Error {
    let messages: [LogMessage]
}
