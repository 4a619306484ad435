import Cryptography

/// Numbers that follow from a seed, so that anyone with the seed draws the same. Block i is SHA-256(seed || i as four
/// bytes big-endian), i = 0, 1, 2, ..., and gives eight 32-bit words, big-endian, in order.
public struct RandomWords: Sendable, Equatable {
    private let seed: Digest
    private var block: [UInt8] = []
    private var blockCount: UInt32 = 0

    public init(seed: Digest) { self.seed = seed }

    /// The next word of the stream.
    public mutating func next() -> UInt32 {
        if block.isEmpty {
            let counter = withUnsafeBytes(of: blockCount.bigEndian) { [UInt8]($0) }
            block = SHA256.digest(of: seed.bytes + counter).bytes.reversed()
            blockCount += 1
        }
        var word: UInt32 = 0
        for _ in 0..<4 { word = word << 8 | UInt32(block.removeLast()) }
        return word
    }

    /// A number from 0 to `bound` - 1, all equally likely: words from the largest multiple of `bound` on are skipped.
    /// `bound` is 1 or more.
    public mutating func number(below bound: Int) -> Int {
        precondition(bound >= 1 && bound <= UInt32.max, "a bound is from 1 to 2^32 - 1")
        let limit = (UInt64(1) << 32) / UInt64(bound) * UInt64(bound)
        while true {
            let word = UInt64(next())
            if word < limit { return Int(word % UInt64(bound)) }
        }
    }

    /// For i from the last index down to 1: swaps i with a number below i + 1.
    public mutating func shuffle<Element>(_ list: inout [Element]) {
        for index in stride(from: list.count - 1, to: 0, by: -1) { list.swapAt(index, number(below: index + 1)) }
    }
}
