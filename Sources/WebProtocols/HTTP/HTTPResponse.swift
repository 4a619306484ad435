/// An answer to a request.
public struct HTTPResponse: Equatable, Sendable {
    public var status: Int
    /// Without Content-Length, Transfer-Encoding and Connection, which encoding adds. A Date is up to the caller.
    public var headers: HeaderFields
    public var body: [UInt8]

    /// `status` has three digits.
    public init(status: Int, headers: HeaderFields = [:], body: [UInt8] = []) {
        precondition((100...999).contains(status), "a status has three digits")
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The bytes of the answer to a request with this head; nil if the head could not be read. A HEAD request gets the
    /// length but not the body. Unless `keepsAlive`, the answer says that the connection ends.
    public func encode(for head: RequestHead?, keepsAlive: Bool) -> [UInt8] {
        let pieces = pieces(for: head, keepsAlive: keepsAlive)
        return pieces.head + pieces.body
    }

    /// The same in two pieces, so that a body for many clients is not copied for each.
    public func pieces(for head: RequestHead?, keepsAlive: Bool) -> (head: [UInt8], body: [UInt8]) {
        (
            encodeHead(length: body.count, keepsAlive: keepsAlive, minorVersion: head?.minorVersion ?? 1),
            mayHaveBody && head?.method != "HEAD" ? body : []
        )
    }

    /// The head of an answer whose body follows in pieces, by `StreamFraming`; `body` is not sent.
    public func encodeHead(framing: StreamFraming, keepsAlive: Bool) -> [UInt8] {
        var response = self
        if framing == .chunked, mayHaveBody { response.headers.set("Transfer-Encoding", "chunked") }
        return response.encodeHead(
            length: nil, keepsAlive: keepsAlive && framing != .untilEnd, minorVersion: framing.minorVersion)
    }

    /// Tells a client to send the body that it holds back (RFC 9110 section 10.1.1).
    public static let continueSending = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// An error as `application/problem+json` (RFC 9457). `code` is stable and for programs, `sentence` is for people.
    /// The members of the JSON object `members` are appended.
    public static func problem(
        status: Int, code: String, sentence: String, members: [UInt8] = Array("{}".utf8)
    ) -> HTTPResponse {
        let title = HTTPStatus.phrase(status)
        let text = """
            {"type":"about:blank","title":\(jsonString(title)),"status":\(status),\
            "code":\(jsonString(code)),"detail":\(jsonString(sentence))
            """
        return HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/problem+json", "X-Content-Type-Options": "nosniff"],
            body: Array(text.utf8) + (members.count > 2 ? Array(",".utf8) : []) + members.dropFirst())
    }

    /// 1xx, 204 and 304 have none (RFC 9112 section 6.3).
    private var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }

    private func encodeHead(length: Int?, keepsAlive: Bool, minorVersion: Int) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(HTTPStatus.phrase(status))\r\n".utf8)
        bytes.reserveCapacity(512)
        headers.encode(into: &bytes)
        if let length, mayHaveBody { bytes += Array("Content-Length: \(length)\r\n".utf8) }
        if status >= 200 {
            if !keepsAlive {
                bytes += Array("Connection: close\r\n".utf8)
            } else if minorVersion == 0 {
                bytes += Array("Connection: keep-alive\r\n".utf8)
            }
        }
        bytes += lineBreak
        return bytes
    }
}

/// How a body of unknown length is sent to a client.
public enum StreamFraming: Equatable, Sendable {
    case chunked
    /// For HTTP/1.0, which has no chunks: the body ends with the connection.
    case untilEnd
    /// For HEAD: no body.
    case none

    /// The framing for the answer to a request with this head.
    public init(for head: RequestHead) {
        if head.method == "HEAD" {
            self = .none
        } else {
            self = head.minorVersion == 0 ? .untilEnd : .chunked
        }
    }

    /// A piece of the body as it goes on the wire.
    public func piece(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        // A chunk (RFC 9112 section 7.1). An empty one would end the body.
        case .chunked where bytes.isEmpty: []
        case .chunked: Array(String(bytes.count, radix: 16).utf8) + lineBreak + bytes + lineBreak
        case .untilEnd: bytes
        case .none: []
        }
    }

    /// Sent after the last piece.
    public var end: [UInt8] { self == .chunked ? Array("0\r\n\r\n".utf8) : [] }

    fileprivate var minorVersion: Int { self == .untilEnd ? 0 : 1 }
}

private let lineBreak: [UInt8] = [0x0D, 0x0A]

/// A JSON string (RFC 8259 section 7) with its quotes.
private func jsonString(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": quoted += "\\\""
        case "\\": quoted += "\\\\"
        case "\u{0}"..<"\u{20}":
            let digits = String(scalar.value, radix: 16)
            quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}
