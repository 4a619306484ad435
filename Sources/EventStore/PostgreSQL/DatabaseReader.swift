import Cryptography
import Records

/// A stream in the database, and records of it.
struct StreamPiece: Sendable {
    /// Its number; nil if the stream does not exist.
    let id: Int?
    let end: StreamEnd
    /// The hash of the record that the reading started after; nil if there is none.
    let before: Digest?
    let records: [Record]
    /// Whether there may be more after them.
    let isFull: Bool
}

/// Reads records through one connection. Each call reads at one moment.
final class DatabaseReader {
    private let connection: ServerConnection
    private let hasher = SHA256()

    /// Stands for a hash of the wrong length. No chain has it.
    private static let noHash = SHA256.digest(of: "")

    init(_ connection: ServerConnection, _ schema: DatabaseSchema) throws(PostgreSQLError) {
        self.connection = connection
        try connection.prepare(Statements.all, in: schema)
    }

    func isAlive() -> Bool { connection.isAlive() }

    /// Up to `limit` records of each stream after its version, and the stream's end, in one round trip.
    func pieces(of streams: [(name: StreamName, after: Int)], limit: Int) throws(PostgreSQLError) -> [StreamPiece] {
        for (name, version) in streams {
            // One more is read: the record before the first, for its hash.
            let most = limit < .max ? limit + 1 : limit
            try connection.send(Statements.piece, .text(name.text), .integer(version), .integer(most))
        }
        let results = try connection.finish()
        return zip(streams, results).map { piece(of: $0.0.name, after: $0.0.after, limit: limit, in: $0.1) }
    }

    private func piece(of stream: StreamName, after version: Int, limit: Int, in rows: ResultRows) -> StreamPiece {
        guard rows.count > 0 else {
            let before = version == 0 ? stream.origin : nil
            return StreamPiece(id: nil, end: stream.start, before: before, records: [], isFull: false)
        }
        let end = StreamEnd(version: rows.integer(0, 1), head: Digest(bytes: rows.bytes(0, 2)) ?? Self.noHash)
        var before = version == 0 ? stream.origin : nil
        var records: [Record] = []
        records.reserveCapacity(rows.count)
        // A stream without records there has one row of nulls.
        for row in 0..<rows.count where !rows.isNull(row, 3) {
            let record = record(of: stream, in: rows, row, from: 3)
            if record.version == version { before = record.hash } else { records.append(record) }
        }
        if records.count > limit { records.removeLast(records.count - limit) }
        return StreamPiece(
            id: rows.integer(0, 0), end: end, before: before, records: records,
            isFull: records.count == limit && records.last.map { $0.version < end.version } ?? false)
    }

    /// As `pieces` for one stream, checked from the record at `version` on.
    func load(_ stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record] {
        let piece = try PostgreSQLError.reading(pieces(of: [(stream, version)], limit: limit)[0])
        _ = try check(piece, of: stream, after: version)
        return piece.records
    }

    /// The end of the stream after the piece. Throws `chainBroken`.
    func check(_ piece: StreamPiece, of stream: StreamName, after version: Int) throws(EventLogError) -> StreamEnd {
        guard !piece.records.isEmpty else { return piece.end }
        guard let before = piece.before else { throw .chainBroken(stream: stream, version: version) }
        var chain = Chain(of: stream, version: version, head: before, with: hasher)
        for record in piece.records { try chain.accept(record) }
        return StreamEnd(version: chain.version, head: chain.head)
    }

    /// Up to `CatchUp.pieceLimit` records and erasures of all streams after `position` and up to `last`, in order.
    func entries(after position: Int, upTo last: Int = .max) throws(PostgreSQLError) -> [FeedEntry] {
        entries(in: try connection.rows(of: Statements.slice, .integer(position), .integer(last)))
    }

    /// Up to `limit` of the newest records of all streams, in order.
    func newest(_ limit: Int) throws(PostgreSQLError) -> [Record] {
        records(in: try connection.rows(of: Statements.newest, .integer(limit)))
    }

    /// A number of records of all streams after a position.
    static let recordsOfAll = """
        SELECT r.stream, \(Statements.named), \(Statements.columns) FROM @.records r
        WHERE position > $1 ORDER BY position LIMIT $2
        """

    /// The highest visible position, and then the append transactions that are under way, by the server's names for
    /// them. Anything that appears later at or before that position comes from one of them.
    func frontier() throws(PostgreSQLError) -> (position: Int, writers: Set<String>) {
        try connection.send(Statements.last)
        try connection.send(Statements.writers)
        let results = try connection.finish()
        let (last, writers) = (results[0], results[1])
        return (last.integer(0, 0), Set((0..<writers.count).map { writers.text($0, 0) }))
    }

