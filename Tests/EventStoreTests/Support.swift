import Cryptography
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

    /// The records for `ticket`, in order.
    func records(_ ticket: Ticket) -> [Record] {
        messages.flatMap { message in
            if case .records(ticket, let records) = message { records } else { [Record]() }
        }
    }
}

struct NothingCame: Error {
    let messages: [LogMessage]
}

/// A folder of its own, deleted with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("eventstore-\(UUID())").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }  // There is nothing to remove if nothing was written.
}

/// Where an engine keeps a log, which stays when the log is closed.
final class Place: Sendable {
    let folder = TemporaryFolder()
    let storage = InMemoryStorage()
    /// For an engine in memory; nil for the system's clock.
    let clock = Mutex<Int?>(nil)
    /// In a database that others share.
    let schema = "place_" + UUID().uuidString.prefix(8).lowercased()
}

/// An engine under the contract's tests.
struct Engine: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let open: @Sendable (Place) throws -> any EventLog
    let openRows: @Sendable (Place) throws -> any RowStore
    /// Makes a log look for what others have written; does nothing if the engine does so by itself.
    var poll: @Sendable (any EventLog) -> Void = { _ in }
    /// For a run of a process; nil if no other process writes.
    var openForRun: (@Sendable (Place, String) throws -> (log: any SharedEventLog, leases: any LeaseStore))?
    /// Stops the clock of leases at this time.
    var setClock: @Sendable (Place, Int) throws -> Void = { _, _ in }

    static let inMemory = Engine(
        testDescription: "in memory",
        open: { InMemoryLog(storage: $0.storage) },
        openRows: { _ in InMemoryRowStore() },
        poll: { ($0 as? InMemoryLog)?.poll() },
        openForRun: { place, run in
            let leases = InMemoryLeaseStore(storage: place.storage, run: run) {
                place.clock.withLock { $0 } ?? Int(Date().timeIntervalSince1970 * 1_000)
            }
            return (InMemoryLog(storage: place.storage, run: run), leases)
        },
        setClock: { place, time in place.clock.withLock { $0 = time } })

    static let sqlite = Engine(
        testDescription: "SQLite",
        open: { try SQLiteLog(folder: $0.folder.path) },
        openRows: { place in
            try FileManager.default.createDirectory(atPath: place.folder.path, withIntermediateDirectories: true)
            return try SQLiteRowStore(folder: place.folder.path, layout: .test)
        })

    static let postgreSQL = Engine(
        testDescription: "PostgreSQL",
        open: { try PostgreSQLServer.shared.get().open($0) },
        openRows: { try PostgreSQLServer.shared.get().openRows($0) },
        openForRun: { try PostgreSQLServer.shared.get().open($0, for: $1) },
        setClock: { try PostgreSQLServer.shared.get().setClock(of: $0, to: $1) })

    /// Without PostgreSQL if no server is installed, which a test of its own reports.
    static let all = [inMemory, sqlite] + installed
    /// Engines whose log several processes open at a time.
    static let shared = [inMemory] + installed
    private static let installed = PostgreSQLServer.programs == nil ? [] : [postgreSQL]
}

extension RowStore {
    /// Waits for the answer.
    func answer(_ queries: [RowQuery] = []) throws -> RowAnswer {
        let answers = Mutex<[Result<RowAnswer, EventLogError>]>([])
        let arrived = DispatchSemaphore(value: 0)
        ask(queries) { answer in
            answers.withLock { $0.append(answer) }
            arrived.signal()
        }
        arrived.wait()
        return try #require(answers.withLock { $0.first }).get()
    }
}

extension Database {
    /// SQLite's plan for the query, step by step.
    func plan(of query: RowQuery) throws -> [String] {
        let statement = try prepare("EXPLAIN QUERY PLAN " + query.sql)
        var steps: [String] = []
        while try statement.step() { steps.append(statement.text(3)) }
        return steps
    }
}

/// A log, with calls that wait for their answer.
final class Desk {
    let log: any EventLog
    /// Where the log is, if nothing else keeps it.
    private let place: Place?
    private var lastTicket: Ticket = 1_000

