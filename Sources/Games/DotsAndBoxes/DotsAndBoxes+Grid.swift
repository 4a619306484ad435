extension DotsAndBoxes {
    /// The lines and boxes of a square of dots. Lines are numbered row by row, first the horizontal ones, then the
    /// vertical ones; boxes are numbered row by row. A set of lines has a bit for each.
    struct Grid: Sendable {
        /// Dots a side. The largest board has 60 lines.
        static let sizes = 3...6
        private static let grids = sizes.map { Grid($0) }

        let size: Int
        /// The four lines of each box.
        let sides: [UInt64]
        /// The boxes beside each line, ascending; most lines have two.
        let beside: [(first: Int, second: Int?)]
        /// All lines.
        let all: UInt64

        var lineCount: Int { beside.count }
        var boxCount: Int { sides.count }

        /// `size` is one of `sizes`.
        static func ofSize(_ size: Int) -> Grid { grids[size - sizes.lowerBound] }

        private init(_ size: Int) {
            let width = size - 1
            var found: [[Int]] = []
            for row in 0..<size {
                for column in 0..<width {
                    found.append([row - 1, row].filter { (0..<width).contains($0) }.map { $0 * width + column })
                }
            }
            for row in 0..<width {
                for column in 0..<size {
                    found.append([column - 1, column].filter { (0..<width).contains($0) }.map { row * width + $0 })
                }
            }
            self.size = size
            beside = found.map { ($0[0], $0.count > 1 ? $0[1] : nil) }
            all = 1 << UInt64(found.count) - 1
            sides = (0..<(width * width)).map { box in
                found.indices.reduce(0) { found[$1].contains(box) ? $0 | 1 << UInt64($1) : $0 }
            }
        }

        func isFree(_ line: Int, _ drawn: UInt64) -> Bool {
            beside.indices.contains(line) && drawn >> UInt64(line) & 1 == 0
        }

        /// The boxes that a free line completes, ascending.
        func boxes(completedBy line: Int, _ drawn: UInt64) -> [Int] {
            let (first, second) = beside[line]
            return [first, second].compactMap(\.self).filter { sides[$0] & ~drawn == 1 << UInt64(line) }
        }
    }
}
