import Synchronization

/// Rows in memory, for tests: every call is answered before it returns.
public final class InMemoryRowStore: RowStore {
    private let tables = Mutex(Tables())

    public init() {}

    /// Another with the same in it, from which each goes its own way.
    public convenience init(copying other: InMemoryRowStore) {
        self.init()
        let copied = other.tables.withLock { $0 }
        tables.withLock { $0 = copied }
    }

    public func apply(_ changes: [RowChange], reached position: Int?) {
        tables.withLock { tables in
            for change in changes { tables.apply(change) }
            if let position { tables.position = position }
        }
    }

    public func ask(_ queries: [RowQuery], answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void) {
        let found = tables.withLock { tables in
            RowAnswer(rows: queries.flatMap { tables.rows($0) }, position: tables.position)
        }
        answer(.success(found))
    }

    public func close() {}
}

private struct Tables: Sendable {
    var position = 0
    /// By the table's name and the row's key.
    private var rows: [String: [[RowValue]: [RowValue]]] = [:]

    mutating func apply(_ change: RowChange) {
        switch change {
        case .put(let row, let table):
            table.check(row)
            let key = table.key.map { row[table.place(of: $0)] }
            if let old = rows[table.name]?[key], let version = table.version.map({ table.place(of: $0) }),
                old[version].precedes(row[version]) == false, old[version] != row[version]
            {
                return
            }
            rows[table.name, default: [:]][key] = row
        case .delete(let table, let index, let equal), .erase(let table, let index, let equal):
            let query = RowQuery(table, by: index, equal: equal, limit: .max)
            rows[table.name] = rows[table.name]?.filter { !query.finds($0.value) }
        }
    }

    func rows(_ query: RowQuery) -> [[RowValue]] {
        let found = (rows[query.table.name] ?? [:]).values.filter { row in
            query.finds(row) && query.after.map { query.isInOrder($0, row) } ?? true
        }
        return Array(found.sorted { query.isInOrder($0, $1) }.prefix(query.limit))
    }
}

extension RowQuery {
    /// Whether `row` is asked for, wherever its page begins.
    fileprivate func finds(_ row: [RowValue]) -> Bool {
        let places = index.columns.map { table.place(of: $0) }
        for (place, value) in zip(places, equal) where value == .null || row[place] != value { return false }
        guard let range else { return true }
        return row[places[equal.count]].optionalInteger.map { range.contains($0) } ?? false
    }

    fileprivate func isInOrder(_ first: [RowValue], _ second: [RowValue]) -> Bool {
        for part in order {
            let place = table.place(of: part.column)
            let (one, other) = part.isDescending != isBackwards ? (second, first) : (first, second)
            if one[place].precedes(other[place]) { return true }
            if other[place].precedes(one[place]) { return false }
        }
        return false
    }
}

extension RowValue {
    /// As in SQLite: nothing, then numbers, then texts byte by byte.
    fileprivate func precedes(_ other: RowValue) -> Bool {
        switch (self, other) {
        case (.integer(let one), .integer(let two)): one < two
        case (.text(let one), .text(let two)): one.utf8.lexicographicallyPrecedes(two.utf8)
        case (.bytes(let one), .bytes(let two)): one.lexicographicallyPrecedes(two)
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer: 1
        case .text: 2
        case .bytes: 3
        }
    }
}
