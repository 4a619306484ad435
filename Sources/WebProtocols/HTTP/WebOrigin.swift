/// A page's origin, or the address where people reach the hub (RFC 6454): `https://play.example.org`, without a path.
public struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case; an IPv6 address in brackets.
    public let host: String
    /// Nil if it is the scheme's default.
    public let port: Int?

    /// The longest name of a host (RFC 1035 section 2.3.4).
    private static let hostLimit = 253

    public var description: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

    /// Nil if `text` is not such an address. A slash at its end is ignored.
    public init?(_ text: String) {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let rest = text[mark.upperBound...]
        self.init(
            scheme: text[..<mark.lowerBound].lowercased(), authority: rest.hasSuffix("/") ? rest.dropLast() : rest)
    }

    /// Nil if `authority`, which comes from a client, is not a host with an optional port.
    public init?(scheme: String, authority: some StringProtocol) {
        guard scheme == "http" || scheme == "https" else { return nil }
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
        let host = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
        let behind = authority[host.endIndex...]
        guard Self.isHost(host) else { return nil }
        if behind.isEmpty {
            port = nil
        } else {
            guard let port = Self.port(behind) else { return nil }
            self.port = port == (scheme == "http" ? 80 : 443) ? nil : port
        }
        (self.scheme, self.host) = (scheme, host.lowercased())
    }

    /// A name, an IPv4 address, or an IPv6 address in brackets.
    public static func isHost(_ text: some StringProtocol) -> Bool {
        guard text.hasPrefix("[") else {
            return !text.isEmpty && text.utf8.count <= hostLimit && text.utf8.allSatisfy { isOfName($0) }
        }
        return text.utf8.count > 3 && text.hasSuffix("]")
            && text.utf8.dropFirst().dropLast().allSatisfy { isOfIPv6($0) }
    }

    /// Reads `:8080`.
    private static func port(_ text: some StringProtocol) -> Int? {
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), digits.utf8.allSatisfy({ isDigit($0) }), let port = Int(digits),
            (1...65_535).contains(port)
        else { return nil }
        return port
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
        default: false
        }
    }

    private static func isOfIPv6(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "a"..."f", "A"..."F", "0"..."9", ":", ".": true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
