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

    /// Whether this event says, right after its type, that its commit has more events.
    var saysMore: Bool {
        let type = Array(#","type":""#.utf8)
        let more = Array(#"","more":true"#.utf8)
        var place = 0
        while place + type.count <= count, !self[place...].starts(with: type) { place += 1 }
        place += type.count
        while place < count, self[place] != UInt8(ascii: "\"") { place += 1 }
        return place < count && self[place...].starts(with: more)
    }

    /// The time of this event, which comes after its version.
    var eventTime: Int? {
        withUnsafeBytes { bytes in
            var place = 5
            while place < bytes.count, bytes[place] != 0x2C { place += 1 }
            guard place + 5 < bytes.count, bytes[place + 1] == 0x22, bytes[place + 2] == 0x74 else { return nil }
            place += 5
            let start = place
            var time = 0
            while place < bytes.count, place < start + 18 {
                let digit = Int(bytes[place]) - 48
                guard digit >= 0, digit <= 9 else { break }
                time = time * 10 + digit
                place += 1
            }
            return place > start ? time : nil
        }
    }
}
