import CSQLite
import Foundation
import Records
import Testing
import Threads

@testable import EventStore

/// An inbox that blocks the delivering thread until it is opened.
final class GatedInbox: LogInbox, Sendable {
    private let held = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func deliver(_ messages: [LogMessage]) {
        held.signal()
        opened.wait()
    }

    func waitUntilHeld() { held.wait() }
    func open() { opened.signal() }
}

@Suite("SQLite: files") struct SQLiteLogFileTests {
    private let folder = TemporaryFolder()
    private var path: String { LogFile(folder: folder.path).path }

    private func fill(_ count: Int = 20) throws {
        try Desk(SQLiteLog(folder: folder.path)).fill(.red, to: count)
    }

    @Test("a second writer is kept out until the first has closed") func locks() throws {
        let log = try SQLiteLog(folder: folder.path)
        #expect(throws: EventLogError.inUse(path: path)) { try SQLiteLog(folder: folder.path) }
        log.close()
        try SQLiteLog(folder: folder.path).close()
    }

    @Test("a writer that is kept out closes its descriptor once, so none of another thread") func closesOnce() throws {
        let file = LogFile(folder: folder.path)
        try file.makeFolder()
        let (lock, other) = (try LogLock(file), folder.path + "/other")
        let (hasEnded, hasLost, ended) = (Flag(), Flag(), Latch())
        Thread.detachNewThread {
            while !hasEnded.isRaised {
                let descriptor = Glibc.open(other, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                sched_yield()
                if descriptor >= 0, Glibc.close(descriptor) != 0 { hasLost.raise() }
            }
            ended.open()
        }
        for _ in 0..<20_000 { #expect(throws: EventLogError.inUse(path: path)) { try LogLock(file) } }
        hasEnded.raise()
        #expect(ended.wait(.seconds(60)))
        #expect(!hasLost.isRaised)
        withExtendedLifetime(lock) {}
    }

    @Test(
        "a file that is not a log is refused by name and left as it is",
        arguments: [Data(), Data("<html>".utf8), Data(repeating: 9, count: 9_000)])
    func refusesGarbage(bytes: Data) throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: EventLogError.self) { try SQLiteLog(folder: folder.path) }
        guard case .notALog(path, _) = error else { throw NothingCame(messages: []) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test(
        "another program's database, or a newer log, is refused with a sentence",
        arguments: [
            ("PRAGMA application_id = 7", "it is a file of another program, or empty"),
            ("PRAGMA user_version = 99", "it was written by a newer program (layout 99, this one has 9). Use that one"),
        ])
    func refusesOthers(change: String, reason: String) throws {
        try fill()
        try Database(path: path, access: .readWrite).execute(change)
        #expect(throws: EventLogError.notALog(path: path, reason: reason)) { try SQLiteLog(folder: folder.path) }
        #expect(throws: EventLogError.notALog(path: path, reason: reason)) { try SQLiteLogReader(folder: folder.path) }
    }

    @Test("a write-ahead log whose log is missing is not mixed with a new one")
    func refusesForeignJournal() throws {
        try fill()
        let journal = path + "-wal"
        try FileManager.default.removeItem(atPath: path)
        try Data(repeating: 7, count: 4_152).write(to: URL(fileURLWithPath: journal))
        let error = #expect(throws: EventLogError.self) { try SQLiteLog(folder: folder.path) }
        #expect(error?.sentence.contains("Put the log back") == true)
        try Data().write(to: URL(fileURLWithPath: journal))
        try SQLiteLog(folder: folder.path).close()
    }

    @Test("a file cut short is noticed when it is opened", arguments: [512, 4_096, 8_192, 20_000])
    func refusesTruncated(size: Int) throws {
        try fill(400)
        #expect(truncate(path, size) == 0)
        #expect(throws: EventLogError.self) { try SQLiteLog(folder: folder.path) }
    }

    @Test("a folder that cannot be created is refused by name") func refusesFolder() throws {
        let inside = folder.path + "/a/b"
        #expect(throws: EventLogError.cannotOpen(path: inside, reason: "No such file or directory")) {
            try SQLiteLog(folder: inside)
        }
        #expect(
            throws: EventLogError.cannotOpen(path: folder.path + "/log.sqlite", reason: "No such file or directory")
        ) { try SQLiteLogReader(folder: folder.path) }
    }

