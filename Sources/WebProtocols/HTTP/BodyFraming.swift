/// How the end of a body is found (RFC 9112 section 6.3).
enum BodyFraming: Equatable, Sendable {
    case none
    case length(Int)
    case chunked

    /// Throws if two readers might disagree, or if the body is longer than `limit`.
    init(_ headers: HeaderFields, minorVersion: Int, limit: Int) throws(HTTPViolation) {
        let codings = headers.all("Transfer-Encoding")
        let lengths = headers.all("Content-Length")
        guard codings.isEmpty else {
            guard lengths.isEmpty else { throw .lengthAndTransferCoding }
            guard minorVersion >= 1 else { throw .transferCodingInOldVersion }
            guard headers.members(of: "Transfer-Encoding").last?.matches("chunked") == true else {
                throw .transferCodingWithoutEnd
            }
            guard codings.count == 1, codings[0].matches("chunked") else { throw .unsupportedTransferCoding }
            self = .chunked
            return
        }
        guard !lengths.isEmpty else {
            self = .none
            return
        }
        var found: Int?
        for text in lengths.flatMap({ $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }) {
            let length = try Self.length(Array(text)[...].trimmed, limit: limit)
            guard found == nil || found == length else { throw .conflictingLengths }
            found = length
        }
        guard let found else { throw .malformedLength }
        guard found <= limit else { throw .bodyTooLong(limit: limit) }
        self = found == 0 ? .none : .length(found)
    }

    /// A number too large to count is reported as too long a body.
    private static func length(_ digits: ArraySlice<UInt8>, limit: Int) throws(HTTPViolation) -> Int {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { throw .malformedLength }
        guard let length = Int(String(decoding: digits, as: UTF8.self)) else { throw .bodyTooLong(limit: limit) }
        return length
    }
}

/// The line before a chunk (RFC 9112 section 7.1), which has the chunk's size and extensions that are ignored.
enum ChunkLine {
    /// Bytes of a line with its end: sixteen digits, and extensions, which no client sends.
    static let limitBytes = 256

    /// The chunk's size, at most `room`, the rest of the body's limit.
    static func size(_ line: [UInt8], room: Int, limit: Int) throws(HTTPViolation) -> Int {
        let digits = line.prefix { $0.hexDigit != nil }
        let extensions = line[digits.endIndex...].drop(while: \.isBlank)
        guard !digits.isEmpty, digits.endIndex == line.endIndex || extensions.first == UInt8(ascii: ";") else {
            throw .malformedChunk
        }
        // Fifteen digits cannot overflow, and leading zeros do not count.
        guard digits.drop(while: { $0 == UInt8(ascii: "0") }).count <= 15 else { throw .bodyTooLong(limit: limit) }
        var size = 0
        for digit in digits {
            size = size << 4 | Int(digit.hexDigit ?? 0)
            guard size <= room else { throw .bodyTooLong(limit: limit) }
        }
        return size
    }
}
