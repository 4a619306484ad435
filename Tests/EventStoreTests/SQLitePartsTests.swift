import Foundation
import Records
import Testing

@testable import EventStore

@Suite("SQLite: the threads, step by step") struct HistoryTests {
    private let folder = TemporaryFolder()
    private let inbox = RecordingInbox()

    private func open() throws -> (writer: RecordWriter, reader: RecordReader) {
        let file = LogFile(folder: folder.path)
        try file.makeFolder()
        try file.create()
        return (
            try RecordWriter(try file.openToWrite(), acknowledged: Acknowledged()),
            try RecordReader(try file.openToRead())
        )
    }

    private func append(_ writer: RecordWriter, _ stream: StreamName, events: Int, expecting: Int = 0) throws {
        try writer.beginTransaction()
        let end = try writer.reader.end(of: stream)
        #expect(end.version == expecting)
        _ = try writer.append(Draft.numbered(expecting, events: events).commit(to: stream, expecting: end))
        try writer.commit()
        writer.acknowledge()
    }

    private func erase(_ writer: RecordWriter, _ stream: StreamName) throws -> Erasure {
        try writer.beginTransaction()
        let result = try writer.append(.erasing(stream, at: try writer.reader.end(of: stream)))
        try writer.commit()
        writer.acknowledge()
        guard case .erased(let erasure, _) = result.changes.first else { throw NothingCame(messages: []) }
        return erasure
    }

    private func step(_ catchUp: CatchUp, _ progress: CatchUp.Progress, _ reader: RecordReader) throws -> CatchUp.Step {
        var outbox = Outbox()
        let step = try catchUp.readPiece(from: progress, with: reader, in: &outbox)
        outbox.flush()
        return step
    }

    @Test("a reader of all streams gets an erasure before later records") func tellsErasureInHistory() throws {
        let (writer, reader) = try open()
        try append(writer, .ada, events: 1)
        try append(writer, .red, events: CatchUp.pieceLimit)
        let catchUp = CatchUp(.all, ticket: 1, inbox: inbox)
        let progress = try #require(try step(catchUp, CatchUp.Progress(reached: 0), reader).more)
        let erasure = try erase(writer, .ada)
        try append(writer, .ada, events: 1)
        let end = try #require(try step(catchUp, progress, reader).end)
        #expect(end.reached == end.position && end.position == writer.acknowledged.position)
        // In its place: after the record that did not fit into the first piece, before the name's new owner.
        #expect(inbox.messages.firstIndex(of: .erased(1, erasure)) == 2)
        #expect(inbox.messages.count == 4)
        #expect(inbox.records(1).map(\.stream).last == .ada)
    }

    @Test("a reader of an erased stream learns of it and starts again") func beginsAnew() throws {
        let (writer, reader) = try open()
        try append(writer, .ada, events: 3)
        let catchUp = CatchUp(.stream(.ada), ticket: 1, inbox: inbox)
        let end = try #require(try step(catchUp, CatchUp.Progress(reached: 0), reader).end)
        let erasure = try erase(writer, .ada)
        catchUp.recordErasure(erasure, of: .ada)
        catchUp.recordErasure(erasure, of: .name("eve"))
        try append(writer, .ada, events: 1)
        let again = try #require(try step(catchUp, end, reader).more)
        #expect(again.reached == 0 && inbox.messages.last == .erased(1, erasure))
        _ = try step(catchUp, again, reader)
        #expect(inbox.records(1).map(\.version) == [1, 2, 3, 1])
    }

    @Test("the next writer finds what was acknowledged, and transactions of unknown outcome") func recovers() throws {
        let (first, _) = try open()
        try append(first, .red, events: 2)
        let acknowledged = first.acknowledged
        try append(first, .red, events: 2, expecting: 2)
        let second = try RecordWriter(try LogFile(folder: folder.path).openToWrite(), acknowledged: acknowledged)
        guard case .complete(let unsure, []) = try second.recover() else { throw NothingCame(messages: []) }
        #expect(unsure.map(\.version) == [3, 4])
        #expect(second.acknowledged.position == 4)
        try append(second, .red, events: 1, expecting: 4)
        #expect(second.acknowledged.position == 5)
    }

    @Test("the next writer finds an erasure of unknown outcome") func recoversErasure() throws {
        let (first, _) = try open()
        try append(first, .ada, events: 2)
        var acknowledged = first.acknowledged
        let erasure = try erase(first, .ada)
        // As the writer's thread does when the outcome is unknown.
        acknowledged.streams[.ada] = nil
        let second = try RecordWriter(try LogFile(folder: folder.path).openToWrite(), acknowledged: acknowledged)
        guard case .complete(let unsure, let found) = try second.recover() else { throw NothingCame(messages: []) }
        #expect(unsure.isEmpty && found == [erasure])
        #expect(second.acknowledged.position == erasure.position)
    }

