/// Turns a connection's bytes into the answer to one request (RFC 9112 section 6.3). Each request needs its own
/// decoder.
///
/// It is as strict as `RequestDecoder`: lines end with CR LF, fields are not folded, and a body has one length. It
/// ignores 1xx answers except 101, and leaves the bytes after its head, which are not HTTP.
public struct ResponseDecoder: Sendable {
    private enum Stage {
        case statusLine
        case fields
        case body
        /// The answer, or a violation, has been returned.
        case done
    }

    /// Most 1xx answers before the final one.
    private static let interimLimit = 8

    private let method: String
    private var stage = Stage.statusLine
    private var message: MessageReader
    private var interimCount = 0
    private var minorVersion = 1
    /// The end of the connection ends the body.
    private var endsConnection = false
    private var status = 200

    /// Decodes the answer to a request of this method, since one to HEAD has no body.
    public init(to method: String, limits: HTTPLimits = HTTPLimits()) {
        self.method = method
        message = MessageReader(limits)
    }

    /// Whether the server keeps the connection for another request; known with the answer.
    public var keepsAlive: Bool {
        if message.fields.contains("close", in: "Connection") || endsConnection { return false }
        return minorVersion >= 1 || message.fields.contains("keep-alive", in: "Connection")
    }

    /// The answer, once it is complete. `offset` moves past it, or past all bytes, which are kept.
    public mutating func next(_ bytes: RawSpan, at offset: inout Int) throws(ResponseViolation) -> HTTPResponse? {
        do throws(ResponseViolation) {
            while stage != .done, offset < bytes.byteCount {
                try advance(bytes, at: &offset)
                if stage == .done { return answer }
            }
        } catch {
            stage = .done
            offset = bytes.byteCount
            throw error
        }
        return nil
    }

    /// The server has ended its side. Returns the answer if that is how its body ends (section 6.3, item 8); nil if no
    /// answer was due.
    public mutating func connectionEnded() throws(ResponseViolation) -> HTTPResponse? {
        defer { stage = .done }
        if stage == .done { return nil }
        guard stage == .body, endsConnection else { throw .cut }
        return answer
    }

    private var answer: HTTPResponse { HTTPResponse(status: status, headers: message.fields, body: message.body) }

    private mutating func advance(_ bytes: RawSpan, at offset: inout Int) throws(ResponseViolation) {
        do throws(HTTPViolation) {
            switch stage {
            case .statusLine: guard try message.readLine(bytes, at: &offset) else { return }
            case .fields:
                guard try message.readField(bytes, at: &offset) else { return }
                if isFinal { return try startBody() }
            case .body:
                if try message.readBody(bytes, at: &offset) { stage = .done }
                return
            case .done: return
            }
        } catch { throw ResponseViolation(error) }
        if stage == .statusLine { try readStatusLine() } else { try skipInterim() }
    }

    /// `HTTP/1.` and a digit, a space, three digits, a space and a meaningless phrase (section 4). Servers may leave
    /// out the second space.
    private mutating func readStatusLine() throws(ResponseViolation) {
        let line = message.line
        let version = line.prefix { $0 != UInt8(ascii: " ") }
        guard version.starts(with: Array("HTTP/".utf8)) else { throw .malformedStatusLine }
        guard version.count == 8, version.starts(with: Array("HTTP/1.".utf8)), version[7].isDigit else {
            throw .unsupportedVersion(String(decoding: version.prefix(16), as: UTF8.self))
        }
        let digits = line.dropFirst(9).prefix(3)
        guard digits.count == 3, digits.allSatisfy(\.isDigit), line.count == 12 || line[12] == UInt8(ascii: " "),
            let status = Int(String(decoding: digits, as: UTF8.self)), (100...599).contains(status)
        else { throw .malformedStatusLine }
        minorVersion = Int(version[7] - UInt8(ascii: "0"))
        self.status = status
        message.startFields()
        stage = .fields
    }

    private var isFinal: Bool { status >= 200 || status == 101 }

    /// Waits for the answer after a 1xx.
    private mutating func skipInterim() throws(ResponseViolation) {
        interimCount += 1
        guard interimCount <= Self.interimLimit else { throw .tooManyInterim(limit: Self.interimLimit) }
        stage = .statusLine
    }

    private var hasBody: Bool { status >= 200 && status != 204 && status != 304 && method != "HEAD" }

    /// The head is complete. The body's end is found by its framing (section 6.3).
    private mutating func startBody() throws(HTTPViolation) {
        stage = .done
        guard hasBody else { return }
        let framing = try BodyFraming(message.fields, minorVersion: minorVersion, limit: message.limits.bodyBytes)
        // A length of 0.
        guard framing != .none || message.fields["Content-Length"] == nil else { return }
        endsConnection = framing == .none
        message.startBody(framing)
        stage = .body
    }
}

extension ResponseViolation {
    /// A rule of requests too. A client has another name for some of them.
    fileprivate init(_ violation: HTTPViolation) {
        switch violation {
        case .headTooLong(let limit): self = .headTooLong(limit: limit)
        case .tooManyFields(let limit): self = .tooManyFields(limit: limit)
        case .bodyTooLong(let limit): self = .bodyTooLong(limit: limit)
        default: self = .malformed(violation)
        }
    }
}
