import Cryptography
import Foundation
import Records
import Testing

@testable import EventStore

extension PostgreSQLServer {
    func open(_ place: Place, _ change: (inout PostgreSQLLog.Options) -> Void = { _ in }) throws -> PostgreSQLLog {
        var options = PostgreSQLLog.Options(schema: place.schema)
        change(&options)
        return try PostgreSQLLog(address: address, options: options)
    }

    func open(_ place: Place, for run: String) throws -> (log: any SharedEventLog, leases: any LeaseStore) {
        (
            try PostgreSQLLog(address: address, run: run, options: PostgreSQLLog.Options(schema: place.schema)),
            try openLeases(place, for: run)
        )
    }

    func openLeases(
        _ place: Place, for run: String, _ change: (inout PostgreSQLLeaseStore.Options) -> Void = { _ in }
    ) throws -> PostgreSQLLeaseStore {
        var options = PostgreSQLLeaseStore.Options(schema: place.schema)
        change(&options)
        return try PostgreSQLLeaseStore(address: address, run: run, options: options)
    }

    func openRows(
        _ place: Place, layout: RowLayout = .test, waitingLimit: Int? = nil, unwrittenLimit: Int? = nil
    ) throws -> PostgreSQLRowStore {
        var options = PostgreSQLRowStore.Options(schema: place.schema)
        if let waitingLimit { options.waitingLimit = waitingLimit }
        if let unwrittenLimit { options.unwrittenLimit = unwrittenLimit }
        return try PostgreSQLRowStore(address: address, layout: layout, options: options)
    }
}

@Suite("PostgreSQL: the database", .needsServer)
struct PostgreSQLLogTests {
    private let place = Place()

    @Test("a missing server is reported with its place") func findsNone() throws {
        #expect {
            try PostgreSQLLog(address: "postgresql://ada:s3cret@/games?host=/nowhere")
        } throws: { error in
            guard case .cannotOpen("postgresql:///games?host=/nowhere", let reason) = error as? EventLogError else {
                return false
            }
            return reason.contains("No such file") && !reason.contains("s3cret")
        }
    }

    @Test(
        "a database of another layout, or another program's, is refused",
        arguments: [
            ("UPDATE @.layout SET version = 1", "its tables are of layout 1, this program's of 6"),
            ("UPDATE @.layout SET program = 'other'", "tables of another program"),
            ("DELETE FROM @.layout", "tables of another program"),
            ("DROP TABLE @.layout", "tables of something else (alive)"),
            ("ALTER TABLE @.layout RENAME program TO owner", "tables of something else (layout)"),
        ])
    func refusesOthers(change: String, reason: String) throws {
        let server = try PostgreSQLServer.shared.get()
        try server.open(place).close()
        try server.run(change, in: place)
        #expect {
            try server.open(place)
        } throws: { error in
            guard case .notALog("postgresql:///postgres?host=\(server.folder)", let said) = error as? EventLogError
            else { return false }
            return said.contains(reason) && said.contains("another database")
        }
    }

    @Test("a role that may not create the schema learns what it lacks, and only needs its own schema")
    func needsRights() throws {
        let server = try PostgreSQLServer.shared.get()
        let connection = try server.connect()
        try connection.run("CREATE ROLE \(place.schema) LOGIN")
        let address = "postgresql://\(place.schema)@/postgres?host=\(server.folder)"
        let options = PostgreSQLLog.Options(schema: place.schema)
        #expect {
            try PostgreSQLLog(address: address, options: options)
        } throws: { error in
            "\(error)".contains("The role needs CREATE on the database, or a schema")
        }
        try connection.run("CREATE SCHEMA \(place.schema) AUTHORIZATION \(place.schema)")
        let desk = Desk(try PostgreSQLLog(address: address, options: options))
        try desk.fill(.red, to: 2)
        #expect(try desk.load(.red).get().count == 2)
    }

    @Test("several logs can open an empty database at the same time") func opensTogether() async throws {
        let server = try PostgreSQLServer.shared.get()
        let place = place
        try await withThrowingTaskGroup(of: AppendAnswer.self) { group in
            for number in 1...4 {
                group.addTask {
                    let desk = Desk(try server.open(place))
                    return try desk.append(.numbered(number), to: .room("\(number)"), expecting: 0)
                }
            }
            for try await answer in group { #expect(answer == .appended(version: 1)) }
        }
    }

    @Test("a log waits for a node that makes tables longer than for a lock, and once it has its own not at all")
    func waitsForTables() throws {
        let server = try PostgreSQLServer.shared.get()
        // A database of its own, so that other tests do not wait.
        try server.connect().run("CREATE DATABASE \(place.schema)")
        let address = "postgresql://flipside@/\(place.schema)?host=\(server.folder)"
        @Sendable func lock() throws -> ServerConnection {
            let other = try ServerConnection(to: DatabaseAddress(address), settings: "SET client_min_messages = error")
            try other.run("BEGIN; SELECT pg_advisory_xact_lock(\(DatabaseSchema.lockClass), 0)")
            return other
        }
        let isLocked = Reply<Bool>()
        Thread.detachNewThread {
            let other = try? lock()
            isLocked.take(other != nil)
            // `lock_timeout` is 2 s. Without the rest, the connection's end releases the lock.
            _ = try? other?.run("SELECT pg_sleep(2.5)")
        }
        #expect(try isLocked.wait())
        try PostgreSQLLog(address: address).close()
        let other = try lock()
        let desk = Desk(try PostgreSQLLog(address: address))
        _ = try PostgreSQLLeaseStore(address: address, run: "a")
        #expect(try desk.append(.numbered(1), to: .red, expecting: 0) == .appended(version: 1))
        #expect(other.isInTransaction)
    }

    @Test("a commit that the server refuses fails alone") func failsAlone() throws {
        let server = try PostgreSQLServer.shared.get()
        let desk = Desk(try server.open(place))
        let inbox = RecordingInbox()
        for number in 1...9 {
            // A text cannot contain a zero.
            let event = Event(time: 1, type: number == 5 ? "\u{0}" : "a", shown: [])
            let stream = StreamName.room("\(number)")
            let commit = Commit(id: "one", appending: [event], to: stream, expecting: stream.start)
            desk.log.append(commit, ticket: Ticket(number), answer: inbox)
        }
        try inbox.wait { $0.count == 9 }
        for message in inbox.messages {
            switch message {
            case .settled(5, .unavailable(.cannotWrite(let reason))): #expect(reason.contains("0x00"))
            case .settled(_, let answer): #expect(answer == .appended(version: 1))
            default: Issue.record("\(message)")
            }
        }
        // The failed transactions leave gaps, which nothing will fill.
        #expect(try desk.everything().records.count == 8)
        #expect(try desk.append(.numbered(1), to: .red, expecting: 0) == .appended(version: 1))
    }
}
