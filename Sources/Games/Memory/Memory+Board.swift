extension Memory {
    /// The shape of a game, with cells numbered row by row from 0. If their number is odd, the middle one is a gap.
    public struct Board: Sendable, Equatable {
        /// Cells in a row, within `columnRange`.
        public let columns: Int
        /// Cells in a column, within `rowRange`.
        public let rows: Int

        /// Boards that fit a narrow screen, with at most 48 pairs.
        public static let columnRange = 2...8
        /// Every combination with `columnRange` is allowed.
        public static let rowRange = 3...12
        /// From the pairs of the smallest board to those of the largest.
        public static let pairRange = 3...48

        /// Nil if a side is out of range.
        public init?(columns: Int, rows: Int) {
            guard Board.columnRange.contains(columns), Board.rowRange.contains(rows) else { return nil }
            self.columns = columns
            self.rows = rows
        }

        /// The board for `pairs`: preferably without a gap, then the most nearly square, then not wider than high. If
        /// no board fits, the next lower number that has one is used; below 3, the smallest board.
        public init(pairs: Int) {
            var (columns, rows) = (Board.columnRange.lowerBound, Board.rowRange.lowerBound)
            search: for count in stride(from: min(pairs, Board.pairRange.upperBound), through: 3, by: -1) {
                for cells in [2 * count, 2 * count + 1] {
                    guard let sides = Board.sides(cells: cells) else { continue }
                    (columns, rows) = sides
                    break search
                }
            }
            self.columns = columns
            self.rows = rows
        }

        /// Includes the gap.
        public var cellCount: Int { columns * rows }
        /// The gap does not count.
        public var pairs: Int { cellCount / 2 }
        /// The cell that never has a card; nil on a board with an even number of cells.
        public var gap: Int? { cellCount.isMultiple(of: 2) ? nil : cellCount / 2 }

        /// The most nearly square sides in range for exactly this many cells; columns <= rows if both fit.
        private static func sides(cells: Int) -> (columns: Int, rows: Int)? {
            var best: (columns: Int, rows: Int)?
            // Columns ascend, so of two mirrored boards the one with fewer columns comes first and stays.
            for columns in columnRange where cells.isMultiple(of: columns) && rowRange.contains(cells / columns) {
                let rows = cells / columns
                if let best, abs(best.columns - best.rows) <= abs(columns - rows) { continue }
                best = (columns, rows)
            }
            return best
        }
    }
}
