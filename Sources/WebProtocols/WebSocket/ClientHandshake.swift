import Cryptography

/// The client's half of the opening handshake (RFC 6455 section 4.1): its request, and the check of the answer.
public struct ClientHandshake: Equatable, Sendable {
    /// Random bytes of a key (section 4.1, item 7).
    public static let keyBytes = 16

    private let target: String
    private let host: String
    private let subprotocols: [String]
    private let headers: HeaderFields
    private let key: String

    /// `target` and `host` are sent as they are, in the request line and the Host field. `headers` are further fields
    /// such as Authorization or Origin. `random` has `keyBytes` bytes, new ones for each handshake.
    public init(
        target: String, host: String, subprotocols: [String] = [], headers: HeaderFields = [:], random: [UInt8]
    ) {
        precondition(random.count == Self.keyBytes, "a key is made of 16 bytes")
        precondition(subprotocols.allSatisfy(\.isToken), "a subprotocol's name is a token")
        (self.target, self.host, self.subprotocols, self.headers) = (target, host, subprotocols, headers)
        key = random.base64
    }

    /// As it goes on the wire. It offers no extension.
    public var request: [UInt8] {
        var fields: HeaderFields = [
            "Host": host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
        ]
        if !subprotocols.isEmpty { fields.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")) }
        for field in headers.fields { fields.append(field.name, field.value) }
        return HTTPRequest.encode("GET", target, fields)
    }

    /// The agreed subprotocol; nil if there is none. Throws unless `answer` grants this request.
    public func check(_ answer: HTTPResponse) throws(ClientHandshakeError) -> String? {
        guard answer.status == 101 else { throw .refused(answer) }
        let fields = answer.headers
        guard fields.contains("websocket", in: "Upgrade") else { throw .noUpgrade(fields["Upgrade"]) }
        guard fields.contains("Upgrade", in: "Connection") else { throw .noConnectionUpgrade(fields["Connection"]) }
        let accepted = fields["Sec-WebSocket-Accept"]
        guard accepted == OpeningHandshake.acceptKey(for: key) else { throw .wrongAcceptKey(accepted) }
        guard fields["Sec-WebSocket-Extensions"] == nil else {
            throw .foreignExtension(fields["Sec-WebSocket-Extensions"] ?? "")
        }
        guard let chosen = fields["Sec-WebSocket-Protocol"] else { return nil }
        guard subprotocols.contains(chosen) else { throw .foreignSubprotocol(chosen) }
        return chosen
    }
}

/// Why a client gets no WebSocket (RFC 6455 section 4.1).
public enum ClientHandshakeError: Error, Equatable, Sendable {
    /// Any status but 101; redirects are not followed.
    case refused(HTTPResponse)
    /// An Upgrade field without `websocket`, or none.
    case noUpgrade(String?)
    case noConnectionUpgrade(String?)
    /// Does not follow from the key, so the server has not read it or is no WebSocket server.
    case wrongAcceptKey(String?)
    /// One that was not offered.
    case foreignExtension(String)
    case foreignSubprotocol(String)

    /// For a person.
    public var sentence: String {
        switch self {
        case .refused(let answer): "it answered \(answer.status) \(HTTPStatus.phrase(answer.status)), not 101"
        case .noUpgrade(let field): "its answer upgrades to \(field ?? "nothing"), not to websocket"
        case .noConnectionUpgrade(let field): "its answer's Connection says \(field ?? "nothing"), not Upgrade"
        case .wrongAcceptKey(let key): "its Sec-WebSocket-Accept (\(key ?? "none")) does not follow from the key"
        case .foreignExtension(let field): "it speaks an extension that was not offered: \(field)"
        case .foreignSubprotocol(let name): "it speaks a subprotocol that was not offered: \(name)"
        }
    }
}

extension HTTPRequest {
    /// A request as a client sends it. The caller makes sure that `target` has no blanks or controls and that `fields`
    /// has a Host; Content-Length is added if there is a body.
    public static func encode(_ method: String, _ target: String, _ fields: HeaderFields, body: [UInt8] = []) -> [UInt8]
    {
        precondition(method.isToken && !target.isEmpty && target.utf8.allSatisfy(\.isVisible), "a request has one line")
        var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
        fields.encode(into: &bytes)
        if !body.isEmpty || method == "POST" || method == "PUT" {
            bytes += Array("Content-Length: \(body.count)\r\n".utf8)
        }
        return bytes + [0x0D, 0x0A] + body
    }
}
