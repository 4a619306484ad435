import Cryptography
import Records

/// What was acknowledged. A file that is opened again must have all of it.
struct Acknowledged: Sendable {
    /// Most streams remembered: about 10 MB. Beyond it all are forgotten, and each costs two look-ups once.
    static let streamLimit = 65_536

    /// Streams that were written to recently.
    var streams: [StreamName: StreamRow] = [:]
    var tally = LogTally()
    var position: Int {
        get { tally.position }
        set { tally.position = newValue }
    }

    mutating func merge(_ changed: [StreamName: StreamRow]) {
        if streams.count + changed.count > Acknowledged.streamLimit { streams.removeAll(keepingCapacity: true) }
        for (stream, row) in changed { streams[stream] = row }
    }
}

/// Writes records through one connection, one transaction at a time. Must not be used after a failure: the next writer
/// finds out what is in the file.
final class RecordWriter {
    /// What is durable and in its place. `acknowledge` changes it, and `recover` when it finds a transaction.
    private(set) var acknowledged: Acknowledged
    /// Reads through the same connection.
    let reader: RecordReader
    private let database: Database
    private let hasher = SHA256()
    private let addStream: Statement
    private let addRecord: Statement
    private let newestCommits: Statement
    private let findNewest: Statement
    private let findStored: Statement
    private let storeCommits: Statement
    private let beginning: Statement
    private let ending: Statement
    private let addErasure: Statement
    /// Streams as the transaction under way leaves them.
    private var pending: [StreamName: StreamRow] = [:]
    /// With those of the transaction under way.
    private var recent: RecentCommits
    /// The tally after that transaction.
    private(set) var tally: LogTally

    /// `unsure` is the tally if a transaction of unknown outcome was committed.
    init(
        _ database: Database, acknowledged: Acknowledged, unsure: LogTally? = nil,
        recent: RecentCommits = RecentCommits()
    ) throws(SQLiteError) {
        self.database = database
        self.recent = recent
        self.acknowledged = acknowledged
        tally = unsure ?? acknowledged.tally
        reader = try RecordReader(database)
        addStream = try database.prepare(RecordWriter.addStreamStatement)
        addRecord = try database.prepare(RecordWriter.addRecordStatement)
        newestCommits = try database.prepare(RecordWriter.newestCommitsQuery)
        findNewest = try database.prepare(RecordWriter.findNewestQuery)
        findStored = try database.prepare(RecordWriter.findStoredQuery)
        storeCommits = try database.prepare(RecordWriter.storeCommitsStatement)
        beginning = try database.prepare("BEGIN")
        ending = try database.prepare("COMMIT")
        addErasure = try database.prepare(RecordWriter.addErasureStatement)
    }

    /// Run by `Statement.insert`.
    static let addStreamStatement = "INSERT INTO streams (name) VALUES (?1) RETURNING id"
    /// Values as `Statement.bind(_:stream:)` gives them.
    static let addRecordStatement = """
        INSERT INTO records (position, stream, version, time, type, commit_id, shown, sealed, hash)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """
    static let addErasureStatement = "INSERT INTO erasures (position, head) VALUES (?1, ?2)"

    // Answered by the index alone.
    static let newestCommitsQuery = """
        SELECT commit_id, version FROM records WHERE stream = ?1 AND version > ?2 ORDER BY version
        """
    static let findNewestQuery = """
        SELECT version FROM records WHERE stream = ?1 AND version > ?2 AND version <= ?3 AND commit_id = ?4
        ORDER BY version DESC LIMIT 1
        """
    static let findStoredQuery = "SELECT version FROM commits WHERE stream = ?1 AND id = ?2"
    /// A commit that began in the previous block has a row already.
    static let storeCommitsStatement = """
        INSERT OR REPLACE INTO commits (stream, id, version)
        SELECT stream, commit_id, max(version) FROM records WHERE stream = ?1 AND version > ?2 AND version <= ?3
        GROUP BY commit_id
        """

    func beginTransaction() throws(SQLiteError) {
        try beginning.run()
        if database.mayRestartJournal { try database.beginJournalEpoch() }
    }

    /// The only call that waits for the disk.
    func commit() throws(SQLiteError) {
        try ending.run()
        database.mayRestartJournal = false
    }

    /// What was committed may be shown.
    func acknowledge() {
        acknowledged.merge(pending)
        acknowledged.tally = tally
        pending.removeAll(keepingCapacity: true)
    }

