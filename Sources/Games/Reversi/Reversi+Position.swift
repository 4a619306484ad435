extension Reversi {
    /// All discs, as the player to move sees them. Bit i is cell i, row by row from a1 at the top left.
    public struct Position: Hashable, Sendable {
        /// The discs of the player to move.
        public var own: UInt64
        /// The discs of the other player.
        public var other: UInt64

        public init(own: UInt64, other: UInt64) {
            self.own = own
            self.other = other
        }

        /// Black, to move, on e4 and d5; white on d4 and e5.
        public static let start = Position(own: 1 << 28 | 1 << 35, other: 1 << 27 | 1 << 36)

        public var empty: UInt64 { ~(own | other) }
        var emptyCount: Int { empty.nonzeroBitCount }

        /// Without the outer columns, a row can be shifted sideways and no disc comes back in on the other side.
        @inline(__always) static var inner: UInt64 { 0x7E7E_7E7E_7E7E_7E7E }

        /// Every cell where the player to move may place a disc.
        public var moves: UInt64 {
            let sideways = other & Position.inner
            var found = Position.ends(own, over: sideways, by: 1)
            found |= Position.ends(own, over: other, by: 8)
            found |= Position.ends(own, over: sideways, by: 7)
            found |= Position.ends(own, over: sideways, by: 9)
            return found & empty
        }

        /// The cells after every straight run of `between` that starts beside one of `from`, both ways along one line.
        @inline(__always)
        private static func ends(_ from: UInt64, over between: UInt64, by step: UInt64) -> UInt64 {
            var up = between & (from << step)
            var down = between & (from >> step)
            up |= between & (up << step)
            down |= between & (down >> step)
            // Two at a time from here on, since a run has at most six discs.
            let upPairs = between & (between << step)
            let downPairs = between & (between >> step)
            let twice = step &* 2
            up |= upPairs & (up << twice)
            down |= downPairs & (down >> twice)
            up |= upPairs & (up << twice)
            down |= downPairs & (down >> twice)
            return (up << step) | (down >> step)
        }

        /// The other player's discs that a disc on the empty `cell` encloses; none if the move is not legal.
        public func flips(at cell: Int) -> UInt64 {
            let (up, down) = (UInt64(truncatingIfNeeded: cell), UInt64(truncatingIfNeeded: 63 &- cell))
            let files: UInt64 = 0x0101_0101_0101_0101
            let bit: UInt64 = 1 &<< (up & 7)
            // The columns on either side, since a diagonal ends at the board's edge.
            let (left, right) = (files &* (bit &- 1), files &* (0xFF & ~(bit | (bit &- 1))))
            let row: UInt64 = 0xFF &<< (up & 56)
            var flips = enclosed(above: row & (0xFFFF_FFFF_FFFF_FFFE &<< up))
            flips |= enclosed(above: 0x0101_0101_0101_0100 &<< up)
            flips |= enclosed(above: 0x0002_0408_1020_4080 &<< up & left)
            flips |= enclosed(above: 0x8040_2010_0804_0200 &<< up & right)
            flips |= enclosed(below: row & (0x7FFF_FFFF_FFFF_FFFF &>> down))
            flips |= enclosed(below: 0x0080_8080_8080_8080 &>> down)
            flips |= enclosed(below: 0x0102_0408_1020_4000 &>> down & right)
            flips |= enclosed(below: 0x0040_2010_0804_0201 &>> down & left)
            return flips
        }

        /// Along a ray of cells above the disc, where an added 1 is carried past the other player's discs.
        @inline(__always)
        private func enclosed(above ray: UInt64) -> UInt64 {
            let end = ((other | ~ray) &+ 1) & ray & own
            return (end &- (end == 0 ? 0 : 1)) & ray
        }

        /// Along a ray below it, up to the highest cell that is not the other player's.
        @inline(__always)
        private func enclosed(below ray: UInt64) -> UInt64 {
            let rest = ray & ~other
            let end = rest == 0 ? 0 : (0x8000_0000_0000_0000 as UInt64) &>> UInt64(rest.leadingZeroBitCount) & own
            return (0 &- (end &<< 1)) & ray
        }

        /// The position after a disc on `cell` that flips `flips`, as the other player sees it.
        @inline(__always)
        public func placing(_ cell: Int, flipping flips: UInt64) -> Position {
            Position(own: other ^ flips, other: own ^ flips ^ (UInt64(1) << UInt64(truncatingIfNeeded: cell)))
        }

        /// As the other player sees it.
        public var passed: Position { Position(own: other, other: own) }
        /// Whether neither player can move.
        public var isOver: Bool { moves == 0 && passed.moves == 0 }

        /// The difference at the end of a game, for the player to move. Empty cells count for the winner.
        var finalScore: Int {
            let difference = own.nonzeroBitCount - other.nonzeroBitCount
            return difference == 0 ? 0 : difference + difference.signum() * emptyCount
        }

        /// The number of positions after this many plies. A pass is a ply, and a game that ends earlier is one leaf.
        /// The last ply is counted at once, by its moves.
        public func leaves(after plies: Int) -> Int {
            guard plies > 0 else { return 1 }
            let moves = self.moves
            if moves == 0 {
                return passed.moves == 0 ? 1 : passed.leaves(after: plies - 1)
            }
            if plies == 1 { return moves.nonzeroBitCount }
            var count = 0
            var rest = moves
            while rest != 0 {
                let cell = rest.trailingZeroBitCount
                rest &= rest - 1
                count += placing(cell, flipping: flips(at: cell)).leaves(after: plies - 1)
            }
            return count
        }
    }
}

extension UInt64 {
    /// The indices of its bits, ascending.
    var cells: [Int] {
        var cells: [Int] = []
        var rest = self
        while rest != 0 {
            cells.append(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        return cells
    }
}
