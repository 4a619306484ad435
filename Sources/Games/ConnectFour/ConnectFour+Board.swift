extension ConnectFour {
    /// A position as the player to move sees it, with a bit for each cell: columns from the left with seven bits each,
    /// from the bottom up. The seventh is never set, so that no line continues from the top of a column to the bottom
    /// of the next.
    struct Board: Equatable, Hashable, Sendable {
        static let columns = 7
        static let rows = 6
        static let cellCount = columns * rows
        private static let height = 7
        private static let bottoms: UInt64 = (0..<columns).reduce(0) { $0 | 1 << UInt64($1 * height) }
        private static let all: UInt64 = bottoms * (1 << UInt64(rows) - 1)

        /// The discs of the player to move, and of the other, who dropped the newest.
        private(set) var own: UInt64 = 0
        private(set) var other: UInt64 = 0

        var taken: UInt64 { own | other }
        /// Where the next discs would land, with a bit for each column that is not full.
        var landings: UInt64 { (taken + Self.bottoms) & Self.all }
        var isFull: Bool { taken.nonzeroBitCount == Self.cellCount }
        var isOver: Bool { isFull || Self.hasLine(other) }

        /// The bit of a cell; cells are numbered row by row from the top left.
        static func bit(_ cell: Int) -> UInt64 { 1 << UInt64(cell % columns * height + rows - 1 - cell / columns) }

        /// A column's cells, numbered from 0, with a bit each.
        static func column(_ column: Int) -> UInt64 { 0x3F << UInt64(column * height) }

        /// The bit where a disc lands; nil if the column is full or does not exist.
        func landing(in column: Int) -> UInt64? {
            guard (0..<Self.columns).contains(column) else { return nil }
            let bit = landings & Self.column(column)
            return bit == 0 ? nil : bit
        }

        /// The cell where a disc in `column` lands; nil if there is no room for it.
        func cell(in column: Int) -> Int? {
            landing(in: column).map { (Self.rows - 1 - $0.trailingZeroBitCount % Self.height) * Self.columns + column }
        }

        /// The board after the player to move drops a disc on `bit`, as the other player sees it.
        func dropping(_ bit: UInt64) -> Board {
            var next = Board()
            (next.own, next.other) = (other, own | bit)
            return next
        }

        /// Steps to the next cell of a line: up, right, and both diagonals.
        private static let steps: [UInt64] = [1, 7, 6, 8]

        /// Whether four of `discs` are in a row.
        static func hasLine(_ discs: UInt64) -> Bool {
            // Written out because a search calls it for each position.
            func has(_ step: UInt64) -> Bool {
                let pairs = discs & discs >> step
                return pairs & pairs >> (2 * step) != 0
            }
            return has(1) || has(7) || has(6) || has(8)
        }

        /// All cells of `discs` that are part of four or more in a row.
        static func lines(of discs: UInt64) -> UInt64 {
            steps.reduce(0) { lines, step in
                let fours = discs & discs >> step & discs >> (2 * step) & discs >> (3 * step)
                return lines | fours | fours << step | fours << (2 * step) | fours << (3 * step)
            }
        }

        /// The empty cells where another of `discs` would make four in a row, even those that no disc can reach yet.
        func threats(of discs: UInt64) -> UInt64 {
            func ends(_ step: UInt64) -> UInt64 {
                let (before, after) = (discs << step & discs << (2 * step), discs >> step & discs >> (2 * step))
                return before & (discs << (3 * step) | discs >> step) | after & (discs << step | discs >> (3 * step))
            }
            return (ends(1) | ends(7) | ends(6) | ends(8)) & Self.all & ~taken
        }
    }
}