    /// Judges a commit and writes it if it fits. A conflict or repeat leaves the transaction unchanged.
    func append(_ commit: Commit) throws(SQLiteError) -> AppendResult {
        recent.makeRoom()
        var streams: [StreamRow] = []
        streams.reserveCapacity(commit.parts.count)
        for part in commit.parts {
            let stream = try row(of: part.stream)
            if let id = stream.id, let version = try version(of: commit.id, stream: id, end: stream.end.version) {
                return .repeated(version: version)
            }
            streams.append(stream)
        }
        for (part, stream) in zip(commit.parts, streams) where stream.end != part.expected {
            return .conflict(part.stream, actual: stream.end)
        }
        var changes: [StreamChange] = []
        changes.reserveCapacity(commit.parts.count)
        for (part, stream) in zip(commit.parts, streams) {
            switch part {
            case .append(let events, let name, _):
                changes.append(.records(try append(events, of: commit.id, to: stream, named: name)))
            case .erase(let name, _): changes.append(.erased(try erase(stream, named: name), of: name))
            }
        }
        return .written(changes)
    }

    private func append(
        _ events: [Event], of commit: CommitID, to stream: StreamRow, named name: StreamName
    ) throws(SQLiteError) -> [Record] {
        let id = if let id = stream.id { id } else { try add(name) }
        var end = stream.end
        var records: [Record] = []
        records.reserveCapacity(events.count)
        let isErasable = name.isErasable
        for event in events {
            tally.position += 1
            end.advance(by: event, with: hasher)
            let record = Record(
                stream: name, version: end.version, position: tally.position, commit: commit, event: event,
                hash: end.head)
            try add(record, stream: id)
            tally.add(record, isErasable: isErasable)
            records.append(record)
        }
        recent.add(commit, at: end.version, in: id)
        try storeCommits(of: id, from: stream.end.version, to: end.version)
        pending[name] = StreamRow(id: id, end: end)
        return records
    }

    /// Takes its own position, so that readers can tell before from after.
    private func erase(_ stream: StreamRow, named name: StreamName) throws(SQLiteError) -> Erasure {
        guard let id = stream.id else { preconditionFailure("a commit erases no stream without records") }
        for record in try reader.records(of: name, after: 0, limit: .max) { tally.remove(record) }
        tally.position += 1
        let position = tally.position
        try database.execute(
            """
            DELETE FROM records WHERE stream = \(id); DELETE FROM commits WHERE stream = \(id);
            DELETE FROM streams WHERE id = \(id);
            INSERT OR REPLACE INTO marks (name, value) VALUES ('position', \(position));
            """)
        // The next new stream may get this number.
        recent.forget(id)
        addErasure.bind(position, at: 1)
        addErasure.bind(stream.end.head.bytes, at: 2)
        try addErasure.run()
        pending[name] = StreamRow(id: nil, end: name.start)
        return Erasure(position: position, head: stream.end.head)
    }

    /// It is unknown whether these streams were erased, so `recover` does not expect their content.
    func doubt(_ streams: [StreamName]) { for stream in streams { acknowledged.streams[stream] = nil } }

    /// Whether the file has everything that was acknowledged, and takes writes. Further records belong to a commit of
    /// unknown outcome. They are returned, and acknowledged from here on.
    func recover() throws(SQLiteError) -> Recovery {
        // One transaction, with the file locked before the check, so that no one can change what it finds.
        try database.execute("BEGIN IMMEDIATE")
        pending.removeAll(keepingCapacity: true)
        recent.forgetAll()
        for (stream, row) in acknowledged.streams where row.end.version > 0 {
            guard try reader.hash(of: stream, version: row.end.version) == row.end.head else {
                try database.execute("ROLLBACK")
                return .lost(stream, row.end.version)
            }
        }
        guard try reader.lastPosition() >= acknowledged.position else {
            try database.execute("ROLLBACK")
            return .older(acknowledged.position)
        }
        // At most one transaction can have been added.
        let unsure = try reader.records(afterPosition: acknowledged.position, limit: .max)
        let erasures = try reader.erasures(afterPosition: acknowledged.position, limit: .max)
        // A write of its own, with its sync, ends what a failed commit may have left in the write-ahead log.
        try database.execute(
            """
            INSERT INTO marks (name, value) VALUES ('recoveries', 1)
            ON CONFLICT (name) DO UPDATE SET value = value + 1;
            COMMIT;
            """)
        try database.checkpoint()
        acknowledged.streams.removeAll()
        // The file has either all of the transaction, or nothing of it.
        let position = max(try reader.lastPosition(), acknowledged.position)
        if position == acknowledged.position {
            tally = acknowledged.tally
        } else if position != tally.position {
            tally = try reader.tally()
        }
        acknowledged.tally = tally
        return .complete(unsure: unsure, erasures)
    }