    @Test("a loss during the check of the file is found") func findsLossMeanwhile() throws {
        let (first, _) = try open()
        try append(first, .red, events: 3)
        let (file, acknowledged, path) = (LogFile(folder: folder.path), first.acknowledged, folder.path)
        let other = try Database(path: file.path, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE; DELETE FROM records WHERE version = 3")
        // Whether it comes before or after the end of the transaction below, it must wait for that and then look.
        let inbox = inbox
        let thread = Thread {
            guard let writer = try? RecordWriter(try LogFile(folder: path).openToWrite(), acknowledged: acknowledged),
                case .lost(let stream, 3) = try? writer.recover()
            else { return inbox.deliver([.availability(.available)]) }
            inbox.deliver([.caughtUp(1, version: 3, head: stream.origin)])
        }
        thread.start()
        try other.execute("COMMIT")
        try inbox.wait { !$0.isEmpty }
        #expect(inbox.messages == [.caughtUp(1, version: 3, head: StreamName.red.origin)])
    }

    @Test(
        "what is asked about a commit is answered by an index, however long its stream is",
        arguments: [
            (
                RecordWriter.newestCommitsQuery,
                "SEARCH records USING COVERING INDEX records_by_version (stream=? AND version>?)"
            ),
            (
                RecordWriter.findNewestQuery,
                "SEARCH records USING COVERING INDEX records_by_version (stream=? AND version>? AND version<?)"
            ),
            (
                RecordWriter.storeCommitsStatement,
                "SEARCH records USING COVERING INDEX records_by_version (stream=? AND version>? AND version<?)"
            ),
            (RecordWriter.findStoredQuery, "SEARCH commits USING PRIMARY KEY (stream=? AND id=?)"),
        ])
    func looksUpByIndex(query: String, step: String) throws {
        _ = try open()
        let plan = try LogFile(folder: folder.path).openToRead().prepare("EXPLAIN QUERY PLAN " + query)
        #expect(try plan.step())
        #expect(plan.text(3) == step)
    }

    @Test("commits go to their table with each complete block, one that continues with its last version there")
    func storesCommits() throws {
        let (writer, _) = try open()
        let database = try LogFile(folder: folder.path).openToRead()
        for (events, end, stored, last) in [(255, 255, 0, 0), (3, 258, 2, 256), (253, 511, 2, 256), (300, 811, 4, 768)]
        {
            try append(writer, .red, events: events, expecting: end - events)
            #expect(try database.integer("SELECT count(*) FROM commits") == stored)
            #expect(try database.integer("SELECT coalesce(max(version), 0) FROM commits") == last)
            #expect(try database.integer(LogFile.countWrongCommits) == 0)
        }
        let written = "SELECT group_concat(hex(id) || version) FROM (SELECT * FROM commits ORDER BY id)"
        let before = try database.prepare(written).rows { $0.text(0) }
        let other = try Database(path: LogFile(folder: folder.path).path, access: .readWrite)
        try other.execute("DELETE FROM commits; \(LogFile.fillCommits)")
        #expect(try database.prepare(written).rows { $0.text(0) } == before)
    }

    @Test(
        "a check of the log finds commits whose row is missing, altered or too many",
        arguments: [
            ("DELETE FROM commits WHERE version = 7", 1), ("UPDATE commits SET version = 8 WHERE version = 7", 1),
            ("UPDATE commits SET id = x'00' WHERE version = 7", 2),
            ("INSERT INTO commits VALUES (1, x'00', 300)", 1),
            ("INSERT INTO commits VALUES (99, x'00', 1)", 1),
            ("INSERT INTO commits SELECT stream, commit_id, version FROM records WHERE version = 300", 1),
        ])
    func checksCommits(damage: String, count: Int) throws {
        try Desk(SQLiteLog(folder: folder.path)).fill(.red, to: 300)
        try Database(path: LogFile(folder: folder.path).path, access: .readWrite).execute(damage)
        let faults = try SQLiteLogReader(folder: folder.path).storageFaults()
        #expect(faults == ["\(count) rows of the table commits are missing or wrong"])
    }

    @Test("two ids with one hash are two commits") func tellsApartByID() throws {
        var ids: [UInt32: CommitID] = [:]
        var pair: [CommitID] = []
        for number in 0..<1_000_000 where pair.isEmpty {
            let id: CommitID = "commit-\(number)"
            if let other = ids.updateValue(id, forKey: RecentCommits.hash(id)) { pair = [other, id] }
        }
        try #require(pair.count == 2)
        let desk = Desk(try SQLiteLog(folder: folder.path))
        let drafts = pair.map { Draft(id: $0, events: [.test(1)]) }
        for version in 1...2 {
            let draft = drafts[version - 1]
            #expect(try desk.append(draft, to: .red, expecting: version - 1) == .appended(version: version))
        }
        for version in [2, 1] {
            #expect(try desk.append(drafts[version - 1], to: .red, expecting: 2) == .repeated(version: version))
        }
    }

    @Test("beyond the limit, the commits of all streams are forgotten") func boundsCommits() {
        // A stream counts as eight commits.
        var recent = RecentCommits(limit: 27)
        for stream in 1...4 {
            recent.makeRoom()
            recent.startStream(stream)
            recent.add("a", at: 1, in: stream)
            recent.add("a", at: 2, in: stream)
        }
        #expect(!recent.has(1) && !recent.has(3) && recent.latest("a", in: 4) == 2)
        recent.startStream(5)
        for version in 1...12 { recent.add("\(version)", at: version, in: 5) }
        recent.forget(upTo: 3, of: 5)
        #expect(recent.latest("3", in: 5) == nil && recent.latest("4", in: 5) == 4)
        recent.makeRoom()
        #expect(recent.has(5))
        recent.forget(5)
        recent.add("b", at: 1, in: 5)
        recent.makeRoom()
        #expect(recent.has(4) && !recent.has(5))
    }

    // With 25, the writer has room for what it writes to, but not for what it reads before.
    @Test("a commit in two streams is found again in both, however few the writer remembers", arguments: [1, 25, 100])
    func remembersWhole(limit: Int) throws {
        _ = try open()
        let database = try LogFile(folder: folder.path).openToWrite()
        let writer = try RecordWriter(
            database, acknowledged: Acknowledged(), recent: RecentCommits(limit: limit))
        try append(writer, .blue, events: 1)
        for version in 0..<20 { try append(writer, .red, events: 1, expecting: version) }
        let parts = try [StreamName.red, .blue].map { stream in
            Commit.Part.append([.test(1)], to: stream, expecting: try writer.reader.end(of: stream))
        }
        try writer.beginTransaction()
        #expect(try writer.append(Commit(id: "both", parts: parts)).answer == .appended(version: 21))
        for (part, version) in zip(parts, [21, 2]) {
            for (id, version) in [("commit-0", 1), ("both", version)] {
                let again = Commit(id: CommitID(text: id), parts: [part])
                #expect(try writer.append(again).answer == .repeated(version: version))
            }
        }
        try writer.commit()
    }

    @Test("beyond the limit, streams are forgotten and read again") func boundsStreams() throws {
        var acknowledged = Acknowledged()
        let row = StreamRow(id: 1, end: StreamName.red.start)
        acknowledged.streams = .init(
            uniqueKeysWithValues: (0..<Acknowledged.streamLimit).map { (StreamName.room("\($0)"), row) })
        acknowledged.merge([.red: row])
        #expect(acknowledged.streams == [.red: row])
    }
}

extension CatchUp.Step {
    fileprivate var more: CatchUp.Progress? { if case .more(let next) = self { next } else { nil } }
    fileprivate var end: CatchUp.Progress? { if case .end(let end) = self { end } else { nil } }
}

@Suite("SQLite: the reader for tools") struct SQLiteLogReaderTests {
    private let folder = TemporaryFolder()

