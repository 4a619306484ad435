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
            let walk = RowWalk(RowQuery(table, by: index, equal: equal, limit: .max))
            // Copied only if something goes.
            guard rows[table.name]?.values.contains(where: walk.finds) == true else { return }
            rows[table.name] = rows[table.name]?.filter { !walk.finds($0.value) }
        }
    }

    func rows(_ query: RowQuery) -> [[RowValue]] {
        guard let rows = rows[query.table.name] else { return [] }
        let walk = RowWalk(query)
        let found = rows.values.filter { row in
            walk.finds(row) && query.after.map { walk.isInOrder($0, row) } ?? true
        }
        return Array(found.sorted(by: walk.isInOrder).prefix(query.limit))
    }
}

/// A query with the places of its columns, looked up once for all rows.
private struct RowWalk {
    private let equal: [(place: Int, value: RowValue)]
    private let range: (place: Int, values: Range<Int>)?
    private let order: [(place: Int, isReversed: Bool)]

    init(_ query: RowQuery) {
        let places = query.index.columns.map { query.table.place(of: $0) }
        equal = Array(zip(places, query.equal))
        range = query.range.map { (places[query.equal.count], $0) }
        order = zip(places, query.index.parts).dropFirst(query.equal.count).map { place, part in
            (place, part.isDescending != query.isBackwards)
        }
    }

    /// Whether `row` is asked for, wherever its page begins.
    func finds(_ row: [RowValue]) -> Bool {
        for (place, value) in equal where value == .null || row[place] != value { return false }
        guard let range else { return true }
        return row[range.place].optionalInteger.map { range.values.contains($0) } ?? false
    }

    func isInOrder(_ first: [RowValue], _ second: [RowValue]) -> Bool {
        for (place, isReversed) in order {
            let (one, other) = isReversed ? (second, first) : (first, second)
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
