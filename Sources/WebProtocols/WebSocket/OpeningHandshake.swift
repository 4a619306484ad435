import Cryptography

/// The server's half of the opening handshake (RFC 6455 section 4.2).
public enum OpeningHandshake {
    /// The answer to a request for a WebSocket, with the first of `subprotocols` that the client offers. A client that
    /// offers none, or only others, gets none. It is up to the client to fail then (section 4.1). A page learns more
    /// from that than from a refusal, which browsers do not show.
    public static func accept(
        _ head: RequestHead, subprotocols: [String] = []
    ) throws(HandshakeRefusal) -> Acceptance {
        guard head.method == "GET" else { throw .methodNotGet(head.method) }
        guard head.minorVersion >= 1 else { throw .oldHTTPVersion }
        guard head.headers["Host"] != nil else { throw .missingHost }
        guard head.headers.contains("websocket", in: "Upgrade") else { throw .upgradeRequired }
        guard head.headers.contains("Upgrade", in: "Connection") else { throw .missingConnectionUpgrade }
        let version = head.headers["Sec-WebSocket-Version"]
        guard version == "13" else { throw .unsupportedVersion(version) }
        let keys = head.headers.all("Sec-WebSocket-Key")
        guard let key = keys.first else { throw .missingKey }
        guard keys.count == 1 else { throw .severalKeys }
        guard [UInt8](base64: key)?.count == 16 else { throw .malformedKey }
        let offers = head.headers.members(of: "Sec-WebSocket-Protocol")
        guard offers.allSatisfy(\.isToken) else { throw .malformedSubprotocols }
        let subprotocol = subprotocols.first(where: offers.contains)
        var compression: PerMessageDeflate?
        if let field = head.headers["Sec-WebSocket-Extensions"] {
            guard let extensions = ExtensionOffer.list(field) else { throw .malformedExtensions }
            compression = .agreed(by: extensions)
        }
        return Acceptance(
            response: response(key: key, subprotocol: subprotocol, compression: compression),
            subprotocol: subprotocol, compression: compression)
    }

    /// Proves to a client that a WebSocket server has read its key (section 4.2.2, item 5.4).
    public static func acceptKey(for key: String) -> String { sha1(Array(key.utf8) + identifier).base64 }

    /// Appended to the key (section 1.3).
    private static let identifier = Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    private static let beginning = Array(
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: ").utf8)

    private static func response(key: String, subprotocol: String?, compression: PerMessageDeflate?) -> [UInt8] {
        var bytes = beginning
        bytes.reserveCapacity(320)
        bytes += acceptKey(for: key).utf8
        if let subprotocol { bytes += "\r\nSec-WebSocket-Protocol: \(subprotocol)".utf8 }
        if let compression { bytes += "\r\nSec-WebSocket-Extensions: \(compression.field)".utf8 }
        return bytes + "\r\n\r\n".utf8
    }
}

/// A WebSocket that is granted.
public struct Acceptance: Equatable, Sendable {
    /// The whole 101, as it goes on the wire.
    public let response: [UInt8]
    /// The agreed subprotocol; nil if there is none.
    public let subprotocol: String?
    /// How messages may be compressed; nil if they may not.
    public let compression: PerMessageDeflate?
}

/// Why a request for a WebSocket is refused (RFC 6455 section 4.2.1, by item).
public enum HandshakeRefusal: Error, Equatable, Sendable {
    case methodNotGet(String)
    case oldHTTPVersion
    case missingHost
    /// No Upgrade to `websocket`: an ordinary request to an address that only serves WebSockets.
    case upgradeRequired
    case missingConnectionUpgrade
    case missingKey
    case severalKeys
    /// Not the base64 of 16 bytes.
    case malformedKey
    /// Not 13; nil if there is none.
    case unsupportedVersion(String?)
    case malformedSubprotocols
    case malformedExtensions

    /// The answer, as problem details, with the fields that tell the client what would be accepted.
    public var response: HTTPResponse {
        let (status, code, sentence) = description
        var response = HTTPResponse.problem(status: status, code: code, sentence: sentence)
        switch self {
        case .methodNotGet: response.headers.append("Allow", "GET")
        case .upgradeRequired, .unsupportedVersion:
            // RFC 9110 section 15.5.22: a 426 names the protocols. Section 7.8: Connection then names Upgrade.
            response.headers.append("Upgrade", "websocket")
            response.headers.append("Connection", "Upgrade")
            response.headers.append("Sec-WebSocket-Version", "13")
        default: break
        }
        return response
    }

    /// A stable name for programs, in lower case with hyphens.
    public var code: String { description.code }

    private var description: (status: Int, code: String, sentence: String) {
        switch self {
        case .methodNotGet: (405, "method-not-allowed", "A WebSocket must be requested with GET.")
        case .oldHTTPVersion: (505, "unsupported-version", "A WebSocket must be requested with HTTP/1.1.")
        case .missingHost: (400, "missing-host", "A request must name its host.")
        case .upgradeRequired: (426, "upgrade-required", "This address only serves WebSockets.")
        case .missingConnectionUpgrade: (400, "missing-connection-upgrade", "Connection must name Upgrade.")
        case .missingKey: (400, "missing-key", "Sec-WebSocket-Key is missing.")
        case .severalKeys: (400, "several-keys", "There must be one Sec-WebSocket-Key.")
        case .malformedKey: (400, "malformed-key", "Sec-WebSocket-Key must be the base64 of 16 bytes.")
        case .unsupportedVersion: (426, "unsupported-websocket-version", "Only version 13 is supported.")
        case .malformedSubprotocols:
            (400, "malformed-subprotocols", "Sec-WebSocket-Protocol must be a list of names.")
        case .malformedExtensions:
            (400, "malformed-extensions", "Sec-WebSocket-Extensions must be a list of names with parameters.")
        }
    }
}