    init(_ log: any EventLog, in place: Place? = nil) { (self.log, self.place) = (log, place) }

    convenience init(_ engine: Engine) throws {
        let place = Place()
        self.init(try engine.open(place), in: place)
    }

    deinit { log.close() }

    func draw() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    func append(_ commit: Commit) throws -> AppendAnswer {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.append(commit, ticket: ticket, answer: inbox)
        return try inbox.wait { if case .settled(ticket, let answer) = $0 { answer } else { nil } }
    }

    /// Expects the stream to end at this version, with the head that it has there.
    func append(_ draft: Draft, to stream: StreamName, expecting version: Int) throws -> AppendAnswer {
        try append(draft.commit(to: stream, expecting: try end(of: stream, at: version)))
    }

    /// Appends one event in each commit, versions `from` to `to`.
    func fill(_ stream: StreamName, from: Int = 1, to: Int) throws {
        var end = try end(of: stream, at: from - 1)
        for version in from...to {
            let draft = Draft.numbered(version)
            #expect(try append(draft.commit(to: stream, expecting: end)) == .appended(version: version))
            end = end.after(draft.events)
        }
    }

    /// The end now, or at `version`. If the log cannot be read, or never had that version, a head that it never had.
    func end(of stream: StreamName, at version: Int? = nil) throws -> StreamEnd {
        let records = (try? load(stream).get()) ?? []
        let version = version ?? records.count
        guard version > 0 else { return stream.start }
        return version <= records.count
            ? records[version - 1].end : StreamEnd(version: version, head: SHA256.digest(of: "no head"))
    }

    func load(_ stream: StreamName, after: Int = 0, limit: Int = 1_000_000) throws -> Result<[Record], EventLogError> {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.load(stream, after: after, limit: limit, ticket: ticket, answer: inbox)
        return try inbox.wait { if case .loaded(ticket, let result) = $0 { result } else { nil } }
    }

    /// Expects the present end; for an empty stream, as if it had one record.
    func erase(_ stream: StreamName) throws -> AppendAnswer {
        let end = try end(of: stream)
        return try append(.erasing(stream, at: end == stream.start ? try self.end(of: stream, at: 1) : end))
    }

    /// Follows all streams from the beginning until caught up: every record.
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

/// A commit to a stream that is not chosen yet.
struct Draft: Sendable {
    let id: CommitID
    let events: [Event]

    /// Its own draft for each number.
    static func numbered(_ number: Int, events: Int = 1) -> Draft {
        Draft(id: "commit-\(number)", events: (0..<events).map { .test(number * 100 + $0) })
    }

    func commit(to stream: StreamName, expecting end: StreamEnd) -> Commit {
        Commit(id: id, appending: events, to: stream, expecting: end)
    }
}

extension Commit {
    static func erasing(_ stream: StreamName, at end: StreamEnd) -> Commit {
        Commit(id: "erase", parts: [.erase(stream, expecting: end)])
    }
}

extension StreamEnd {
    /// The end of a stream that `Desk.fill` has filled up to `version`.
    static func filled(_ stream: StreamName, to version: Int) -> StreamEnd {
        (0..<version).reduce(stream.start) { end, number in end.after(Draft.numbered(number + 1).events) }
    }

    func after(_ events: [Event]) -> StreamEnd {
        let hasher = SHA256()
        var end = self
        for event in events { end.advance(by: event, with: hasher) }
        return end
    }
}

extension EventLog {
    /// To a stream that ends at `version` as `Desk.fill` has filled it.
    func append(
        _ draft: Draft, to stream: StreamName, expecting version: Int, ticket: Ticket, answer: any LogInbox
    ) {
        append(draft.commit(to: stream, expecting: .filled(stream, to: version)), ticket: ticket, answer: answer)
    }
}

extension StreamName {
    static let red = StreamName.room("red")
    static let blue = StreamName.room("blue")
    static let ada = StreamName.name("ada")
}