    @Test("a folder's name may have any characters") func escapesPath() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let odd = folder.path + "/a?b#c%20d é"
        try Desk(SQLiteLog(folder: odd)).fill(.red, to: 1)
        #expect(FileManager.default.fileExists(atPath: odd + "/log.sqlite"))
    }

    @Test("a log whose creation was interrupted is created again") func makesAgain() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(fileURLWithPath: path + ".new"))
        try fill(1)
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    }

    @Test("a record with any altered part is found", arguments: ["sealed = x'00'", "hash = x'00'", "version = 900"])
    func findsAlteration(change: String) throws {
        try fill(5)
        try Database(path: path, access: .readWrite).execute("UPDATE records SET \(change) WHERE version = 3")
        let desk = Desk(try SQLiteLog(folder: folder.path))
        #expect(try desk.load(.red) == .failure(.chainBroken(stream: .red, version: 3)))
    }

    @Test("a log without its index is refused with a sentence that says how to create it again")
    func refusesMissingIndex() throws {
        let sql = "CREATE INDEX records_by_version ON records (stream, version, commit_id)"
        try fill(3)
        let database = try Database(path: path, access: .readWrite)
        try database.execute("DROP INDEX records_by_version")
        let refusal = EventLogError.cannotRead(
            reason: "\(path): the index records_by_version is missing. Restore a backup, or create the index with "
                + "sqlite3 \(path) \"\(sql)\"")
        #expect(throws: refusal) { try SQLiteLog(folder: folder.path) }
        #expect(throws: refusal) { try SQLiteLogReader(folder: folder.path) }
        try database.execute(sql)
        #expect(try Desk(SQLiteLog(folder: folder.path)).load(.red).get().count == 3)
    }

    @Test("a log of an older layout is refused with a sentence, and left as it is", arguments: [1, 2, 3, 4, 5, 6])
    func refusesOlder(layout: Int) throws {
        try fill(3)
        let names = layout == 1 ? "DROP TABLE erasures;" : ""
        try Database(path: path, access: .readWrite)
            .execute(
                """
                \(names) DROP TABLE streams; CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
                INSERT INTO streams (name) VALUES ('room/red'); PRAGMA user_version = \(layout);
                """)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let refusal = EventLogError.notALog(
            path: path,
            reason: "it was written by an older program (layout \(layout), this one has 9). Keep using that "
                + "program, or start in another folder (--data)")
        #expect(throws: refusal) { try SQLiteLog(folder: folder.path) }
        #expect(throws: refusal) { try SQLiteLogReader(folder: folder.path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test("an erased name is nowhere in the files", arguments: [true, false])
    func overwritesErased(isClosed: Bool) throws {
        let secret = Event(time: 0, type: "registered", shown: Array("{\"name\":\"Grace-Hopper\"}".utf8))
        let desk = Desk(try SQLiteLog(folder: folder.path))
        let name = StreamName.name("grace-hopper")
        try desk.fill(.red, to: 3)
        _ = try desk.append(Draft(id: "grace-hopper:1", events: [secret]), to: name, expecting: 0)
        func traces() -> Int { folder.traces(of: "grace-hopper", in: "log.sqlite") }
        #expect(traces() > 0)
        _ = try desk.erase(name)
        if isClosed { desk.log.close() }
        // A reader may have been in the way. Then it leaves some pages later.
        for version in 3..<200 where !isClosed && (version == 3 || traces() > 0) {
            _ = try desk.append(.numbered(version + 1), to: .red, expecting: version)
        }
        #expect(traces() == 0)
    }
}

@Suite("SQLite: limits") struct SQLiteLimitTests {
    private let folder = TemporaryFolder()

