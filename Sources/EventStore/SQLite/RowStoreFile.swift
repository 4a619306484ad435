// Removes files by C calls; only values, or owners that close what they opened, leave this file.
import Cryptography
import Glibc

extension RowLayout {
    fileprivate static let position = "SELECT reached FROM position"
    fileprivate static let setPosition = "UPDATE position SET reached = ?"

    private var definitions: String { tables.map(RowDialect.sqlite.definition).joined(separator: "\n") }

    /// Creates the tables in an empty file.
    var sql: String {
        """
        CREATE TABLE position (reached INTEGER NOT NULL) STRICT;
        INSERT INTO position VALUES (0);
        \(definitions)
        PRAGMA user_version = \(version);
        """
    }

    /// Identifies the layout of a file. Derived from the tables, so that no one has to remember to change it.
    fileprivate var version: Int {
        let digest = SHA256.digest(of: "\(definitions)\n\(meaning)")
        // SQLite stores 32 bits with a sign; 0 is a file without a version.
        return digest.bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF | 1
    }
}

/// The place of a row store's file.
struct RowStoreFile: Sendable {
    let path: String
    let layout: RowLayout
    let system: String?

    /// Opens the file. If it is unusable, drops it and creates another.
    func open() throws(EventLogError) -> StoredRows {
        if let existing = try? openExisting() { return existing }  // The error does not matter: it is filled again.
        drop()
        do throws(SQLiteError) {
            let database = try openDatabase(.create)
            try database.execute("BEGIN; \(layout.sql) COMMIT;")
            return try StoredRows(database, layout)
        } catch {
            throw .cannotOpen(path: path, reason: error.reason)
        }
    }

    func drop() {
        for name in Database.fileNames(of: path) { unlink(name) }
    }

    private func openExisting() throws(SQLiteError) -> StoredRows? {
        let database = try openDatabase(.readWrite)
        guard try database.integer("PRAGMA user_version") == layout.version else { return nil }
        // Stops at the first damage. Takes a second for a million rows.
        guard try database.text("PRAGMA quick_check(1)") == "ok" else { return nil }
        return try StoredRows(database, layout)
    }

    /// No sync for each transaction: a power cut loses the newest ones, never a part of one, and the log has them all.
    /// Changes are written only at the COMMIT (no spills), so that the statements before it work on a full disk.
    private func openDatabase(_ access: Database.Access) throws(SQLiteError) -> Database {
        let database = try Database(path: path, access: access, system: system)
        try database.execute(
            """
            PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA cache_spill = OFF; PRAGMA secure_delete = ON;
            """)
        return database
    }
}

/// The rows, through one connection.
final class StoredRows {
    private let database: Database
    /// By SQL, prepared at first use. There are as many as tables and kinds of queries.
    private var statements: [String: Statement] = [:]
    /// By table name.
    private var puts: [String: Statement] = [:]

    /// Throws if the file lacks the tables of `layout`.
    fileprivate init(_ database: Database, _ layout: RowLayout) throws(SQLiteError) {
        self.database = database
        for table in layout.tables { puts[table.name] = try database.prepare(RowDialect.sqlite.put(into: table)) }
    }

    func beginTransaction() throws(SQLiteError) { try database.execute("BEGIN") }

    func commit() throws(SQLiteError) { try database.execute("COMMIT") }

    /// Empties the write-ahead log, so that nothing erased remains. False if a reader was in the way.
    func checkpoint() throws(SQLiteError) -> Bool { try database.checkpoint(isThorough: true) }

    /// A failure may already have ended the transaction. Then there is nothing to roll back, which is fine.
    func rollBack() { try? database.execute("ROLLBACK") }

    func apply(_ changes: [RowChange], reached position: Int?) throws(SQLiteError) {
        for change in changes {
            switch change {
            case .put(let row, let table):
                guard let put = puts[table.name] else { preconditionFailure("no table \(table.name)") }
                put.bind(row)
                try put.run()
            case .delete(let table, let index, let equal), .erase(let table, let index, let equal):
                let query = RowQuery(table, by: index, equal: equal, limit: .max)
                try statement(RowDialect.sqlite.delete(query), equal).run()
            }
        }
        if let position { try statement(RowLayout.setPosition, [.integer(position)]).run() }
    }

    func answer(_ queries: [RowQuery]) throws(SQLiteError) -> RowAnswer {
        var rows: [[RowValue]] = []
        for query in queries {
            let statement = try statement(RowDialect.sqlite.select(query), query.values)
            let columns = query.table.columns
            rows += try statement.rows { row in columns.indices.map { row.value(Int32($0), columns[$0]) } }
        }
        let position = try statement(RowLayout.position)
        defer { position.reset() }
        return RowAnswer(rows: rows, position: try position.step() ? position.integer(0) : 0)
    }

    private func statement(_ sql: String, _ values: [RowValue] = []) throws(SQLiteError) -> Statement {
        let statement: Statement
        if let prepared = statements[sql] {
            statement = prepared
        } else {
            statement = try database.prepare(sql)
            statements[sql] = statement
        }
        statement.bind(values)
        return statement
    }
}

extension Statement {
    fileprivate func bind(_ values: [RowValue]) {
        for (value, parameter) in zip(values, Int32(1)...) {
            switch value {
            case .null: bind(nil as Int?, at: parameter)
            case .integer(let number): bind(number, at: parameter)
            case .text(let text): bind(text, at: parameter)
            case .bytes(let bytes): bind(bytes, at: parameter)
            }
        }
    }

    fileprivate func value(_ index: Int32, _ column: RowColumn) -> RowValue {
        if isNull(index) { return .null }
        return switch column.kind {
        case .integer: .integer(integer(index))
        case .text: .text(text(index))
        case .bytes: .bytes(bytes(index))
        }
    }
}
