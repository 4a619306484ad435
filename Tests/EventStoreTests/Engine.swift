import Foundation
import Records
import Synchronization
import Testing

@testable import EventStore

/// A folder of its own, deleted with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("eventstore-\(UUID())").path
    }

    /// How many of a database's files in it contain a text, in upper or lower case.
    func traces(of text: String, in database: String) -> Int {
        Database.fileNames(of: path + "/" + database).count { path in
            let bytes = FileManager.default.contents(atPath: path) ?? Data()
            return String(decoding: bytes, as: UTF8.self).lowercased().contains(text)
        }
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
    let openRows: @Sendable (Place, RowLayout) throws -> any RowStore
    /// Alters the third record of each stream, without the log's knowledge.
    let alter: @Sendable (Place) throws -> Void
    /// Makes a log look for what others have written; does nothing if the engine does so by itself.
    var poll: @Sendable (any EventLog) -> Void = { _ in }
    /// For a run of a process; nil if no other process writes.
    var openForRun: (@Sendable (Place, String) throws -> (log: any SharedEventLog, leases: any LeaseStore))?
    /// Stops the clock of leases at this time.
    var setClock: @Sendable (Place, Int) throws -> Void = { _, _ in }

    static let inMemory = Engine(
        testDescription: "in memory",
        open: { InMemoryLog(storage: $0.storage) },
        openRows: { _, _ in InMemoryRowStore() },
        alter: { $0.storage.alter(.red, version: 3, shown: [0]) },
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
        openRows: { place, layout in
            try FileManager.default.createDirectory(atPath: place.folder.path, withIntermediateDirectories: true)
            return try SQLiteRowStore(folder: place.folder.path, layout: layout)
        },
        alter: { place in
            try Database(path: LogFile(folder: place.folder.path).path, access: .readWrite)
                .execute("UPDATE records SET shown = x'00' WHERE version = 3")
        })

    static let postgreSQL = Engine(
        testDescription: "PostgreSQL",
        open: { try PostgreSQLServer.shared.get().open($0) },
        openRows: { try PostgreSQLServer.shared.get().openRows($0, layout: $1) },
        alter: { try PostgreSQLServer.shared.get().run("UPDATE @.records SET shown = '' WHERE version = 3", in: $0) },
        openForRun: { try PostgreSQLServer.shared.get().open($0, for: $1) },
        setClock: { try PostgreSQLServer.shared.get().setClock(of: $0, to: $1) })

    /// Without PostgreSQL if no server is installed, which a test of its own reports.
    static let all = [inMemory, sqlite] + installed
    /// Engines whose rows stay when the store is closed.
    static let lasting = [sqlite] + installed
    /// Engines whose log several processes open at a time.
    static let shared = [inMemory] + installed
    private static let installed = PostgreSQLServer.programs == nil ? [] : [postgreSQL]
}

extension RowStore {
    /// Waits for the answer.
    func answer(_ queries: [RowQuery] = []) throws -> RowAnswer {
        let reply = Reply<Result<RowAnswer, EventLogError>>()
        ask(queries, answer: reply.take)
        return try reply.wait().get()
    }

    /// Waits for the answer.
    func begun() throws -> RowAnswer {
        let reply = Reply<Result<RowAnswer, EventLogError>>()
        startWriting(answer: reply.take)
        return try reply.wait().get()
    }
}

extension Database {
    /// SQLite's plan for the query, step by step.
    func plan(of query: RowQuery) throws -> [String] {
        let statement = try prepare("EXPLAIN QUERY PLAN " + RowDialect.sqlite.select(query))
        var steps: [String] = []
        while try statement.step() { steps.append(statement.text(3)) }
        return steps
    }
}