    /// Makes closing copy the write-ahead log into the file and delete it. SQLite deletes by name, so do not call it if
    /// the name may be another file's.
    func endOrderly() { database.keepsJournal = false }

    func takePagesWritten() -> Int { database.takePagesWritten() }

    func checkpoint(isThorough: Bool) throws(SQLiteError) -> Bool { try database.checkpoint(isThorough: isThorough) }

    private func row(of stream: StreamName) throws(SQLiteError) -> StreamRow {
        if let known = pending[stream] ?? acknowledged.streams[stream] { return known }
        return try reader.row(of: stream)
    }

    /// The last version of a commit in a stream that ends at `end`; nil if the stream does not have it.
    private func version(of commit: CommitID, stream: Int, end: Int) throws(SQLiteError) -> Int? {
        let stored = RecentCommits.storedVersion(at: end)
        if !recent.has(stream) { try readCommits(of: stream, after: stored) }
        if let latest = recent.latest(commit, in: stream) {
            findNewest.bind(stream, at: 1)
            findNewest.bind(stored, at: 2)
            findNewest.bind(latest, at: 3)
            findNewest.bind(bytesOf: commit.text, at: 4)
            if let version = try findNewest.first() { return version }
        }
        guard stored > 0 else { return nil }
        findStored.bind(stream, at: 1)
        findStored.bind(bytesOf: commit.text, at: 2)
        return try findStored.first()
    }

    private func readCommits(of stream: Int, after stored: Int) throws(SQLiteError) {
        recent.startStream(stream)
        defer { newestCommits.reset() }
        newestCommits.bind(stream, at: 1)
        newestCommits.bind(stored, at: 2)
        while try newestCommits.step() {
            recent.add(CommitID(text: newestCommits.text(0)), at: newestCommits.integer(1), in: stream)
        }
    }

    /// Each block that the stream has completed goes to the table.
    private func storeCommits(of stream: Int, from start: Int, to end: Int) throws(SQLiteError) {
        let (first, last) = (RecentCommits.storedVersion(at: start), RecentCommits.storedVersion(at: end))
        guard last > first else { return }
        storeCommits.bind(stream, at: 1)
        storeCommits.bind(first, at: 2)
        storeCommits.bind(last, at: 3)
        try storeCommits.run()
        recent.forget(upTo: last, of: stream)
    }

    private func add(_ name: StreamName) throws(SQLiteError) -> Int {
        let id = try addStream.insert(name)
        recent.startStream(id)
        return id
    }

    private func add(_ record: Record, stream: Int) throws(SQLiteError) {
        addRecord.bind(record, stream: stream)
        try addRecord.run()
    }
}

extension Statement {
    /// The number in the first row; nil if there is none.
    fileprivate func first() throws(SQLiteError) -> Int? {
        defer { reset() }
        return try step() ? integer(0) : nil
    }

    /// The stream's new number.
    func insert(_ stream: StreamName) throws(SQLiteError) -> Int {
        bind(bytesOf: stream.text, at: 1)
        var id = 0
        while try step() { id = integer(0) }
        return id
    }

    func bind(_ record: Record, stream: Int) {
        bind(record.position, at: 1)
        bind(stream, at: 2)
        bind(record.version, at: 3)
        bind(record.event.time, at: 4)
        bind(record.event.type, at: 5)
        bind(bytesOf: record.commit.text, at: 6)
        bind(record.event.shown, at: 7)
        bind(record.event.sealed, at: 8)
        bind(record.hash.bytes, at: 9)
    }
}

/// The state of a file that is opened again after a failure.
enum Recovery: Sendable {
    /// With the records and erasures of unknown outcome, if they were written.
    case complete(unsure: [Record], [Erasure])
    /// An acknowledged record is missing or differs. No one should write to such a file.
    case lost(StreamName, Int)
    /// It ends before this acknowledged position. No one should write to it.
    case older(Int)
}
