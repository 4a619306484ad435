/// The tables and functions of a log in PostgreSQL. The first process that opens the log creates them.
struct DatabaseSchema: Sendable {
    /// Marks the tables as this program's.
    static let program = "flipside"
    /// The version of the layout below, of the kinds of streams, and of their events. A program refuses any other.
    static let layout = 6
    /// PostgreSQL 15, in its library's notation.
    static let oldestServer = 150_000
    /// The class of the advisory locks on a log: "FLIP". The other half of their key is the schema's number.
    static let lockClass = 0x464C_4950

    private static let lockTimeout = "2s"

    let address: DatabaseAddress

    /// The schema's name, quoted. It is always written out, so that a session's search path does not matter.
    var name: String { "\"" + address.schema.replacing("\"", with: "\"\"") + "\"" }

    /// Replaces each `@` in `sql` by the schema's name.
    func sql(_ text: String) -> String { text.replacing("@", with: name) }

    /// Settings for each session. A log whose server forgets what it has acknowledged promises nothing, but the
    /// operator decides how many replicas it waits for. Every query walks along an index, no matter what the planner
    /// guesses about tables that were empty when it looked.
    static let session = """
        SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;
        SET client_min_messages = error; SET lock_timeout = '\(lockTimeout)';
        SET idle_in_transaction_session_timeout = '5s'; SET idle_session_timeout = 0;
        SET client_connection_check_interval = '2s'; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2;
        SET tcp_keepalives_count = 3; SET tcp_user_timeout = '10s';
        SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off; SET jit = off;
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
        """

    /// Creates what is missing. Throws `notALog` if there is something else, `cannotOpen` if rights are missing.
    func make(through connection: ServerConnection) throws(EventLogError) {
        guard connection.serverVersion >= DatabaseSchema.oldestServer else {
            let version = connection.serverVersion / 10_000
            throw .cannotOpen(path: address.shown, reason: "the server is PostgreSQL \(version), not 15 or later")
        }
        guard connection.encoding == "UTF8" else {
            throw .notALog(
                path: address.shown,
                reason: "the database's encoding is \(connection.encoding). Create one with ENCODING 'UTF8'")
        }
        do throws(PostgreSQLError) {
            if case .log = try look(connection) { return }
            try beginMaking(through: connection)
            if let problem = try makeTables(connection) {
                try connection.run("ROLLBACK")
                throw PostgreSQLError(state: DatabaseSchema.refused, reason: problem, isConnectionLost: false)
            }
            try connection.run("COMMIT")
        } catch {
            throw error.state == DatabaseSchema.refused
                ? .notALog(path: address.shown, reason: error.reason)
                : .cannotOpen(path: address.shown, reason: reason(of: error))
        }
    }

    /// Begins a transaction in which no other node makes tables. Waits for one that does as long as for any answer,
    /// because on a slow server it may need longer than a lock may be held.
    func beginMaking(through connection: ServerConnection) throws(PostgreSQLError) {
        try connection.run(
            """
            BEGIN; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(\(DatabaseSchema.lockClass), 0);
            SET LOCAL lock_timeout = '\(DatabaseSchema.lockTimeout)'
            """)
    }

    /// Not one of the server's states: our own refusal, which leaves a transaction.
    private static let refused = "refused"

    /// For readers: creates nothing. Throws `notALog` if there is something else, `cannotOpen` if there is nothing.
    func check(through connection: ServerConnection) throws(EventLogError) {
        let found: Found
        do throws(PostgreSQLError) { found = try look(connection) } catch {
            throw .cannotOpen(path: address.shown, reason: error.reason)
        }
        switch found {
        case .nothing: throw .cannotOpen(path: address.shown, reason: "there is no log in it")
        case .log: return
        case .other(let problem): throw .notALog(path: address.shown, reason: problem)
        }
    }

    private enum Found {
        case nothing
        case log
        /// With the reason.
        case other(String)
    }

