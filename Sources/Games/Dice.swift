/// Quick random numbers (SplitMix64), for many games that are only tried out.
struct Dice {
    var state: UInt64

    mutating func number(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ word >> 31).multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// The number of one of the bits that are set, of which there is at least one.
    mutating func any(of bits: UInt64) -> Int {
        var rest = bits
        for _ in 0..<number(below: bits.nonzeroBitCount) { rest &= rest - 1 }
        return rest.trailingZeroBitCount
    }
}
