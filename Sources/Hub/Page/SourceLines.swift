// Passes bytes to the C library by pointer, for the length of a call.
import Glibc

/// The lines of a module. Most need no closer look, and the C library finds the others far faster than comparing
/// characters would.
struct SourceLines {
    /// A line has one of these if it begins or ends a comment, imports, exports, or holds a template's quote.
    private static let marks: [StaticString] = ["//", "/*", "*/", "`", "import", "export"]

    struct Line {
        let text: Substring
        /// The text without its indent.
        let unindented: Substring
        /// Whether the line is indented and has no mark, so that only the body needs it. A line without an indent may
        /// declare a variable or wait.
        var isPlain: Bool
    }

    private(set) var all: [Line] = []

    init(_ source: String) {
        let bytes = Array(source.utf8) + [0]
        let starts = [0] + Self.places(of: "\n", in: bytes).map { $0 + 1 }
        var begin = source.startIndex
        for (index, start) in starts.enumerated() {
            let end = (index + 1 < starts.count ? starts[index + 1] : bytes.count) - 1
            var indentEnd = start
            while bytes[indentEnd] == UInt8(ascii: " ") { indentEnd += 1 }
            let behind = source.utf8.index(begin, offsetBy: end - start)
            let unindented = source[source.utf8.index(begin, offsetBy: indentEnd - start)..<behind]
            let isPlain = start < indentEnd && indentEnd < end
            all.append(Line(text: source[begin..<behind], unindented: unindented, isPlain: isPlain))
            if index + 1 < starts.count { begin = source.utf8.index(after: behind) }
        }
        for mark in Self.marks {
            var index = 0
            for place in Self.places(of: mark, in: bytes) {
                while index + 1 < starts.count, starts[index + 1] <= place { index += 1 }
                all[index].isPlain = false
            }
        }
    }

    /// Where `word` begins, in order, in bytes that end with a zero.
    private static func places(of word: StaticString, in bytes: [UInt8]) -> [Int] {
        var places: [Int] = []
        bytes.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return }
            var from = 0
            while from < text.count {
                if let hit = strstr(start + from, word.utf8Start) {
                    let place = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(hit))
                    places.append(place)
                    from = place + 1
                } else {
                    // The text may hold a zero, too.
                    from += strlen(start + from) + 1
                }
            }
        }
        return places
    }
}

extension Substring {
    /// Whether `word` occurs, byte for byte, which is far faster than comparing characters.
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
