import Cryptography
import Records

/// A stream's row in the file.
struct StreamRow: Sendable, Equatable {
    /// Nil if it has no row.
    var id: Int?
    var end: StreamEnd
}

/// Reads records through one connection.
final class RecordReader {
    let database: Database
    private let hasher = SHA256()
    private let findStream: Statement
    private let findHash: Statement
    private let lastOfStream: Statement
    private let recordsOfStream: Statement
    private let recordsOfAll: Statement
    private let positions: Statement
    private let erasuresOfAll: Statement

    /// Stands for a hash of the wrong length. No chain has it.
    static let noHash = SHA256.digest(of: "")

    init(_ database: Database) throws(SQLiteError) {
        self.database = database
        findStream = try database.prepare("SELECT id FROM streams WHERE name = ?1")
        findHash = try database.prepare("SELECT hash FROM records WHERE stream = ?1 AND version = ?2")
        lastOfStream = try database.prepare(
            "SELECT version, hash FROM records WHERE stream = ?1 ORDER BY version DESC LIMIT 1")
        let columns = "position, version, time, type, commit_id, shown, sealed, hash"
        recordsOfStream = try database.prepare(
            "SELECT \(columns) FROM records WHERE stream = ?1 AND version > ?2 ORDER BY version LIMIT ?3")
        recordsOfAll = try database.prepare(
            """
            SELECT \(columns), name FROM records JOIN streams ON streams.id = stream
            WHERE position > ?1 ORDER BY position LIMIT ?2
            """)
        erasuresOfAll = try database.prepare(
            "SELECT position, head FROM erasures WHERE position > ?1 ORDER BY position LIMIT ?2")
        // Erasing notes the highest position, since the record that had it may be gone.
        positions = try database.prepare(
            """
            SELECT max(coalesce((SELECT max(position) FROM records), 0),
            coalesce((SELECT value FROM marks WHERE name = 'position'), 0))
            """)
    }

    /// All reads in `body` see the log at one moment.
    func snapshot<Answer>(_ body: () throws(EventLogError) -> Answer) throws(EventLogError) -> Answer {
        try SQLiteError.reading(database.execute("BEGIN"))
        defer { endSnapshot() }
        return try body()
    }

    /// The same, with errors of any kind.
    func snapshot(_ body: () throws -> Void) throws {
        try SQLiteError.reading(database.execute("BEGIN"))
        defer { endSnapshot() }
        try body()
    }

    /// Nothing was written, so a failure loses nothing.
    private func endSnapshot() { try? database.execute("COMMIT") }

    func lastPosition() throws(SQLiteError) -> Int {
        defer { positions.reset() }
        return try positions.step() ? positions.integer(0) : 0
    }

    func end(of stream: StreamName) throws(SQLiteError) -> StreamEnd { try row(of: stream).end }

    func row(of stream: StreamName) throws(SQLiteError) -> StreamRow {
        guard let id = try id(of: stream) else { return StreamRow(id: nil, end: stream.start) }
        defer { lastOfStream.reset() }
        lastOfStream.bind(id, at: 1)
        guard try lastOfStream.step() else { return StreamRow(id: id, end: stream.start) }
        let head = lastOfStream.digest(1) ?? RecordReader.noHash
        return StreamRow(id: id, end: StreamEnd(version: lastOfStream.integer(0), head: head))
    }

    /// The hash of one record; the stream's origin at version 0; nil if there is no such record.
    func hash(of stream: StreamName, version: Int) throws(SQLiteError) -> Digest? {
        if version == 0 { return stream.origin }
        guard let id = try id(of: stream) else { return nil }
        defer { findHash.reset() }
        findHash.bind(id, at: 1)
        findHash.bind(version, at: 2)
        return try findHash.step() ? findHash.digest(0) ?? RecordReader.noHash : nil
    }

    /// Up to `limit` records after `version`, unchecked.
    func records(of stream: StreamName, after version: Int, limit: Int) throws(SQLiteError) -> [Record] {
        guard limit > 0, let id = try id(of: stream) else { return [] }
        recordsOfStream.bind(id, at: 1)
        recordsOfStream.bind(version, at: 2)
        recordsOfStream.bind(limit, at: 3)
        return try recordsOfStream.rows { record(of: stream, in: $0) }
    }

    /// Up to `limit` records of all streams after `position`, unchecked.
    func records(afterPosition position: Int, limit: Int) throws(SQLiteError) -> [Record] {
        recordsOfAll.bind(position, at: 1)
        recordsOfAll.bind(limit, at: 2)
        return try recordsOfAll.rows { record(of: StreamName(text: $0.text(8)), in: $0) }
    }

    /// Up to `limit` of the newest records of all streams, in the order of their positions, unchecked.
    func newest(_ limit: Int) throws(SQLiteError) -> [Record] {
        let bounds = try database.prepare(
            "SELECT min(position) FROM (SELECT position FROM records ORDER BY position DESC LIMIT ?1)")
        bounds.bind(limit, at: 1)
        guard limit > 0, try bounds.step(), !bounds.isNull(0) else { return [] }
        return try records(afterPosition: bounds.integer(0) - 1, limit: limit)
    }

    func erasures(afterPosition position: Int, limit: Int) throws(SQLiteError) -> [Erasure] {
        erasuresOfAll.bind(position, at: 1)
        erasuresOfAll.bind(limit, at: 2)
        return try erasuresOfAll.rows {
            Erasure(position: $0.integer(0), head: $0.digest(1) ?? RecordReader.noHash)
        }
    }

    /// As `records`, checked from the record at `version` on.
    func load(_ stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record] {
        let records = try SQLiteError.reading(records(of: stream, after: version, limit: limit))
        guard !records.isEmpty else { return [] }
        let before = try SQLiteError.reading(hash(of: stream, version: version))
        guard let before else { throw .chainBroken(stream: stream, version: version) }
        var chain = Chain(of: stream, version: version, head: before, with: hasher)
        for record in records { try chain.accept(record) }
        return records
    }

    private func id(of stream: StreamName) throws(SQLiteError) -> Int? {
        defer { findStream.reset() }
        findStream.bind(bytesOf: stream.text, at: 1)
        return try findStream.step() ? findStream.integer(0) : nil
    }

    private func record(of stream: StreamName, in row: Statement) -> Record {
        let event = Event(
            time: row.integer(2), type: row.text(3), shown: row.bytes(5), sealed: row.isNull(6) ? nil : row.bytes(6))
        return Record(
            stream: stream, version: row.integer(1), position: row.integer(0), commit: CommitID(text: row.text(4)),
            event: event,
            hash: row.digest(7) ?? RecordReader.noHash)
    }
}
