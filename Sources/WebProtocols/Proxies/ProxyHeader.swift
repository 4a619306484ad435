/// The client that a proxy may name before anything else on a connection (HAProxy's `proxy-protocol.txt`, versions 1
/// and 2).
public struct ProxyHeader: Equatable, Sendable {
    /// Nil if the connection is the proxy's own, or if its client has no IP address.
    public let client: IPAddress?
    /// The bytes after these belong to the connection.
    public let byteCount: Int

    public enum Reading: Equatable, Sendable {
        /// The connection starts with something else. No TLS record starts like a header, and no request but one with
        /// the method PROXY.
        case absent
        /// More bytes will tell.
        case partial
        case whole(ProxyHeader)
    }

    /// The longest line of version 1, its end included (section 2.1).
    static let lineLimit = 107
    private static let lineStart = Array("PROXY ".utf8)
    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    /// Reads all first bytes that a connection has so far. `limit` is for version 2 with its extra fields.
    public static func read(_ bytes: RawSpan, limit: Int) throws(ProxyHeaderViolation) -> Reading {
        if begins(bytes, with: lineStart) { return bytes.byteCount < lineStart.count ? .partial : try readLine(bytes) }
        guard begins(bytes, with: signature) else { return .absent }
        return bytes.byteCount < fixedBytes ? .partial : try readBinary(bytes, limit: limit)
    }

    private static func begins(_ bytes: RawSpan, with start: [UInt8]) -> Bool {
        (0..<min(bytes.byteCount, start.count)).allSatisfy { bytes.byte(at: $0) == start[$0] }
    }

    private static func readLine(_ bytes: RawSpan) throws(ProxyHeaderViolation) -> Reading {
        let count = min(bytes.byteCount, lineLimit)
        guard let end = (0..<count).first(where: { [0x0D, 0x0A].contains(bytes.byte(at: $0)) }) else {
            guard count < lineLimit else { throw .lineTooLong }
            return .partial
        }
        guard bytes.byte(at: end) == 0x0D else { throw .malformedLine }
        guard end + 1 < lineLimit else { throw .lineTooLong }
        guard end + 1 < bytes.byteCount else { return .partial }
        guard bytes.byte(at: end + 1) == 0x0A else { throw .malformedLine }
        let line = String(decoding: (0..<end).map { bytes.byte(at: $0) }, as: UTF8.self)
        return .whole(ProxyHeader(client: try client(in: line), byteCount: end + 2))
    }

    private static func client(in line: String) throws(ProxyHeaderViolation) -> IPAddress? {
        // Split by scalars, since a space with a combining accent is another character and would not separate words.
        let words = line.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).map { Substring($0) }
        // Anything may follow it.
        if words[1] == "UNKNOWN" { return nil }
        guard words.count == 6, ["TCP4", "TCP6"].contains(words[1]) else { throw .malformedLine }
        let hasColons = words[1] == "TCP6"
        guard words[2...3].allSatisfy({ $0.contains(":") == hasColons && IPAddress($0) != nil }),
            words[4...5].allSatisfy({ decimal($0) != nil })
        else { throw .malformedLine }
        return IPAddress(words[2])
    }

    /// The bytes up to and including the length of the rest.
    private static let fixedBytes = 16

    private static func readBinary(_ bytes: RawSpan, limit: Int) throws(ProxyHeaderViolation) -> Reading {
        let (version, command) = (bytes.byte(at: 12) >> 4, bytes.byte(at: 12) & 0xF)
        guard version == 2 else { throw .unknownVersion(version) }
        guard command <= 1 else { throw .unknownCommand(command) }
        let length = Int(bytes.byte(at: 14)) << 8 | Int(bytes.byte(at: 15))
        guard fixedBytes + length <= limit else { throw .tooLong(bytes: fixedBytes + length, limit: limit) }
        // LOCAL: the proxy itself is the client, no matter what else the header says.
        let size = command == 0 ? nil : try addressSize(family: bytes.byte(at: 13), length: length)
        guard bytes.byteCount >= fixedBytes + length else { return .partial }
        let number = size.map { size in
            (fixedBytes..<fixedBytes + size).reduce(UInt128(0)) { $0 << 8 | UInt128(bytes.byte(at: $1)) }
        }
        let client = number.map { size == 4 ? IPAddress(ipv4: UInt32($0)) : IPAddress(bits: $0) }
        return .whole(ProxyHeader(client: client, byteCount: fixedBytes + length))
    }

    /// The size of the client's address in bytes; nil if it must be ignored. `length` must cover both addresses and
    /// both ports.
    private static func addressSize(family: UInt8, length: Int) throws(ProxyHeaderViolation) -> Int? {
        let (kind, transport) = (family >> 4, family & 0xF)
        guard kind <= 3, transport <= 2 else { throw .unknownFamily(family) }
        let needed = [0, 12, 36, 216][Int(kind)]
        guard transport != 0, needed > 0 else { return nil }
        guard length >= needed else { throw .tooShort(bytes: length, needed: needed) }
        return [1: 4, 2: 16][kind]
    }
}

/// What is wrong with a PROXY header, so that the connection's client is unknown.
public enum ProxyHeaderViolation: Error, Equatable, Sendable {
    case malformedLine, lineTooLong
    case unknownVersion(UInt8), unknownCommand(UInt8), unknownFamily(UInt8)
    case tooShort(bytes: Int, needed: Int)
    case tooLong(bytes: Int, limit: Int)

    /// For the person who runs the proxy.
    public var sentence: String {
        switch self {
        case .malformedLine: "The line is not a protocol, two addresses and two ports."
        case .lineTooLong: "The line is longer than \(ProxyHeader.lineLimit) bytes."
        case .unknownVersion(let version): "Version \(version) does not exist."
        case .unknownCommand(let command): "Command \(command) does not exist."
        case .unknownFamily(let family): "Family and transport \(family) do not exist."
        case .tooShort(let bytes, let needed): "The addresses need \(needed) bytes, but there are \(bytes)."
        case .tooLong(let bytes, let limit): "The header has \(bytes) bytes, over \(limit)."
        }
    }
}
