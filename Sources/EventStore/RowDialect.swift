/// The SQL for tables, changes and queries of a row store, and the words in which the engines' SQL differs. Names are
/// quoted, since a column may be named like a keyword.
struct RowDialect: Sendable {
    /// The types of columns.
    let integer, text, bytes: String
    /// Before a table's name.
    let schema, prefix: String
    /// After a table's columns.
    let tableEnd: String
    /// Nulls come first in ascending order.
    let ascending, descending: String
    /// Whether a query names the index that it walks along. SQLite refuses it if that is impossible.
    let namesIndex: Bool

    static let sqlite = RowDialect(
        integer: "INTEGER", text: "TEXT", bytes: "BLOB", schema: "", prefix: "", tableEnd: " STRICT", ascending: "",
        descending: " DESC", namesIndex: true)

    /// `@` stands for the schema. The prefix keeps tables apart from the log's own. Texts are stored as bytes: in byte
    /// order for any language of the database, and with any character.
    static let postgreSQL = RowDialect(
        integer: "bigint", text: "bytea", bytes: "bytea", schema: "@.", prefix: "rows ", tableEnd: "",
        ascending: " ASC NULLS FIRST", descending: " DESC NULLS LAST", namesIndex: false)

    /// Creates a table with its indexes.
    func definition(of table: RowTable) -> String {
        let columns = table.columns.map { column in
            let type =
                switch column.kind {
                case .integer: integer
                case .text: text
                case .bytes: bytes
                }
            return "\(quoted(column.name)) \(type)" + (column.isOptional ? "" : " NOT NULL")
        }
        let key = list(table.key.map(quoted))
        let indexes = table.indexes.map { index in
            let parts = index.parts.map { quoted($0.column) + order(isDescending: $0.isDescending) }
            return "CREATE INDEX \(name(of: index, of: table)) ON \(name(of: table)) (\(list(parts)));"
        }
        let definition = "CREATE TABLE \(name(of: table)) (\(list(columns)), PRIMARY KEY (\(key)))\(tableEnd);"
        return ([definition] + indexes).joined(separator: "\n")
    }

    /// One parameter for each column.
    func put(into table: RowTable) -> String {
        let names = table.columns.map { quoted($0.name) }
        let rest = table.columns.map(\.name).filter { !table.key.contains($0) }.map(quoted)
        let change = rest.isEmpty ? "NOTHING" : "UPDATE SET " + list(rest.map { "\($0) = excluded.\($0)" })
        let filter = table.version.map { "WHERE excluded.\(quoted($0)) >= stored.\(quoted($0))" } ?? ""
        return """
            INSERT INTO \(name(of: table)) AS stored (\(list(names))) VALUES (\(list(parameters(1, names.count))))
            ON CONFLICT (\(list(table.key.map(quoted)))) DO \(change) \(rest.isEmpty ? "" : filter)
            """
    }

    /// A walk along the index from the start of the page. One parameter for each of the query's values.
    func select(_ query: RowQuery) -> String {
        let columns = query.order.map { quoted($0.column) }
        var conditions = equals(of: query)
        var next = query.equal.count + 1
        if query.range != nil {
            conditions += ["\(columns[0]) >= $\(next)", "\(columns[0]) < $\(next + 1)"]
            next += 2
        }
        if query.after != nil {
            let isDescending = query.order[0].isDescending != query.isBackwards
            let place = list(parameters(next, columns.count))
            conditions.append("(\(list(columns))) \(isDescending ? "<" : ">") (\(place))")
            next += columns.count
        }
        let index = namesIndex ? " INDEXED BY " + name(of: query.index, of: query.table) : ""
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let ways = query.order.map { quoted($0.column) + order(isDescending: $0.isDescending != query.isBackwards) }
        return """
            SELECT \(list(query.table.columns.map { quoted($0.name) })) FROM \(name(of: query.table))\(index) \(filter)
            ORDER BY \(list(ways)) LIMIT $\(next)
            """
    }

    /// Deletes the rows that are `equal` and ignores the rest of the query. One parameter for each value.
    func delete(_ query: RowQuery) -> String {
        "DELETE FROM \(name(of: query.table)) WHERE \(equals(of: query).joined(separator: " AND "))"
    }

    private func equals(of query: RowQuery) -> [String] {
        zip(query.index.columns, parameters(1, query.equal.count)).map { "\(quoted($0)) = \($1)" }
    }

    private func name(of table: RowTable) -> String { schema + quoted(prefix + table.name) }

    private func name(of index: RowIndex, of table: RowTable) -> String {
        quoted("\(prefix)\(table.name) by \(index.name)")
    }

    private func order(isDescending: Bool) -> String { isDescending ? descending : ascending }

    private func quoted(_ name: String) -> String { "\"\(name)\"" }

    private func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }

    private func parameters(_ first: Int, _ count: Int) -> [String] { (0..<count).map { "$\(first + $0)" } }
}
