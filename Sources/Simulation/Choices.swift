/// Choices that follow from a seed alone (SplitMix64). Each part of a world has its own stream, so that its draws do
/// not change those of others.
struct Choices {
    private var state: UInt64

    /// The stream of `part`: the same for the same seed, and different for each part.
    init(seed: UInt64, part: UInt64) {
        state = seed
        let start = next()
        state = start ^ (part &* 0x9E37_79B9_7F4A_7C15)
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// From 0 to `bound` - 1; `bound` is above 0.
    mutating func number(below bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + number(below: range.upperBound - range.lowerBound + 1)
    }

    /// True `hits` times in `tries`.
    mutating func chance(_ hits: Int, in tries: Int) -> Bool { number(below: tries) < hits }

    mutating func element<Item>(of items: [Item]) -> Item { items[number(below: items.count)] }
}
