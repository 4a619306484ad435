// Reads words of texts through pointers; only a value leaves this file.

/// 64 bits that depend on every bit added, and on the order. Not a secret hash.
struct WordMix {
    private(set) var value: UInt64 = 0

    mutating func add(_ word: UInt64) {
        // An odd factor loses nothing, and the shift brings the upper bits back down (as in SplitMix64).
        value = (value ^ word) &* 0xBF58_476D_1CE4_E5B9
        value ^= value >> 31
    }

    /// Adds a text of any length: its size, then its words, the last of which overlaps the one before.
    mutating func add(_ text: String) {
        text.utf8Span.span.bytes.withUnsafeBytes { bytes in
            add(UInt64(bytes.count))
            var place = 0
            while place + 8 <= bytes.count {
                add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                place += 8
            }
            if place > 0, place < bytes.count {
                add(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
            } else {
                for byte in bytes[place...] { add(UInt64(byte)) }
            }
        }
    }
}
