import Cryptography

// The SQL for tables, changes and queries of a row store. Names are quoted, since a column may be named like a keyword
// of SQLite.

extension RowLayout {
    static let positionSQL = "SELECT reached FROM position"
    static let setPositionSQL = "UPDATE position SET reached = ?"

    /// Creates the tables in an empty file.
    var sql: String {
        """
        CREATE TABLE position (reached INTEGER NOT NULL) STRICT;
        INSERT INTO position VALUES (0);
        \(tables.map(\.sql).joined(separator: "\n"))
        PRAGMA user_version = \(version);
        """
    }

    /// Identifies the layout of a file. Derived from the tables, so that no one has to remember to change it.
    var version: Int {
        let text = tables.map(\.sql).joined(separator: "\n") + "\n\(meaning)"
        // SQLite stores 32 bits with a sign; 0 is a file without a version.
        return SHA256.digest(of: text).bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF | 1
    }
}

extension RowTable {
    fileprivate var sql: String {
        let columns = columns.map { column in
            let type =
                switch column.kind {
                case .integer: "INTEGER"
                case .text: "TEXT"
                case .bytes: "BLOB"
                }
            return quoted(column.name) + " " + type + (column.isOptional ? "" : " NOT NULL")
        }
        let table = "CREATE TABLE \(quoted(name)) (\(list(columns)), PRIMARY KEY (\(list(key.map(quoted))))) STRICT;"
        let indexes = indexes.map { index in
            let parts = index.parts.map { quoted($0.column) + ($0.isDescending ? " DESC" : "") }
            return "CREATE INDEX \(sqlName(of: index)) ON \(quoted(name)) (\(list(parts)));"
        }
        return ([table] + indexes).joined(separator: "\n")
    }

    /// One parameter for each column.
    var putSQL: String {
        let names = columns.map { quoted($0.name) }
        return """
            INSERT INTO \(quoted(name)) (\(list(names))) VALUES (\(list(names.map { _ in "?" })))
            ON CONFLICT (\(list(key.map(quoted)))) DO UPDATE SET \(list(names.map { "\($0) = excluded.\($0)" }))
            \(version.map { "WHERE excluded.\(quoted($0)) >= \(quoted($0))" } ?? "")
            """
    }

    fileprivate func sqlName(of index: RowIndex) -> String { quoted(name + " by " + index.name) }
}

extension RowQuery {
    /// A walk along the index from the start of the page. SQLite refuses the statement if that is impossible. One
    /// parameter for each of `values`.
    var sql: String {
        let columns = order.map { quoted($0.column) }
        var conditions = equals
        if range != nil { conditions += ["\(columns[0]) >= ?", "\(columns[0]) < ?"] }
        if after != nil {
            let isDescending = order[0].isDescending != isBackwards
            conditions.append("(\(list(columns))) \(isDescending ? "<" : ">") (\(list(columns.map { _ in "?" })))")
        }
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let order = order.map { quoted($0.column) + ($0.isDescending != isBackwards ? " DESC" : "") }
        return """
            SELECT \(list(table.columns.map { quoted($0.name) })) FROM \(quoted(table.name))
            INDEXED BY \(table.sqlName(of: index)) \(filter) ORDER BY \(list(order)) LIMIT ?
            """
    }

    var values: [RowValue] {
        let bounds = range.map { [RowValue.integer($0.lowerBound), .integer($0.upperBound)] } ?? []
        let place = after.map { row in order.map { row[table.place(of: $0.column)] } } ?? []
        return equal + bounds + place + [.integer(limit)]
    }

    /// Deletes the rows that are `equal` and ignores the rest of the query. One parameter for each value.
    var deleteSQL: String { "DELETE FROM \(quoted(table.name)) WHERE \(equals.joined(separator: " AND "))" }

    private var equals: [String] { index.columns.prefix(equal.count).map { quoted($0) + " = ?" } }
}

private func quoted(_ name: String) -> String { "\"\(name)\"" }

private func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }
