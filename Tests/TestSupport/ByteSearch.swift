// Passes bytes to the C library by pointer, for the length of a call.
import Glibc

extension [UInt8] {
    /// Whether `part` occurs in these bytes. In a debug build the C library is far faster than generic Swift.
    public func containsBytes(_ part: [UInt8]) -> Bool {
        withUnsafeBytes { bytes in
            guard let first = part.first, let start = bytes.baseAddress else { return part.isEmpty }
            var from = 0
            while bytes.count - from >= part.count,
                let hit = memchr(start + from, Int32(first), bytes.count - from - part.count + 1)
            {
                if memcmp(hit, part, part.count) == 0 { return true }
                from = start.distance(to: UnsafeRawPointer(hit)) + 1
            }
            return false
        }
    }
}
