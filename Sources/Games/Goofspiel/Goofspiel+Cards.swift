extension Goofspiel {
    /// A set of cards or prizes, with bit i for the card of value i.
    struct Cards: Sendable, Hashable {
        var bits: UInt32 = 0

        /// No cards.
        init() {}
        /// The cards from 1 to `highest`.
        init(upTo highest: Int) { bits = (1 << UInt32(highest + 1)) - 2 }
        init(_ values: [Int]) { for value in values { bits |= 1 << UInt32(value) } }

        var count: Int { bits.nonzeroBitCount }
        var isEmpty: Bool { bits == 0 }
        /// Nil if there is none.
        var lowest: Int? { isEmpty ? nil : bits.trailingZeroBitCount }
        /// Ascending.
        var values: [Int] {
            var (values, rest) = ([Int](), bits)
            while rest != 0 {
                values.append(rest.trailingZeroBitCount)
                rest &= rest - 1
            }
            return values
        }

        var sum: Int {
            var (sum, rest) = (0, bits)
            while rest != 0 {
                sum += rest.trailingZeroBitCount
                rest &= rest - 1
            }
            return sum
        }

        func contains(_ value: Int) -> Bool { (1..<32).contains(value) && bits >> UInt32(value) & 1 == 1 }
        mutating func remove(_ value: Int) { self = removing(value) }
        func removing(_ value: Int) -> Cards {
            var rest = self
            if contains(value) { rest.bits &= ~(1 << UInt32(value)) }
            return rest
        }
    }
}
