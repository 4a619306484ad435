import Cryptography

/// Writes the parts of a message between nodes.
struct BinaryWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(byte: UInt8) { bytes.append(byte) }

    mutating func put(_ number: Int) {
        for shift in stride(from: 56, through: 0, by: -8) { put(byte: UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func put(bits: UInt64) { put(Int(bitPattern: UInt(bits))) }

    mutating func put(_ part: [UInt8]) {
        put(length: part.count)
        bytes += part
    }

    mutating func put(_ text: String) {
        put(length: text.utf8.count)
        bytes += text.utf8
    }

    mutating func put<Element>(_ list: [Element], _ write: (inout BinaryWriter, Element) -> Void) {
        put(length: list.count)
        for element in list { write(&self, element) }
    }

    private mutating func put(length: Int) {
        for shift in stride(from: 24, through: 0, by: -8) { put(byte: UInt8(truncatingIfNeeded: length >> shift)) }
    }
}

/// Reads the parts of a message between nodes. For any bytes, it takes no more memory than a few times their number.
struct BinaryReader {
    private let source: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { source = bytes }

    var isAtEnd: Bool { offset == source.count }

    func violation(_ expected: String) -> NodeMessageViolation {
        NodeMessageViolation(offset: offset, expected: expected)
    }

    mutating func byte() throws(NodeMessageViolation) -> UInt8 {
        guard offset < source.count else { throw violation("one more byte") }
        defer { offset += 1 }
        return source[offset]
    }

    mutating func number() throws(NodeMessageViolation) -> Int {
        var number: UInt64 = 0
        for _ in 0..<8 { number = number << 8 | UInt64(try byte()) }
        return Int(truncatingIfNeeded: number)
    }

    mutating func bits() throws(NodeMessageViolation) -> UInt64 { UInt64(UInt(bitPattern: try number())) }

    /// A number that is at least 0.
    mutating func count() throws(NodeMessageViolation) -> Int {
        let count = try number()
        guard count >= 0 else { throw violation("a number from 0") }
        return count
    }

    mutating func bytes() throws(NodeMessageViolation) -> [UInt8] {
        let length = try length()
        defer { offset += length }
        return Array(source[offset..<offset + length])
    }

    mutating func text() throws(NodeMessageViolation) -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw violation("text in UTF-8") }
        return text
    }

    mutating func digest() throws(NodeMessageViolation) -> Digest {
        guard let digest = Digest(bytes: try bytes()) else { throw violation("a digest of \(Digest.size) bytes") }
        return digest
    }

    mutating func list<Element>(
        _ element: (inout BinaryReader) throws(NodeMessageViolation) -> Element
    ) throws(NodeMessageViolation) -> [Element] {
        // Each element has at least one byte.
        let count = try length()
        var list: [Element] = []
        for _ in 0..<count { list.append(try element(&self)) }
        return list
    }

    /// At most the number of bytes left.
    private mutating func length() throws(NodeMessageViolation) -> Int {
        var length = 0
        for _ in 0..<4 { length = length << 8 | Int(try byte()) }
        guard length <= source.count - offset else { throw violation("a length within the message") }
        return length
    }
}
