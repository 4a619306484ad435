/// The request line and the fields of a request (RFC 9112 sections 3 and 5).
public struct RequestHead: Equatable, Sendable {
    /// As sent, since methods are case-sensitive.
    public let method: String
    /// As sent, in one of the forms of RFC 9112 section 3.2.
    public let target: String
    /// The path, percent-decoded once and otherwise as sent. Dot segments and empty segments stay, and a slash may have
    /// been encoded. Valid UTF-8 without controls that starts with a slash; `*` for `OPTIONS *`.
    public let path: String
    /// What follows the first question mark, as sent; nil without one.
    public let query: String?
    /// Host and port of the target if it is absolute, or else of the Host field; empty if there is neither.
    public let authority: String
    /// 0 for HTTP/1.0; 1 for HTTP/1.1 and any later HTTP/1.
    public let minorVersion: Int
    public let headers: HeaderFields

    /// Throws if the target has none of the forms, is badly encoded, or does not fit the method.
    public init(
        method: String, target: String, minorVersion: Int = 1, headers: HeaderFields = [:]
    ) throws(HTTPViolation) {
        let parts = try TargetParts(target, method: method)
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.headers = headers
        path = parts.path
        query = parts.query
        authority = parts.authority ?? headers["Host"] ?? ""
    }

    /// The items of a query in the format of forms (`a=1&b=2`), decoded, in order. An item without an equals sign has
    /// an empty value. Bytes that are not UTF-8 become U+FFFD.
    public var queryItems: [(name: String, value: String)] {
        guard let query else { return [] }
        return query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (formText(parts[0]), parts.count == 2 ? formText(parts[1]) : "")
        }
    }

    public func queryValue(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// Whether the client wants to send more requests on the connection (RFC 9112 section 9.3).
    public var keepsAlive: Bool {
        if headers.contains("close", in: "Connection") { return false }
        return minorVersion >= 1 || headers.contains("keep-alive", in: "Connection")
    }

    private func formText(_ bytes: Substring.UTF8View.SubSequence) -> String {
        // Decoding cannot fail, since the target was checked when the head was made.
        String(decoding: PercentEncoding.decode(bytes, plusIsSpace: true) ?? [], as: UTF8.self)
    }
}

/// A whole request.
public struct HTTPRequest: Equatable, Sendable {
    public let head: RequestHead
    /// Without its framing.
    public let body: [UInt8]

    public init(head: RequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}

/// The parts of a target (RFC 9112 section 3.2).
private struct TargetParts {
    let path: String
    let query: String?
    let authority: String?

    init(_ target: String, method: String) throws(HTTPViolation) {
        guard method != "CONNECT" else { throw .unsupportedMethod(method) }
        // Wider than RFC 3986, since browsers send characters such as | unencoded. A fragment is never on the wire.
        guard !target.isEmpty, target.utf8.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: "#") }) else {
            throw .malformedTarget
        }
        if target == "*" {
            guard method == "OPTIONS" else { throw .malformedTarget }
            (path, query, authority) = ("*", nil, nil)
            return
        }
        var rest = target.utf8[...]
        if rest.first == slash {
            authority = nil
        } else {
            guard let scheme = ["http://", "https://"].first(where: { target.prefix($0.utf8.count).matches($0) }) else {
                throw .malformedTarget
            }
            rest = rest.dropFirst(scheme.utf8.count)
            let host = Substring(rest.prefix { $0 != slash && $0 != questionMark })
            guard !host.isEmpty, isHost(host) else { throw .malformedTarget }
            authority = String(host)
            rest = rest[host.endIndex...]
        }
        let encodedPath = rest.prefix { $0 != questionMark }
        let encodedQuery = encodedPath.endIndex < rest.endIndex ? rest[encodedPath.endIndex...].dropFirst() : nil
        guard let bytes = PercentEncoding.decode(encodedPath), let path = String(validating: bytes, as: UTF8.self),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .malformedTarget }
        if let encodedQuery, PercentEncoding.decode(encodedQuery) == nil { throw .malformedTarget }
        self.path = path.isEmpty ? "/" : path
        query = encodedQuery.map { String(Substring($0)) }
    }
}

private let slash = UInt8(ascii: "/")
private let questionMark = UInt8(ascii: "?")

/// Whether `text` has only characters of a host and a port (RFC 3986 section 3.2). A user's name is not allowed.
func isHost(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { byte in
        // Names have the characters of tokens except ^, `, | and #. Sub-delims and the signs of addresses and ports
        // come on top.
        switch byte {
        case UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "#"): false
        case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: byte.isTokenCharacter
        }
    }
}
