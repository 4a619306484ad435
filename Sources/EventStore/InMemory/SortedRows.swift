/// Rows in an order without ties. They are stored in short pieces, so that copies share all pieces but the changed
/// ones.
struct SortedRows: Sendable {
    struct Column: Sendable {
        let place: Int
        let isDescending: Bool
    }

    private let columns: [Column]
    /// No piece is empty.
    private var pieces: [[[RowValue]]] = []

    /// A piece that grows beyond this is split.
    private static let pieceLimit = 64

    init(by columns: [Column]) { self.columns = columns }

    mutating func insert(_ row: [RowValue]) {
        guard !pieces.isEmpty else { return pieces.append([row]) }
        var (piece, index) = place(ahead: { precedes($0, row) })
        if piece == pieces.count { (piece, index) = (piece - 1, pieces[piece - 1].count) }
        pieces[piece].insert(row, at: index)
        guard pieces[piece].count > Self.pieceLimit else { return }
        let rest = Array(pieces[piece].suffix(Self.pieceLimit / 2))
        pieces[piece].removeLast(rest.count)
        pieces.insert(rest, at: piece + 1)
    }

    /// The row at the place that `row` would have.
    func twin(of row: [RowValue]) -> [RowValue]? {
        let (piece, index) = place(ahead: { precedes($0, row) })
        guard piece < pieces.count, !precedes(row, pieces[piece][index]) else { return nil }
        return pieces[piece][index]
    }

    /// `row` must exist.
    mutating func remove(_ row: [RowValue]) {
        let (piece, index) = place(ahead: { precedes($0, row) })
        pieces[piece].remove(at: index)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }

    /// `old` must exist. `row` takes its place, which is the same if no column of the order has changed.
    mutating func replace(_ old: [RowValue], by row: [RowValue]) {
        guard !precedes(old, row), !precedes(row, old) else {
            remove(old)
            return insert(row)
        }
        let (piece, index) = place(ahead: { precedes($0, row) })
        pieces[piece][index] = row
    }

    /// Visits rows from the first that is not `ahead`, until `take` returns false.
    func walk(ahead: ([RowValue]) -> Bool, _ take: ([RowValue]) -> Bool) {
        var (piece, index) = place(ahead: ahead)
        while piece < pieces.count {
            while index < pieces[piece].count {
                guard take(pieces[piece][index]) else { return }
                index += 1
            }
            (piece, index) = (piece + 1, 0)
        }
    }

    /// The same from the other end.
    func walkBackwards(ahead: ([RowValue]) -> Bool, _ take: ([RowValue]) -> Bool) {
        var (piece, index) = place(ahead: { !ahead($0) })
        while true {
            while index > 0 {
                index -= 1
                guard take(pieces[piece][index]) else { return }
            }
            guard piece > 0 else { return }
            piece -= 1
            index = pieces[piece].count
        }
    }

    /// The place of the first row that is not `ahead`, as all before it are; after the last piece if all are.
    private func place(ahead: ([RowValue]) -> Bool) -> (piece: Int, index: Int) {
        let piece = pieces.partitioningIndex { !ahead($0[$0.count - 1]) }
        return piece < pieces.count ? (piece, pieces[piece].partitioningIndex { !ahead($0) }) : (piece, 0)
    }

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
