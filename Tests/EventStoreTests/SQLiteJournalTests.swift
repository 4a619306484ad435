import CSQLite
import Foundation
import Records
import Testing

@testable import EventStore

/// A file that an operator puts in a log's place.
struct RestoredFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Puts it at "copy". The log is in "data", was stopped once with ten records, and runs with twenty.
    let make: @Sendable (LogPlace) throws -> Void

    static let all = [
        RestoredFile(testDescription: "a copy by .backup while the hub ran") { place in
            try backUp(place.path("data/log.sqlite"), to: place.path("copy"))
        },
        RestoredFile(testDescription: "a copy by VACUUM INTO while the hub ran") { place in
            try Database(path: place.path("data/log.sqlite"), access: .readOnly)
                .execute("VACUUM INTO '\(place.path("copy"))'")
        },
        RestoredFile(testDescription: "a copy by VACUUM INTO that a hub has run on") { place in
            try place.makeFolder("elsewhere")
            try Database(path: place.path("data/log.sqlite"), access: .readOnly)
                .execute("VACUUM INTO '\(place.path("elsewhere/log.sqlite"))'")
            try Desk(SQLiteLog(folder: place.path("elsewhere"))).fill(.blue, to: 3)
            try place.move("elsewhere/log.sqlite", "copy")
        },
        RestoredFile(testDescription: "a copy by .backup of a copy by .backup that a hub runs on") { place in
            try place.makeFolder("elsewhere")
            try backUp(place.path("data/log.sqlite"), to: place.path("elsewhere/log.sqlite"))
            try Desk(SQLiteLog(folder: place.path("elsewhere"))).fill(.blue, to: 3)
            try backUp(place.path("elsewhere/log.sqlite"), to: place.path("copy"))
        },
        RestoredFile(testDescription: "a copy by cp while the hub was stopped") { try $0.copy("stopped", "copy") },
        RestoredFile(testDescription: "another log that was stopped") { place in
            try Desk(SQLiteLog(folder: place.path("another"))).fill(.red, to: 20)
            try place.move("another/log.sqlite", "copy")
        },
    ]

    fileprivate static func backUp(_ path: String, to copy: String) throws {
        var databases: (OpaquePointer?, OpaquePointer?)
        defer {
            sqlite3_close(databases.0)
            sqlite3_close(databases.1)
        }
        #expect(sqlite3_open(path, &databases.0) == SQLITE_OK && sqlite3_open(copy, &databases.1) == SQLITE_OK)
        // A connection that has written would copy the write-ahead log into the file when it is closed.
        #expect(sqlite3_exec(databases.0, "PRAGMA query_only = ON", nil, nil, nil) == SQLITE_OK)
        let backup = sqlite3_backup_init(databases.1, "main", databases.0, "main")
        #expect(sqlite3_backup_step(backup, -1) == SQLITE_DONE)
        #expect(sqlite3_backup_finish(backup) == SQLITE_OK)
    }
}

@Suite("SQLite: a log and its write-ahead log") struct SQLiteJournalTests {
    private let place: LogPlace

    init() throws { place = try LogPlace() }

