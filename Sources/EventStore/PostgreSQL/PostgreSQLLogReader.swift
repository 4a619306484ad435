import Records

/// Reads a log in a PostgreSQL database while nodes may write it. See `LogReader`.
public final class PostgreSQLLogReader: LogReader {
    private let connection: ServerConnection
    private let reader: DatabaseReader
    /// Whether all reads see the log at the moment of the first.
    private let isSnapshot: Bool

    private static let listStreams = PreparedStatement(
        "list streams", "SELECT name FROM @.streams WHERE name > $1 ORDER BY name LIMIT $2")
    private static let listRecords = PreparedStatement("list records", DatabaseReader.recordsOfAll)
    private static let listErasures = PreparedStatement(
        "list erasures", "SELECT position, head FROM @.erasures WHERE position > $1 ORDER BY position LIMIT $2")
    private static let beginning = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Connects to the database at `address`, and creates nothing there. Throws `cannotOpen` or `notALog`.
    public convenience init(address: String) throws(EventLogError) {
        try self.init(address: address, isSnapshot: false)
    }

    /// With `isSnapshot`, all reads see the log at one moment.
    init(address: String, schema: String = DatabaseAddress.usualSchema, isSnapshot: Bool) throws(EventLogError) {
        self.isSnapshot = isSnapshot
        let connector = try DatabaseConnector(address, schema: schema)
        connection = try connector.connect()
        try connector.schema.check(through: connection)
        do throws(PostgreSQLError) {
            try connection.run("SET idle_in_transaction_session_timeout = 0")
            if isSnapshot { try connection.run(Self.beginning) }
            try connection.prepare([Self.listStreams, Self.listRecords, Self.listErasures], in: connector.schema)
            reader = try DatabaseReader(connection, connector.schema)
        } catch { throw .cannotRead(reason: error.reason) }
    }

    public func streams(after name: StreamName?, limit: Int) throws(EventLogError) -> [StreamName] {
        let rows = try reading(connection.rows(of: Self.listStreams, .text(name?.text ?? ""), .integer(limit)))
        return (0..<rows.count).map { StreamName(text: rows.text($0, 0)) }
    }

    public func has(_ stream: StreamName) throws(EventLogError) -> Bool {
        try reading(reader.pieces(of: [(stream, .max)], limit: 0)[0].id != nil)
    }

    public func atOneMoment(_ body: () throws -> Void) throws {
        guard !isSnapshot else { return try body() }
        _ = try reading(connection.run(Self.beginning))
        // Nothing was written, so a failure loses nothing.
        defer { _ = try? connection.run("COMMIT") }
        try body()
    }

    public func end(of stream: StreamName) throws(EventLogError) -> StreamEnd {
        try reading(reader.pieces(of: [(stream, .max)], limit: 0)[0].end)
    }

    public func records(of stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record] {
        try reading(reader.pieces(of: [(stream, version)], limit: limit)[0].records)
    }

    public func records(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Record] {
        let rows = try reading(connection.rows(of: Self.listRecords, .integer(position), .integer(limit)))
        return reader.records(in: rows)
    }

    public func erasures(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Erasure] {
        let rows = try reading(connection.rows(of: Self.listErasures, .integer(position), .integer(limit)))
        return (0..<rows.count).map { DatabaseReader.erasure(in: rows, $0) }
    }

    public func lastPosition() throws(EventLogError) -> Int { try reading(reader.lastPosition()) }

    private func reading<Answer>(
        _ answer: @autoclosure () throws(PostgreSQLError) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(PostgreSQLError) { return try answer() } catch { throw .cannotRead(reason: error.reason) }
    }
}
