import Synchronization

/// Rows in memory, for tests: every call is answered before it returns.
public final class InMemoryRowStore: RowStore {
    private let tables = Mutex(Tables())

    public init() {}

    /// Starts as a copy of `other`.
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

    public func ask(_ queries: [RowQuery], answer: @escaping RowReply) {
        let found = tables.withLock { tables in
            RowAnswer(rows: queries.flatMap { tables.rows($0) }, position: tables.position)
        }
        answer(.success(found))
    }

    public func close() {}

    /// Everything up to here is in the rows.
    public var position: Int { tables.withLock { $0.position } }
}

private struct Tables: Sendable {
    var position = 0
    /// By table name.
    private var rows: [String: TableRows] = [:]

    mutating func apply(_ change: RowChange) {
        switch change {
        case .put(let row, let table): rows[table.name, default: TableRows(table)].put(row, into: table)
        case .delete(let table, let index, let equal), .erase(let table, let index, let equal):
            rows[table.name]?.remove(RowQuery(table, by: index, equal: equal, limit: .max))
        }
    }

    mutating func rows(_ query: RowQuery) -> [[RowValue]] { rows[query.table.name]?.found(by: query) ?? [] }
}

/// The rows of one table, in each order that was asked for so far.
private struct TableRows: Sendable {
    private var byKey: SortedRows
    /// By index name. An array, because there are few, and it changes in place without a copy.
    private var indexes: [(name: String, rows: SortedRows)] = []

    init(_ table: RowTable) {
        byKey = SortedRows(by: table.key.map { .init(place: table.place(of: $0), isDescending: false) })
    }

    mutating func put(_ row: [RowValue], into table: RowTable) {
        table.check(row)
        guard let old = byKey.twin(of: row) else {
            byKey.insert(row)
            for place in indexes.indices { indexes[place].rows.insert(row) }
            return
        }
        if let version = table.version.map({ table.place(of: $0) }), old[version].order(to: row[version]) > 0 { return }
        byKey.replace(old, by: row)
        for place in indexes.indices { indexes[place].rows.replace(old, by: row) }
    }

    mutating func remove(_ query: RowQuery) { for row in found(by: query) { remove(row) } }

    private mutating func remove(_ row: [RowValue]) {
        byKey.remove(row)
        for place in indexes.indices { indexes[place].rows.remove(row) }
    }

    mutating func found(by query: RowQuery) -> [[RowValue]] {
        guard !query.equal.contains(.null) else { return [] }
        let walk = RowWalk(query)
        var found: [[RowValue]] = []
        func collectRow(_ row: [RowValue]) -> Bool {
            guard found.count < query.limit, walk.side(of: row) == .within else { return false }
            found.append(row)
            return true
        }
        let rows = sorted(by: query.index, of: query.table)
        if query.isBackwards {
            rows.walkBackwards(ahead: { walk.side(of: $0) == .ahead }, collectRow)
        } else {
            rows.walk(ahead: { walk.side(of: $0) == .ahead }, collectRow)
        }
        return found
    }

    private mutating func sorted(by index: RowIndex, of table: RowTable) -> SortedRows {
        if let known = indexes.first(where: { $0.name == index.name }) { return known.rows }
        var sorted = SortedRows(
            by: index.parts.map { .init(place: table.place(of: $0.column), isDescending: $0.isDescending) })
        byKey.walk(ahead: { _ in false }) { row in
            sorted.insert(row)
            return true
        }
        indexes.append((index.name, sorted))
        return sorted
    }
}

/// A query with the places of its columns, looked up once for all rows.
private struct RowWalk {
    /// Where a row is along the walk, compared with the wanted rows.
    enum Side { case ahead, within, behind }

    private let columns: [(place: Int, isReversed: Bool)]
    private let equal: [RowValue]
    private let range: Range<Int>?
    /// The last row of the page before.
    private let after: [RowValue]?

    init(_ query: RowQuery) {
        columns = query.index.parts.map {
            (query.table.place(of: $0.column), $0.isDescending != query.isBackwards)
        }
        (equal, range, after) = (query.equal, query.range, query.after)
    }

    func side(of row: [RowValue]) -> Side {
        for (column, value) in zip(columns, equal) {
            let order = row[column.place].order(to: value)
            if order != 0 { return (order < 0) != column.isReversed ? .ahead : .behind }
        }
        if let range {
            let column = columns[equal.count]
            let number = row[column.place].optionalInteger
            // Null comes before all numbers.
            guard let number, number >= range.lowerBound else { return column.isReversed ? .behind : .ahead }
            guard number < range.upperBound else { return column.isReversed ? .ahead : .behind }
        }
        return after.map { isInOrder($0, row) } ?? true ? .within : .ahead
    }

    private func isInOrder(_ first: [RowValue], _ second: [RowValue]) -> Bool {
        for column in columns[equal.count...] {
            let order = first[column.place].order(to: second[column.place])
            if order != 0 { return (order < 0) != column.isReversed }
        }
        return false
    }
}