    private func contents(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: place.path(name)))
    }

    @Test(
        "a file next to another's write-ahead log is refused, and left as it is",
        arguments: RestoredFile.all)
    func refuses(file: RestoredFile) throws {
        var desk = try place.open()
        try desk.fill(.red, to: 10)
        desk.log.close()
        try place.copy("data/log.sqlite", "stopped")
        desk = try place.open()
        try desk.fill(.red, from: 11, to: 20)
        try file.make(place)
        try desk.fill(.red, from: 21, to: 40)
        try place.copy("data", "killed")
        desk.log.close()
        try place.move("copy", "killed/log.sqlite")
        let path = place.path("killed/log.sqlite")
        let before = try ["killed/log.sqlite", "killed/log.sqlite-wal"].map(contents)
        let refusal = EventLogError.cannotOpen(
            path: path,
            reason: "it is a backup or another log, but \(path)-wal belongs to the log that was here before. "
                + "Delete that file and \(path)-shm, then start again")
        #expect(throws: refusal) { try SQLiteLog(folder: place.path("killed")) }
        #expect(throws: refusal) { try SQLiteLogReader(folder: place.path("killed")) }
        #expect(try ["killed/log.sqlite", "killed/log.sqlite-wal"].map(contents) == before)
        for end in ["-wal", "-shm"] { try place.remove("killed/log.sqlite" + end) }
        let restored = Desk(try SQLiteLog(folder: place.path("killed")))
        #expect([10, 20].contains(try restored.load(.red).get().count))
        try restored.fill(.room("again"), to: 3)
        // A hub on a copy that is killed has its own write-ahead log.
        try place.copy("killed", "again")
        #expect(try Desk(SQLiteLog(folder: place.path("again"))).load(.room("again")).get().count == 3)
    }

    @Test("a log that is newer than the write-ahead log next to it is refused")
    func refusesNewer() throws {
        var desk = try place.open()
        try desk.fill(.red, to: 10)
        try place.copy("data", "killed")
        desk.log.close()
        desk = try place.open()
        try desk.fill(.red, from: 11, to: 20)
        desk.log.close()
        try place.move("data/log.sqlite", "killed/log.sqlite")
        let error = #expect(throws: EventLogError.self) { try SQLiteLog(folder: place.path("killed")) }
        #expect(error?.sentence.contains("belongs to the log that was here before") == true)
    }

    @Test("a write-ahead log without a page to replay is accepted", arguments: [0, 32, 4_152])
    func ignoresEmptyJournal(size: Int) throws {
        let desk = try place.open()
        try desk.fill(.red, to: 10)
        desk.log.close()
        try Data(repeating: 7, count: size).write(to: URL(fileURLWithPath: place.path("data/log.sqlite-wal")))
        #expect(try place.open().load(.red).get().count == 10)
    }

    @Test("the epochs of a file are the last bytes of one page, in a copy too")
    func layout() throws {
        let desk = try place.open()
        try desk.fill(.red, to: 10)
        try Database(path: place.path("data/log.sqlite"), access: .readOnly)
            .execute("VACUUM INTO '\(place.path("copy"))'")
        desk.log.close()
        for path in ["copy", "data/log.sqlite"] {
            let database = try Database(path: place.path(path), access: .immutable)
            let (file, journal) = (try database.fileEpoch(), try database.journalEpoch())
            #expect(file?.epoch == journal?.epoch && file?.previous == journal?.previous && file != nil, "\(path)")
        }
    }

    /// Writes, with all kinds of checkpoints in between, and looks at each state that a killed process may leave,
    /// including those after each page of a checkpoint.
    @Test("a log that is killed at any moment recognises its own files")
    func survivesKills() throws {
        let file = LogFile(folder: place.path("data"))
        try file.makeFolder()
        try file.create()
        let database = try file.openToWrite()
        try database.checkpoint(isThorough: true)
        let writer = try RecordWriter(database, acknowledged: Acknowledged())
        var end = StreamName.red.start
        func write(_ count: Int) throws {
            for _ in 0..<count {
                let draft = Draft.numbered(end.version + 1)
                try writer.beginTransaction()
                _ = try writer.append(draft.commit(to: .red, expecting: end))
                try writer.commit()
                writer.acknowledge()
                end = end.after(draft.events)
                try expectWhole(try contents("data/log.sqlite"), end.version)
            }
        }
        func checkpoint(isThorough: Bool = false, by other: Database? = nil) throws {
            let (before, journal) = (try contents("data/log.sqlite"), try contents("data/log.sqlite-wal"))
            _ = try (other ?? database).checkpoint(isThorough: isThorough)
            let after = try contents("data/log.sqlite")
            let pages = after.count / 4_096
            for written in [0..<1, 1..<2, 2..<3, 1..<pages, 0..<pages / 2, pages / 2..<pages] {
                var mixed = before
                for page in written.clamped(to: 0..<pages) {
                    let place = page * 4_096..<(page + 1) * 4_096
                    if mixed.count < place.upperBound { mixed.count = place.upperBound }
                    mixed.replaceSubrange(place, with: after[place])
                }
                try expectWhole(mixed, end.version, journal: journal)
            }
            try expectWhole(after, end.version)
        }
        try write(3)
        try checkpoint()
        try write(3)
        // One that is stopped by a reader.
        let reader = try file.openToRead()
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM records")
        try write(3)
        try checkpoint()
        try write(3)
        try checkpoint(isThorough: true)
        try reader.execute("COMMIT")
        try write(2)
        try checkpoint(isThorough: true)
        try write(2)
        // Another program's connection.
        let other = try Database(path: file.path, access: .readWrite)
        other.keepsJournal = true
        try checkpoint(by: other)
        try write(3)
        try checkpoint(by: other)
        try write(3)
        try checkpoint()
        try write(3)
        try other.execute(
            """
            DROP INDEX records_by_version; CREATE INDEX records_by_version ON records (stream, version, commit_id)
            """)
        try checkpoint()
        try write(3)
        try checkpoint()
        try other.execute("VACUUM")
        try write(3)
        try checkpoint()
    }

    private func expectWhole(_ file: Data, _ count: Int, journal: Data? = nil) throws {
        try place.makeFolder("killed")
        defer { try? place.remove("killed") }  // Created above.
        try file.write(to: URL(fileURLWithPath: place.path("killed/log.sqlite")))
        let journal = try journal ?? contents("data/log.sqlite-wal")
        try journal.write(to: URL(fileURLWithPath: place.path("killed/log.sqlite-wal")))
        #expect(try Desk(SQLiteLog(folder: place.path("killed"))).load(.red).get().count == count)
    }
}
