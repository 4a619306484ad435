/// A text as a key that is compared byte by byte: Swift takes one writing of "é" for the other.
struct ByteText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ByteText, other: ByteText) -> Bool { one.text.hasSameBytes(as: other.text) }

    // What has the same bytes is equal to Swift, too, and hashes alike.
    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

extension String {
    func hasSameBytes(as other: String) -> Bool {
        let (mine, theirs) = (utf8.span, other.utf8.span)
        guard mine.count == theirs.count else { return false }
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }
}
