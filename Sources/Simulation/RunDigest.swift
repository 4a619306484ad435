/// A running digest of everything that happens in a world: two runs with the same digest were the same. It is not a
/// cryptographic hash.
struct RunDigest {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
    }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ bytes: [UInt8]) {
        add(bytes.count)
        let span = bytes.span
        var (word, place) = (UInt64(0), 0)
        while place + 8 <= span.count {
            word = span.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
            add(word)
            place += 8
        }
        word = 0
        while place < span.count {
            word = word << 8 | UInt64(span[place])
            place += 1
        }
        add(word)
    }
}
