// Compares bytes through pointers, none of which leave this file.

extension [UInt8] {
    /// Whether these are all the bytes of `bytes` from `start` on.
    @inline(__always)
    func isEnd(of bytes: [UInt8], from start: Int) -> Bool {
        guard bytes.count - start == count else { return false }
        return withUnsafeBytes { mine in
            bytes.withUnsafeBytes { theirs in
                // Eight at a time: elementsEqual goes byte by byte.
                var place = 0
                while place + 8 <= count {
                    let (one, other) = (
                        mine.loadUnaligned(fromByteOffset: place, as: UInt64.self),
                        theirs.loadUnaligned(fromByteOffset: start + place, as: UInt64.self)
                    )
                    guard one == other else { return false }
                    place += 8
                }
                while place < count {
                    guard mine[place] == theirs[start + place] else { return false }
                    place += 1
                }
                return true
            }
        }
    }

    /// The number after `{"v":` at `start`, with which only events begin; nil otherwise.
    @inline(__always)
    func eventVersion(from start: Int) -> Int? {
        withUnsafeBytes { bytes in
            guard bytes.count > start + 6, bytes[start] == 0x7B, bytes[start + 1] == 0x22, bytes[start + 2] == 0x76,
                bytes[start + 3] == 0x22, bytes[start + 4] == 0x3A
            else { return nil }
            var (version, place) = (0, start + 5)
            while place < bytes.count, place < start + 20 {
                let digit = Int(bytes[place]) - 48
                guard digit >= 0, digit <= 9 else { break }
                version = version * 10 + digit
                place += 1
            }
            return version
        }
    }
}
