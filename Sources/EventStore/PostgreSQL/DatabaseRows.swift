import Cryptography

extension RowLayout {
    fileprivate static let positionTable = "@.\"rows position\""
    /// Each takeover increases `beginnings`, by which earlier writers notice it.
    private static let positionColumns = "reached bigint NOT NULL, beginnings bigint NOT NULL, layout text NOT NULL"
    /// Microseconds since 1970, more than any number of takeovers in tables that existed before.
    private static let firstBeginning = "extract(epoch FROM clock_timestamp()) * 1000000"

    /// Creates the tables in place of existing ones, whose content follows from the log.
    fileprivate var remaking: String {
        """
        DO $$ DECLARE name regclass; BEGIN
            FOR name IN SELECT oid FROM pg_class WHERE relnamespace = to_regnamespace('@') AND relkind = 'r'
                AND starts_with(relname, 'rows ')
            LOOP EXECUTE 'DROP TABLE ' || name; END LOOP;
        END $$;
        CREATE TABLE \(RowLayout.positionTable) (\(RowLayout.positionColumns));
        INSERT INTO \(RowLayout.positionTable) VALUES (0, \(RowLayout.firstBeginning), '\(mark)');
        \(tables.map(RowDialect.postgreSQL.definition).joined(separator: "\n"))
        """
    }

    /// Identifies the layout of the tables. Derived from them, so that no one has to remember to change it.
    fileprivate var mark: String {
        let definitions = [RowLayout.positionColumns] + tables.map(RowDialect.postgreSQL.definition)
        return SHA256.digest(of: definitions.joined(separator: "\n") + "\n\(meaning)").hex
    }
}

/// The rows, through one connection.
final class DatabaseRows {
    /// Not one of the server's states: another node has taken over the rows.
    static let overtaken = "overtaken"

    private let connection: ServerConnection
    private let schema: DatabaseSchema
    /// Finds the position of these tables, and nothing once a node of another release has created them again.
    private let isOwn: String
    /// By SQL, prepared at first use. There are as many as tables and kinds of queries.
    private var statements: [String: PreparedStatement] = [:]
    /// By table name.
    private var puts: [String: PreparedStatement] = [:]
    private var values = BinaryValues()

    /// What to do about the tables before they are used.
    enum Opening {
        /// Replaces those of another layout.
        case made
        /// Refuses those of another layout, which a node of another release has created.
        case found
        /// Replaces all, so that they are empty.
        case remade
    }

    init(_ connector: DatabaseConnector, _ layout: RowLayout, _ opening: Opening) throws(EventLogError) {
        connection = try connector.connect()
        schema = connector.schema
        isOwn = "layout = '\(layout.mark)'"
        try schema.make(through: connection)
        do throws(PostgreSQLError) {
            try connection.run("SET statement_timeout = '8s'")
            try schema.beginMaking(through: connection)
            let areMissing = if opening == .remade { true } else { try !has(layout) }
            if areMissing {
                guard opening != .found else { throw Self.wasOvertaken }
                try connection.run(schema.sql(layout.remaking))
            }
            try connection.run("COMMIT")
            for table in layout.tables {
                puts[table.name] = try statement(schema.sql(RowDialect.postgreSQL.put(into: table)))
            }
        } catch { throw .cannotOpen(path: connector.address.shown, reason: error.reason) }
    }

    private static let wasOvertaken = PostgreSQLError(
        state: overtaken, reason: "another node has taken over the rows", isConnectionLost: false)

    private func has(_ layout: RowLayout) throws(PostgreSQLError) -> Bool {
        let table = try connection.rows(
            of: try statement("SELECT to_regclass($1) IS NULL"), .text(schema.sql(RowLayout.positionTable)))
        guard table.integer(0, 0) == 0 else { return false }
        let layouts = try rows(schema.sql("SELECT layout FROM \(RowLayout.positionTable)"))
        return layouts.count == 1 && layouts.text(0, 0) == layout.mark
    }

    func isAlive() -> Bool { connection.isAlive() }