    @Test("it reads next to an open log, and sees each append") func readsBeside() throws {
        let desk = Desk(try SQLiteLog(folder: folder.path))
        let reader = try SQLiteLogReader(folder: folder.path)
        #expect(try reader.streams(after: nil, limit: 9) == [])
        try desk.fill(.red, to: 3)
        try desk.fill(.blue, to: 1)
        try desk.fill(.ada, to: 1)
        #expect(try reader.streams(after: nil, limit: 9) == [.ada, .blue, .red])
        #expect(try reader.streams(after: .ada, limit: 1) == [.blue])
        let records = try desk.load(.red).get()
        #expect(try reader.records(of: .red, after: 1, limit: 1) == [records[1]])
        #expect(try reader.records(afterPosition: 0, limit: 99) == (try desk.everything().records))
        #expect(try reader.lastPosition() == 5)
        #expect(try reader.end(of: .red) == records[2].end)
        #expect(try reader.end(of: .room("none")) == StreamName.room("none").start)
    }

    @Test("it does not stop at a broken chain") func readsBroken() throws {
        try Desk(SQLiteLog(folder: folder.path)).fill(.red, to: 4)
        try Database(path: LogFile(folder: folder.path).path, access: .readWrite)
            .execute(
                "UPDATE records SET shown = x'00' WHERE version = 2; UPDATE records SET hash = x'' WHERE version = 4")
        let records = try SQLiteLogReader(folder: folder.path).records(of: .red, after: 0, limit: 9)
        #expect(records.map(\.version) == [1, 2, 3, 4])
        var chain = Chain(of: .red)
        try chain.accept(records[0])
        #expect(throws: EventLogError.chainBroken(stream: .red, version: 2)) { try chain.accept(records[1]) }
    }

    @Test("it reads a copy where nothing can be written") func readsImmutable() throws {
        try Desk(SQLiteLog(folder: folder.path)).fill(.red, to: 4)
        let database = try LogFile(folder: folder.path).openImmutable()
        #expect(try RecordReader(database).records(of: .red, after: 0, limit: 9).count == 4)
    }
}
