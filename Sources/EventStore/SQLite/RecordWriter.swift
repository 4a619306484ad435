import Cryptography

/// What the world has been told is in the log: a file that is opened again must hold it.
struct Acknowledged: Sendable {
    /// Most heads that are remembered: about 10 MB. Past it all are forgotten, and each costs two look-ups once.
    static let headLimit = 65_536

    /// Where streams end that were appended to lately.
    var heads: [StreamName: StreamHead] = [:]
    /// The highest position given.
    var position = 0

    mutating func merge(_ changed: [StreamName: StreamHead]) {
        if heads.count + changed.count > Acknowledged.headLimit { heads.removeAll(keepingCapacity: true) }
        for (stream, head) in changed { heads[stream] = head }
    }
}

/// Writes records through one connection, a transaction at a time. After a failure it must not be used again: what is
/// in the file is for the next one to find out.
final class RecordWriter {
    /// What is durable; it changes when a transaction ends.
    private(set) var acknowledged: Acknowledged
    /// Reads through the same connection.
    let reader: RecordReader
    private let database: Database
    private let hasher = SHA256()
    private let addStream: Statement
    private let addRecord: Statement
    private let findCommit: Statement
    private let addErasure: Statement
    /// Heads as the transaction under way leaves them.
    private var pending: [StreamName: StreamHead] = [:]
    private var position: Int

    init(_ database: Database, acknowledged: Acknowledged) throws(SQLiteFailure) {
        self.database = database
        self.acknowledged = acknowledged
        position = acknowledged.position
        reader = try RecordReader(database)
        addStream = try database.prepare("INSERT INTO streams (name) VALUES (?1) RETURNING id")
        addRecord = try database.prepare(
            """
            INSERT INTO records (position, stream, version, time, type, commit_id, shown, sealed, hash)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        findCommit = try database.prepare(RecordWriter.findCommitQuery)
        addErasure = try database.prepare("INSERT INTO erasures (position, head) VALUES (?1, ?2)")
    }

    /// Left to itself SQLite takes the index by version for `max`, and walks through the whole stream for each new
    /// commit.
    static let findCommitQuery = """
        SELECT max(version) FROM records INDEXED BY records_by_commit WHERE stream = ?1 AND commit_id = ?2
        """

    func begin() throws(SQLiteFailure) { try database.execute("BEGIN") }

    /// The one call that waits for the disk.
    func commit() throws(SQLiteFailure) {
        try database.execute("COMMIT")
        acknowledged.merge(pending)
        acknowledged.position = position
        pending.removeAll(keepingCapacity: true)
    }

    /// Judges a commit and, if it fits, writes it. A conflict or repeat leaves the transaction as it was.
    func append(_ commit: Commit, to stream: StreamName, expecting expected: Int) throws(SQLiteFailure) -> Judgement {
        var head = try head(of: stream)
        if let row = head.row, let version = try version(of: commit, row: row) { return .repeated(version: version) }
        guard head.version == expected else { return .conflict(actual: head.version) }
        let row = if let row = head.row { row } else { try add(stream) }
        head.row = row
        var records: [Record] = []
        records.reserveCapacity(commit.events.count)
        for event in commit.events {
            position += 1
            head.version += 1
            head.hash = Record.head(after: head.hash, shown: event.shown, sealed: event.sealed, with: hasher)
            let record = Record(
                stream: stream, version: head.version, position: position, commit: commit.id, event: event,
                hash: head.hash)
            try add(record, row: row)
            records.append(record)
        }
        pending[stream] = head
        return .written(records)
    }

    /// Takes a position of its own, so that who reads can tell before from after.
    func erase(_ stream: StreamName, endingAt wanted: Digest?) throws(SQLiteFailure) -> ErasureJudgement {
        let head = try head(of: stream)
        guard let row = head.row else { return .nothing }
        guard wanted == nil || wanted == head.hash else { return .conflict(actual: head.version) }
        position += 1
        try database.execute(
            """
            DELETE FROM records WHERE stream = \(row); DELETE FROM streams WHERE id = \(row);
            INSERT OR REPLACE INTO marks (name, value) VALUES ('position', \(position));
            """)
        addErasure.bind(position, at: 1)
        addErasure.bind(head.hash.bytes, at: 2)
        try addErasure.run()
        pending[stream] = StreamHead(row: nil, version: 0, hash: stream.origin)
        return .erased(Erasure(position: position, head: head.hash))
    }

    /// Whether the file holds everything that was acknowledged, and takes writes. Records that it holds beyond are the
    /// outcome of a commit that nobody was sure of: they are returned, and acknowledged from here on.
    func recover() throws(SQLiteFailure) -> Recovery {
        // One transaction, with the file locked from before the check on: nobody can change what was found to be there.
        try database.execute("BEGIN IMMEDIATE")
        for (stream, head) in acknowledged.heads where head.version > 0 {
            guard try reader.hash(of: stream, version: head.version) == head.hash else {
                try database.execute("ROLLBACK")
                return .lost(stream, head.version)
            }
        }
        // No more than one transaction can have come.
        let unsure = try reader.records(afterPosition: acknowledged.position, limit: .max)
        let erasure = try reader.erasures(afterPosition: acknowledged.position, limit: 1).first
        // A write of its own, with its sync, puts an end to what a failed commit may have left in the write-ahead log.
        try database.execute(
            """
            INSERT INTO marks (name, value) VALUES ('recoveries', 1)
            ON CONFLICT (name) DO UPDATE SET value = value + 1;
            COMMIT;
            """)
        try database.checkpoint()
        acknowledged.heads.removeAll()
        acknowledged.position = max(try reader.lastPosition(), acknowledged.position)
        position = acknowledged.position
        return .complete(unsure: unsure, erasure)
    }

    func takePagesWritten() -> Int { database.takePagesWritten() }

    func checkpoint(isThorough: Bool) throws(SQLiteFailure) -> Bool { try database.checkpoint(isThorough: isThorough) }

    private func head(of stream: StreamName) throws(SQLiteFailure) -> StreamHead {
        if let known = pending[stream] ?? acknowledged.heads[stream] { return known }
        return try reader.head(of: stream)
    }

    private func version(of commit: Commit, row: Int) throws(SQLiteFailure) -> Int? {
        defer { findCommit.reset() }
        findCommit.bind(row, at: 1)
        findCommit.bind(commit.id, at: 2)
        guard try findCommit.step(), !findCommit.isNull(0) else { return nil }
        return findCommit.integer(0)
    }

    private func add(_ stream: StreamName) throws(SQLiteFailure) -> Int {
        addStream.bind(stream.text, at: 1)
        var row = 0
        while try addStream.step() { row = addStream.integer(0) }
        return row
    }

    private func add(_ record: Record, row: Int) throws(SQLiteFailure) {
        addRecord.bind(record.position, at: 1)
        addRecord.bind(row, at: 2)
        addRecord.bind(record.version, at: 3)
        addRecord.bind(record.event.time, at: 4)
        addRecord.bind(record.event.type, at: 5)
        addRecord.bind(record.commit, at: 6)
        addRecord.bind(record.event.shown, at: 7)
        addRecord.bind(record.event.sealed, at: 8)
        addRecord.bind(record.hash.bytes, at: 9)
        try addRecord.run()
    }
}

/// What a file looks like that is opened again after a failure.
enum Recovery: Sendable {
    /// With an erasure that nobody was sure of, if it happened.
    case complete(unsure: [Record], Erasure?)
    /// A record that was acknowledged is not there, or is another: nobody should write to such a file.
    case lost(StreamName, Int)
}
