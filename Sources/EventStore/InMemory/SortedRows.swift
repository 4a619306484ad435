/// Rows in an order without ties.
struct SortedRows: Sendable {
    struct Column: Sendable {
        let place: Int
        let isDescending: Bool
    }

    private let columns: [Column]
    private var rows: [[RowValue]] = []

    init(by columns: [Column]) { self.columns = columns }

    mutating func insert(_ row: [RowValue]) { rows.insert(row, at: index(of: row)) }

    /// The row at the place that `row` would have.
    func twin(of row: [RowValue]) -> [RowValue]? {
        let index = index(of: row)
        return index < rows.count && !precedes(row, rows[index]) ? rows[index] : nil
    }

    /// `row` must exist.
    mutating func remove(_ row: [RowValue]) { rows.remove(at: index(of: row)) }

    /// `old` must exist. `row` takes its place, which is the same if no column of the order has changed.
    mutating func replace(_ old: [RowValue], by row: [RowValue]) {
        guard !precedes(old, row), !precedes(row, old) else {
            remove(old)
            return insert(row)
        }
        rows[index(of: row)] = row
    }

    /// Visits rows from the first that is not `ahead`, until `take` returns false.
    func walk(ahead: ([RowValue]) -> Bool, _ take: ([RowValue]) -> Bool) {
        for row in rows[rows.partitioningIndex { !ahead($0) }...] { guard take(row) else { return } }
    }

    /// The same from the other end.
    func walkBackwards(ahead: ([RowValue]) -> Bool, _ take: ([RowValue]) -> Bool) {
        for row in rows[..<rows.partitioningIndex(where: ahead)].reversed() { guard take(row) else { return } }
    }

    /// The index of the first row that `row` does not come after.
    private func index(of row: [RowValue]) -> Int { rows.partitioningIndex { !precedes($0, row) } }

    private func precedes(_ first: [RowValue], _ second: [RowValue]) -> Bool {
        for column in columns {
            let order = first[column.place].order(to: second[column.place])
            if order != 0 { return (order < 0) != column.isDescending }
        }
        return false
    }
}

extension Array {
    /// The first index for which `isSecond` is true, as for all after it.
    func partitioningIndex(where isSecond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RowValue {
    /// Below 0 if this comes before the other, above 0 if after. As in SQLite: null, then numbers, then texts byte by
    /// byte.
    func order(to other: RowValue) -> Int {
        switch (self, other) {
        case (.integer(let one), .integer(let two)): one < two ? -1 : one > two ? 1 : 0
        case (.text(let one), .text(let two)): Self.order(of: one.utf8.span, to: two.utf8.span)
        case (.bytes(let one), .bytes(let two)): Self.order(of: one.span, to: two.span)
        default: rank - other.rank
        }
    }

    private static func order(of one: Span<UInt8>, to other: Span<UInt8>) -> Int {
        for index in 0..<min(one.count, other.count) where one[index] != other[index] {
            return one[index] < other[index] ? -1 : 1
        }
        return one.count - other.count
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
