import Records

/// Fills the log in a database, in one transaction that no node's append can interrupt.
final class PostgreSQLLogFiller: LogFiller {
    /// A transaction of millions of records takes long to end.
    private static let answerTimeout = Duration.seconds(600)

    private static let addStreams = PreparedStatement(
        "add streams",
        "INSERT INTO @.streams (name, version, head) SELECT name, 0, '' FROM unnest($1::bytea[]) AS name "
            + "RETURNING id, name")
    // 0 stands for the number of an erased stream. No stream has it.
    private static let addErasures = PreparedStatement(
        "add erasures",
        "INSERT INTO @.erasures (position, stream, head) SELECT p, 0, h "
            + "FROM unnest($1::bigint[], $2::bytea[]) AS erased (p, h)")
    private static let addRecords = PreparedStatement(
        "add records",
        """
        INSERT INTO @.records (position, stream, version, time, type, commit_id, shown, sealed, hash)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bytea[],
        $7::bytea[], $8::bytea[], $9::bytea[])
        """)
    private static let isEmpty = PreparedStatement(
        "is empty",
        "SELECT (NOT EXISTS (SELECT FROM @.streams) AND NOT EXISTS (SELECT FROM @.erasures))::int::int8")

    private let connection: ServerConnection
    private let schema: DatabaseSchema
    private var streams: [StreamName: Int] = [:]

    /// Creates the tables if they are missing.
    init(address: String, schema: String = DatabaseAddress.usualSchema) throws(EventLogError) {
        let connector = try DatabaseConnector(address, schema: schema, timeouts: .init(answer: Self.answerTimeout))
        let schema = connector.schema
        self.schema = schema
        connection = try connector.connect()
        try schema.make(through: connection)
        var count = 0
        do throws(PostgreSQLError) {
            try connection.prepare([Self.addStreams, Self.addRecords, Self.addErasures, Self.isEmpty], in: schema)
            let key = "'\(schema.literal)'::regnamespace::oid::int4"
            try connection.run(
                """
                SET idle_in_transaction_session_timeout = 0;
                BEGIN; SELECT pg_advisory_xact_lock(\(DatabaseSchema.lockClass), \(key))
                """)
            count = try connection.rows(of: Self.isEmpty).integer(0, 0)
        } catch { throw .cannotWrite(reason: error.reason) }
        guard count == 1 else { throw .notEmpty(path: schema.address.shown) }
    }

    func add(_ records: [Record]) throws(EventLogError) {
        try writing { () throws(PostgreSQLError) in
            try add(Set(records.map(\.stream)).filter { streams[$0] == nil })
            _ = try connection.rows(
                of: Self.addRecords, .integers(records.map(\.position)),
                .integers(records.map { streams[$0.stream, default: 0] }), .integers(records.map(\.version)),
                .integers(records.map(\.event.time)), .texts(records.map(\.event.type)),
                .names(records.map(\.commit.text)), .blobs(records.map(\.event.shown)),
                .blobs(records.map(\.event.sealed)), .blobs(records.map(\.hash.bytes)))
        }
    }

    private func add(_ names: Set<StreamName>) throws(PostgreSQLError) {
        guard !names.isEmpty else { return }
        let rows = try connection.rows(of: Self.addStreams, .names(names.map(\.text)))
        for row in 0..<rows.count { streams[StreamName(text: rows.text(row, 1))] = rows.integer(row, 0) }
    }

    func add(_ erasures: [Erasure]) throws(EventLogError) {
        try writing { () throws(PostgreSQLError) in
            _ = try connection.rows(
                of: Self.addErasures, .integers(erasures.map(\.position)), .blobs(erasures.map(\.head.bytes)))
        }
    }

    func finish(lastPosition position: Int) throws(EventLogError) {
        try writing { () throws(PostgreSQLError) in
            try connection.run(
                schema.sql(
                    """
                    UPDATE @.streams s SET version = r.version, head = r.hash
                    FROM @.streams o CROSS JOIN LATERAL (
                        SELECT version, hash FROM @.records WHERE stream = o.id ORDER BY version DESC LIMIT 1
                    ) r WHERE s.id = o.id;
                    SELECT setval('@.positions', \(max(1, position)), \(position > 0));
                    COMMIT; ANALYZE @.streams, @.records
                    """))
        }
    }

    private func writing(_ body: () throws(PostgreSQLError) -> Void) throws(EventLogError) {
        do throws(PostgreSQLError) { try body() } catch { throw .cannotWrite(reason: error.reason) }
    }
}
