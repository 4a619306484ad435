/// The first line of a request (RFC 9112 section 3).
struct RequestLine: Equatable, Sendable {
    let method: String
    let target: String
    let minorVersion: Int

    /// Characters of a method. The longest in the registry has 17.
    static let methodLimit = 32
    /// Bytes of the line besides its target: the method, two spaces, a version and the line's end.
    static let overheadLimit = methodLimit + 2 + 8 + 2

    init(_ line: [UInt8], targetLimit: Int) throws(HTTPViolation) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let method = parts[0]
        guard !method.isEmpty, method.allSatisfy(\.isTokenCharacter) else { throw .malformedRequestLine }
        guard method.count <= Self.methodLimit else { throw .methodTooLong(limit: Self.methodLimit) }
        guard parts.count == 3, !parts[1].isEmpty else { throw .malformedRequestLine }
        guard parts[1].count <= targetLimit else { throw .targetTooLong(limit: targetLimit) }
        self.method = String(decoding: method, as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        minorVersion = try Self.minorVersion(parts[2])
    }

    /// `HTTP/1.` and a digit. A later HTTP/1 is answered as HTTP/1.1 (RFC 9110 section 2.5).
    private static func minorVersion(_ version: ArraySlice<UInt8>) throws(HTTPViolation) -> Int {
        let (name, number) = (version.prefix(5), version.dropFirst(5))
        guard name.elementsEqual("HTTP/".utf8), number.count == 3, let major = number.first, let minor = number.last,
            major.isDigit, minor.isDigit, number[number.startIndex + 1] == UInt8(ascii: ".")
        else { throw .malformedRequestLine }
        guard major == UInt8(ascii: "1") else { throw .unsupportedVersion(String(decoding: version, as: UTF8.self)) }
        return minor == UInt8(ascii: "0") ? 0 : 1
    }
}

extension HeaderFields {
    /// Appends the field in `line` (RFC 9112 section 5). Bytes past ASCII are read as UTF-8, and invalid ones become
    /// U+FFFD.
    mutating func append(line: [UInt8]) throws(HTTPViolation) {
        guard let first = line.first, !first.isBlank else { throw .foldedField }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            line[..<colon].allSatisfy(\.isTokenCharacter)
        else { throw .malformedField }
        append(
            checkedName: String(decoding: line[..<colon], as: UTF8.self),
            value: String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self))
    }
}
