extension Memory {
    /// The shape of a game: cells numbered row by row from 0. An odd number of cells leaves the middle one as a gap.
    public struct Board: Sendable, Equatable {
        /// Cells side by side, within `columnRange`.
        public let columns: Int
        /// Cells one above the other, within `rowRange`.
        public let rows: Int

        /// Boards that a narrow screen holds, and at most 48 pairs.
        public static let columnRange = 2...8
        /// With `columnRange`, every combination.
        public static let rowRange = 3...12
        /// From the smallest board's pairs to the largest's.
        public static let pairRange = 3...48

        /// Nil if a side is out of range.
        public init?(columns: Int, rows: Int) {
            guard Board.columnRange.contains(columns), Board.rowRange.contains(rows) else { return nil }
            self.columns = columns
            self.rows = rows
        }

        /// The board that `pairs` make: without a gap rather than with one, then the most nearly square, then not wider
        /// than high. Some counts fit no board: the next lower one that does is taken; below 3, the smallest board.
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

        /// With the gap.
        public var cellCount: Int { columns * rows }
        /// Of cards, not of cells: a gap is left out.
        public var pairs: Int { cellCount / 2 }
        /// The cell that never holds a card; nil on a board with an even number of cells.
        public var gap: Int? { cellCount.isMultiple(of: 2) ? nil : cellCount / 2 }

        /// The most nearly square sides in range for exactly so many cells, columns <= rows where both fit.
        private static func sides(cells: Int) -> (columns: Int, rows: Int)? {
            var best: (columns: Int, rows: Int)?
            // Columns ascend, so of two boards that are each other's image the one with fewer columns comes first and
            // stays.
            for columns in columnRange where cells.isMultiple(of: columns) && rowRange.contains(cells / columns) {
                let rows = cells / columns
                if let best, abs(best.columns - best.rows) <= abs(columns - rows) { continue }
                best = (columns, rows)
            }
            return best
        }
    }
}