    @Test("an append beyond the limit of waiting ones is refused at once") func boundsAppends() throws {
        let log = try SQLiteLog(folder: folder.path, options: .init(waitingLimit: 3))
        let (gate, inbox, late) = (GatedInbox(), RecordingInbox(), RecordingInbox())
        log.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: gate)
        gate.waitUntilHeld()
        for ticket: Ticket in 2...4 {
            log.append(.numbered(1), to: .room("\(ticket)"), expecting: 0, ticket: ticket, answer: inbox)
        }
        log.append(.numbered(1), to: .blue, expecting: 0, ticket: 5, answer: late)
        #expect(late.messages == [.settled(5, .unavailable(.busy(reason: "3 calls are already waiting")))])
        gate.open()
        try inbox.wait { $0.count == 3 }
        log.append(.numbered(1), to: .blue, expecting: 0, ticket: 6, answer: late)
        try late.wait { $0.last == .settled(6, .appended(version: 1)) }
        log.close()
    }

    @Test("a read beyond the limit of waiting ones is refused at once") func boundsReads() throws {
        let log = try SQLiteLog(folder: folder.path, options: .init(waitingLimit: 1))
        let (gate, inbox) = (GatedInbox(), RecordingInbox())
        log.load(.red, after: 0, limit: 1, ticket: 1, answer: gate)
        gate.waitUntilHeld()
        log.load(.red, after: 0, limit: 1, ticket: 2, answer: inbox)
        log.load(.red, after: 0, limit: 1, ticket: 3, answer: inbox)
        log.follow(.red, after: 0, ticket: 4, into: inbox)
        let full = EventLogError.busy(reason: "1 calls are already waiting")
        #expect(inbox.messages == [.loaded(3, .failure(full)), .followFailed(4, full)])
        gate.open()
        try inbox.wait { $0.count == 3 }
        log.close()
    }

    @Test("appends that do not fit into a transaction go into the next, in order") func splitsBatches() throws {
        let log = try SQLiteLog(folder: folder.path)
        let (gate, inbox) = (GatedInbox(), RecordingInbox())
        log.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: gate)
        gate.waitUntilHeld()
        let count = WriterThread.transactionLimit + 1
        var end = StreamName.blue.start
        for number in 1...count {
            let draft = Draft.numbered(number)
            log.append(draft.commit(to: .blue, expecting: end), ticket: Ticket(number), answer: inbox)
            end = end.after(draft.events)
        }
        gate.open()
        try inbox.wait { $0.count == count }
        #expect(inbox.messages == (1...count).map { .settled(Ticket($0), .appended(version: $0)) })
        #expect(inbox.outbox.map(\.count) == [count - 1, 1])
        #expect(log.counters.syncs.count == 3)
        log.close()
    }

    @Test("the write-ahead log is copied into the file before it grows long") func checkpoints() throws {
        let log = try SQLiteLog(folder: folder.path)
        let desk = Desk(log)
        let event = Event(time: 0, type: "long", shown: Array(repeating: 1, count: 1 << 20))
        let pages = CheckpointPlan.pages * 4_096
        for version in 1...(pages >> 20) + 1 {
            _ = try desk.append(Draft(id: "\(version)", events: [event]), to: .red, expecting: version - 1)
        }
        // The next answer comes after the checkpoint that the last append made due.
        try desk.fill(.blue, to: 1)
        #expect(log.counters.checkpoints == 1)
        #expect(log.counters.journalBytes > pages)
    }

    @Test("a long catch-up is delivered completely, in pieces") func readsInPieces() throws {
        let desk = Desk(try SQLiteLog(folder: folder.path))
        let count = CatchUp.pieceLimit * 2
        _ = try desk.append(.numbered(1, events: count), to: .red, expecting: 0)
        let inbox = RecordingInbox()
        desk.log.follow(.red, after: 0, ticket: 1, into: inbox)
        desk.log.followAll(after: 1, ticket: 2, into: inbox)
        try inbox.wait { $0.count { if case .caughtUp = $0 { true } else { false } } == 2 }
        #expect(inbox.records(1) == (try desk.load(.red).get()))
        #expect(inbox.records(2).map(\.position) == Array(2...count))
        #expect(inbox.messages.count == 6)
    }
}