    /// The highest visible position.
    func lastPosition() throws(PostgreSQLError) -> Int { try connection.rows(of: Statements.last).integer(0, 0) }

    /// The erasure of the stream that had this number; nil if it was not erased.
    func erasure(of stream: Int) throws(PostgreSQLError) -> Erasure? {
        let rows = try connection.rows(of: Statements.erasure, .integer(stream))
        return rows.count > 0 ? Self.erasure(in: rows, 0) : nil
    }

    /// Columns: position and head.
    static func erasure(in rows: ResultRows, _ row: Int) -> Erasure {
        Erasure(position: rows.integer(row, 0), head: Digest(bytes: rows.bytes(row, 1)) ?? noHash)
    }

    /// The rows of `recordsOfAll`.
    func records(in rows: ResultRows) -> [Record] {
        entries(in: rows).compactMap { if case .record(let record, _) = $0 { record } else { nil } }
    }

    private func entries(in rows: ResultRows) -> [FeedEntry] {
        (0..<rows.count).map { row in
            let stream = rows.integer(row, 0)
            guard !rows.isNull(row, 1) else {
                let head = Digest(bytes: rows.bytes(row, 9)) ?? Self.noHash
                return .erasure(Erasure(position: rows.integer(row, 2), head: head), stream: stream)
            }
            return .record(record(of: StreamName(text: rows.text(row, 1)), in: rows, row, from: 2), stream: stream)
        }
    }

    /// Columns as `Statements.columns`, the first of them at `first`.
    private func record(of stream: StreamName, in rows: ResultRows, _ row: Int, from first: Int) -> Record {
        let event = Event(
            time: rows.integer(row, first + 2), type: rows.text(row, first + 3), shown: rows.bytes(row, first + 5),
            sealed: rows.isNull(row, first + 6) ? nil : rows.bytes(row, first + 6))
        return Record(
            stream: stream, version: rows.integer(row, first + 1), position: rows.integer(row, first),
            commit: CommitID(text: rows.text(row, first + 4)), event: event,
            hash: Digest(bytes: rows.bytes(row, first + 7)) ?? Self.noHash)
    }
}

private enum Statements {
    static let all = [piece, slice, newest, last, writers, erasure]

    static let columns = "position, version, time, type, commit_id, shown, sealed, hash"
    /// Looks up the stream's name for each record, because a join might read all names.
    static let named = "(SELECT s.name FROM @.streams s WHERE s.id = r.stream)"

    static let piece = PreparedStatement(
        "read piece",
        """
        SELECT s.id, s.version, s.head, r.* FROM @.streams s LEFT JOIN LATERAL (
            SELECT \(columns) FROM @.records WHERE stream = s.id AND version >= $2 ORDER BY version LIMIT $3
        ) r ON true WHERE s.name = $1
        """)
    static let slice = PreparedStatement(
        "read slice",
        """
        SELECT * FROM (
            (SELECT r.stream, \(named), \(columns) FROM @.records r
            WHERE position > $1 AND position <= $2 ORDER BY position LIMIT \(CatchUp.pieceLimit))
            UNION ALL
            (SELECT stream, NULL, position, NULL, NULL, NULL, NULL, NULL, NULL, head FROM @.erasures
            WHERE position > $1 AND position <= $2 ORDER BY position LIMIT \(CatchUp.pieceLimit))
        ) entries ORDER BY position LIMIT \(CatchUp.pieceLimit)
        """)
    static let newest = PreparedStatement(
        "read newest",
        """
        SELECT * FROM (
            SELECT r.stream, \(named), \(columns) FROM @.records r ORDER BY position DESC LIMIT $1
        ) entries ORDER BY position
        """)
    static let last = PreparedStatement(
        "read last",
        """
        SELECT greatest((SELECT max(position) FROM @.records), (SELECT max(position) FROM @.erasures), 0::bigint)
        """)
    static let writers = PreparedStatement(
        "read writers",
        """
        SELECT virtualtransaction FROM pg_locks WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = \(DatabaseSchema.lockClass) AND objid = to_regnamespace($$@$$)::oid AND objsubid = 2
        """)
    static let erasure = PreparedStatement(
        "read erasure", "SELECT position, head FROM @.erasures WHERE stream = $1 ORDER BY position DESC LIMIT 1")
}
