import Cryptography
import Foundation
import Testing

@testable import EventStore

/// An inbox that keeps what it is told, delivery by delivery, and lets a test wait for it.
final class RecordingInbox: LogInbox, @unchecked Sendable {
    // Checked by hand: all state is behind `condition`.
    private let condition = NSCondition()
    private var received: [[LogMessage]] = []
    /// Longest wait for a message; only a failing test comes near it.
    private static let patience: TimeInterval = 20

    func deliver(_ messages: [LogMessage]) {
        condition.withLock {
            received.append(messages)
            condition.broadcast()
        }
    }

    var deliveries: [[LogMessage]] { condition.withLock { received } }
    var messages: [LogMessage] { deliveries.flatMap { $0 } }

    /// The first message that `pick` makes something of, once it is there.
    func wait<Picked>(for pick: (LogMessage) -> Picked?) throws -> Picked {
        let end = Date(timeIntervalSinceNow: RecordingInbox.patience)
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
        let end = Date(timeIntervalSinceNow: RecordingInbox.patience)
        condition.lock()
        defer { condition.unlock() }
        while !isThere(Array(received.joined())) {
            guard condition.wait(until: end) else { throw NothingCame(messages: Array(received.joined())) }
        }
    }

    /// The records that came for `ticket`, in order.
    func records(_ ticket: Ticket) -> [Record] {
        messages.flatMap { message in
            if case .records(ticket, let records) = message { records } else { [Record]() }
        }
    }
}

struct NothingCame: Error {
    let messages: [LogMessage]
}

/// A folder of its own, gone when its last user is.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("eventstore-\(UUID())").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }  // Nothing to remove if nothing was written.
}

/// Where an engine keeps a log: what is left when the log is closed.
final class Place: Sendable {
    let folder = TemporaryFolder()
    let storage = InMemoryStorage()
}

/// An engine as the contract's tests see it.
struct Engine: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let open: @Sendable (Place) throws -> any EventLog
    let openProjections: @Sendable (Place) throws -> any Projections

    static let inMemory = Engine(
        testDescription: "in memory",
        open: { InMemoryLog(storage: $0.storage) },
        openProjections: { _ in InMemoryProjections() })

    static let sqlite = Engine(
        testDescription: "SQLite",
        open: { try SQLiteLog(folder: $0.folder.path) },
        openProjections: { place in
            try FileManager.default.createDirectory(atPath: place.folder.path, withIntermediateDirectories: true)
            return try SQLiteProjections(folder: place.folder.path)
        })

    static let all = [inMemory, sqlite]
}

/// A log, and calls on it that wait for their answer.
final class Desk {
    let log: any EventLog
    private var lastTicket: Ticket = 1_000

    init(_ log: any EventLog) { self.log = log }

    deinit { log.close() }

    func draw() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    func append(_ commit: Commit, to stream: StreamName, expecting: Int) throws -> AppendAnswer {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.append(commit, to: stream, expecting: expecting, ticket: ticket, answer: inbox)
        return try inbox.wait { if case .settled(ticket, let answer) = $0 { answer } else { nil } }
    }

    /// Appends one event a commit, versions `from` to `to`.
    func fill(_ stream: StreamName, from: Int = 1, to: Int) throws {
        for version in from...to {
            let answer = try append(.numbered(version), to: stream, expecting: version - 1)
            #expect(answer == .appended(version: version))
        }
    }

    func load(_ stream: StreamName, after: Int = 0, limit: Int = 1_000_000) throws -> Result<[Record], EventLogError> {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.load(stream, after: after, limit: limit, ticket: ticket, answer: inbox)
        return try inbox.wait { if case .loaded(ticket, let result) = $0 { result } else { nil } }
    }

    func erase(_ stream: StreamName, endingAt head: Digest? = nil) throws -> AppendAnswer {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.erase(stream, endingAt: head, ticket: ticket, answer: inbox)
        return try inbox.wait { if case .settled(ticket, let answer) = $0 { answer } else { nil } }
    }

    /// Follows all from the beginning until caught up: every record there is.
    func everything(after position: Int = 0) throws -> (records: [Record], position: Int) {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.followAll(after: position, ticket: ticket, into: inbox)
        let reached = try inbox.wait { if case .caughtUp(ticket, let position, _) = $0 { position } else { nil } }
        log.unfollow(ticket, into: inbox)
        return (inbox.records(ticket), reached)
    }
}

extension Event {
    static func test(_ number: Int, sealed: [UInt8]? = nil) -> Event {
        Event(time: 1_700_000_000_000 + number, type: "test", shown: Array("{\"n\":\(number)}".utf8), sealed: sealed)
    }
}

extension Commit {
    /// A commit of its own for each number.
    static func numbered(_ number: Int, events: Int = 1) -> Commit {
        Commit(id: "commit-\(number)", events: (0..<events).map { .test(number * 100 + $0) })
    }
}

extension StreamName {
    static let red = StreamName.room("red")
    static let blue = StreamName.room("blue")
    static let ada = StreamName.player("ada")
}