    func beginTransaction() throws(PostgreSQLError) { try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ") }

    func commit() throws(PostgreSQLError) { try connection.run("COMMIT") }

    /// If this fails, the connection and its transaction are gone.
    func rollBack() { if connection.isInTransaction { _ = try? connection.run("ROLLBACK") } }

    /// The position of the rows, and the number of takeovers.
    struct Progress {
        let reached: Int
        let beginnings: Int
    }

    func progress() throws(PostgreSQLError) -> Progress {
        try progress(by: "SELECT reached, beginnings FROM \(RowLayout.positionTable) WHERE \(isOwn)")
    }

    /// Starts writing. Changes that earlier writers still apply fail from here on.
    func takeOver() throws(PostgreSQLError) -> Progress {
        try progress(
            by: """
                UPDATE \(RowLayout.positionTable) SET beginnings = beginnings + 1 WHERE \(isOwn)
                RETURNING reached, beginnings
                """)
    }

    /// Must come first in a transaction that applies changes: until it ends, no one else applies any or takes over.
    /// Returns the position, which must be one of `positions`. Fails if someone has taken over after `beginnings`.
    func claim(_ beginnings: Int, at positions: Set<Int>) throws(PostgreSQLError) -> Int {
        let found = try progress(
            by: "SELECT reached, beginnings FROM \(RowLayout.positionTable) WHERE \(isOwn) FOR NO KEY UPDATE")
        guard found.beginnings == beginnings, positions.contains(found.reached) else { throw Self.wasOvertaken }
        return found.reached
    }

    private func progress(by sql: String) throws(PostgreSQLError) -> Progress {
        let found = try rows(schema.sql(sql))
        guard found.count == 1 else { throw Self.wasOvertaken }
        return Progress(reached: found.integer(0, 0), beginnings: found.integer(0, 1))
    }

    func apply(_ changes: [RowChange]) throws(PostgreSQLError) {
        // Prepared first, so that the pipeline is not interrupted.
        let prepared = try changes.map { change throws(PostgreSQLError) in try prepare(change) }
        for (statement, row) in prepared { try send(statement, row) }
        _ = try connection.finish()
    }

    private func prepare(_ change: RowChange) throws(PostgreSQLError) -> (PreparedStatement, [RowValue]) {
        switch change {
        case .put(let row, let table):
            guard let put = puts[table.name] else { preconditionFailure("no table \(table.name)") }
            return (put, row)
        case .delete(let table, let index, let equal), .erase(let table, let index, let equal):
            let query = RowQuery(table, by: index, equal: equal, limit: .max)
            return (try statement(schema.sql(RowDialect.postgreSQL.delete(query))), equal)
        }
    }

    /// Stores the position, in a transaction that has a claim.
    func reach(_ position: Int) throws(PostgreSQLError) {
        let update = try statement(schema.sql("UPDATE \(RowLayout.positionTable) SET reached = $1 RETURNING 1"))
        _ = try connection.rows(of: update, .integer(position))
    }

    func answer(_ queries: [RowQuery]) throws(PostgreSQLError) -> RowAnswer {
        let prepared = try queries.map { query throws(PostgreSQLError) in
            try statement(schema.sql(RowDialect.postgreSQL.select(query)))
        }
        for (query, statement) in zip(queries, prepared) { try send(statement, query.values) }
        let found = try connection.finish()
        let rows = zip(queries, found).flatMap { query, rows in
            (0..<rows.count).map { row in
                query.table.columns.enumerated().map { rows.value(row, $0.offset, $0.element) }
            }
        }
        return RowAnswer(rows: rows, position: try progress().reached)
    }

    private func send(_ statement: PreparedStatement, _ row: [RowValue]) throws(PostgreSQLError) {
        values.removeAll()
        for value in row { values.add(value) }
        try connection.send(statement, values)
    }

    private func rows(_ sql: String) throws(PostgreSQLError) -> ResultRows {
        try connection.rows(of: try statement(sql))
    }

    private func statement(_ sql: String) throws(PostgreSQLError) -> PreparedStatement {
        if let prepared = statements[sql] { return prepared }
        let statement = PreparedStatement("rows \(statements.count)", sql)
        try connection.prepare([statement])
        statements[sql] = statement
        return statement
    }
}

extension BinaryValues {
    fileprivate mutating func add(_ value: RowValue) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(number)
        case .text(let text): add(text)
        case .bytes(let bytes): add(bytes)
        }
    }
}

extension ResultRows {
    fileprivate func value(_ row: Int, _ place: Int, _ column: RowColumn) -> RowValue {
        if isNull(row, place) { return .null }
        return switch column.kind {
        case .integer: .integer(integer(row, place))
        case .text: .text(text(row, place))
        case .bytes: .bytes(bytes(row, place))
        }
    }
}
