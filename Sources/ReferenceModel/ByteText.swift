/// A text as a key that is compared byte by byte. Swift's `==` treats both encodings of "é" as equal.
struct ByteText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ByteText, other: ByteText) -> Bool { one.text.hasSameBytes(as: other.text) }

    // Equal bytes are equal strings in Swift too, so they have the same hash.
    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

extension String {
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