    /// The reason if there is something else; nil once the tables have this layout.
    private func makeTables(_ connection: ServerConnection) throws(PostgreSQLError) -> String? {
        let number = PreparedStatement(
            "schema", "SELECT (SELECT oid::int8 FROM pg_namespace WHERE nspname = '\(literal)')")
        try connection.prepare([number])
        if try connection.rows(of: number).isNull(0, 0) { try connection.run("CREATE SCHEMA \(name)") }
        switch try look(connection) {
        case .nothing:
            try connection.run(sql(DatabaseSchema.tables))
            try connection.run(sql(AppendFunction.definition))
            try connection.run(sql(FenceFunctions.definition))
            try connection.run(sql(ClaimFunctions.definition))
            try connection.run(sql(PresenceTable.definition))
            try connection.run(sql(SilenceTable.definition))
            return nil
        case .log: return nil
        case .other(let problem): return problem
        }
    }

    private func look(_ connection: ServerConnection) throws(PostgreSQLError) -> Found {
        let tables = PreparedStatement(
            "",
            """
            SELECT relname::text, relname = 'layout' FROM pg_class
            WHERE relkind IN ('r', 'p', 'v', 'm', 'S') AND
            relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = '\(literal)')
            ORDER BY relname <> 'layout', relname
            """)
        try connection.prepare([tables])
        let found = try connection.rows(of: tables)
        guard found.count > 0 else { return .nothing }
        guard found.text(0, 0) == "layout" else {
            return .other(
                "its schema \(name) holds tables of something else (\(found.text(0, 0))). Name another database")
        }
        let layout = PreparedStatement("", "SELECT program::text, version::int8 FROM @.layout")
        do throws(PostgreSQLError) { try connection.prepare([layout], in: self) } catch {
            // Columns of another name, so it is another program's table.
            guard error.state.hasPrefix("42"), error.state != "42501" else { throw error }
            return .other("its schema \(name) holds tables of something else (layout). Name another database")
        }
        let row = try connection.rows(of: layout)
        guard row.count == 1, row.text(0, 0) == DatabaseSchema.program else {
            return .other("its schema \(name) holds tables of another program. Name another database")
        }
        guard row.integer(0, 1) == DatabaseSchema.layout else {
            return .other(
                "its tables are of layout \(row.integer(0, 1)), this program's of \(DatabaseSchema.layout). "
                    + "Run the release that created them, or name another database")
        }
        return .log
    }

    /// For a text in SQL.
    var literal: String { address.schema.replacing("'", with: "''") }

    private func reason(of error: PostgreSQLError) -> String {
        // insufficient_privilege
        error.state == "42501"
            ? error.reason + ". The role needs CREATE on the database, or a schema \(name) of its own" : error.reason
    }

    /// Names of streams and ids of commits are bytes, because clients choose the ids, and a text cannot contain a zero.
    /// Positions are drawn one by one, so that a transaction's are higher than any that was committed before it began.
    private static let tables = """
        CREATE TABLE @.layout (program text NOT NULL, version int NOT NULL);
        INSERT INTO @.layout VALUES ('\(program)', \(layout));
        CREATE SEQUENCE @.positions;
        CREATE TABLE @.streams (
            id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
            name bytea NOT NULL UNIQUE, version bigint NOT NULL, head bytea NOT NULL,
            home bytea, since bigint, vacant bigint
        ) WITH (fillfactor = 70);
        CREATE TABLE @.records (
            position bigint PRIMARY KEY, stream bigint NOT NULL, version bigint NOT NULL, time bigint NOT NULL,
            type text NOT NULL, commit_id bytea NOT NULL, shown bytea NOT NULL, sealed bytea, hash bytea NOT NULL
        );
        CREATE UNIQUE INDEX records_by_version ON @.records (stream, version);
        CREATE INDEX records_by_commit ON @.records (stream, commit_id);
        CREATE TABLE @.erasures (position bigint PRIMARY KEY, stream bigint NOT NULL, head bytea NOT NULL);
        CREATE INDEX erasures_by_stream ON @.erasures (stream);
        CREATE UNLOGGED TABLE @.leases (
            run bytea PRIMARY KEY, note bytea NOT NULL, renewals bigint NOT NULL, renewed timestamptz NOT NULL,
            serves boolean NOT NULL
        ) WITH (fillfactor = 50);
        CREATE TABLE @.fences (run bytea PRIMARY KEY, settled bigint, at bigint NOT NULL);
        CREATE FUNCTION @.clock() RETURNS bigint LANGUAGE sql AS $$
            SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        $$;
        """
}
