// Passes a line's bytes to the C library by pointer, for the length of a call.
import Glibc

extension Substring {
    /// Whether `word` occurs, byte for byte. A page has thousands of lines, and comparing characters takes far longer.
    func containsBytes(_ word: StaticString) -> Bool {
        utf8.withContiguousStorageIfAvailable { line in
            var rest = UnsafeRawBufferPointer(line)[...]
            while rest.count >= word.utf8CodeUnitCount, let begin = rest.withUnsafeBytes({ $0.baseAddress }),
                let hit = memchr(begin, Int32(word.utf8Start.pointee), rest.count - word.utf8CodeUnitCount + 1)
            {
                if memcmp(hit, word.utf8Start, word.utf8CodeUnitCount) == 0 { return true }
                rest = rest.dropFirst(begin.distance(to: UnsafeRawPointer(hit)) + 1)
            }
            return false
        } ?? contains(word.description)
    }
}
