/// How large requests may be, with the status of the answer past each limit. Answers to a client have the same limits,
/// without the target's.
public struct HTTPLimits: Equatable, Sendable {
    /// The request line, the fields and their line breaks; as much again for the trailers of a chunked body. 431.
    public let headBytes: Int
    /// 431.
    public let fieldCount: Int
    /// 414.
    public let targetBytes: Int
    /// Without its framing. 413.
    public let bodyBytes: Int

    /// Browsers and their cookies stay far below the defaults.
    public init(headBytes: Int = 16_384, fieldCount: Int = 100, targetBytes: Int = 8_192, bodyBytes: Int = 65_536) {
        self.headBytes = headBytes
        self.fieldCount = fieldCount
        self.targetBytes = targetBytes
        self.bodyBytes = bodyBytes
    }
}

/// Turns a connection's bytes into requests (RFC 9112), one at a time. The caller answers each before it calls again,
/// and pipelined requests wait among the bytes.
///
/// It is stricter than RFC 9112 requires: lines end with CR LF, fields are not folded, and a request has one length.
/// After a violation all bytes are ignored.
public struct RequestDecoder: Sendable {
    private enum Stage: Equatable {
        /// Between requests. One empty line may precede the next (section 2.2).
        case idle(sawEmptyLine: Bool)
        case fields
        case body
        case refused
    }

    /// Room for fields that is reserved at once; browsers send about as many.
    private static let usualFields = 16

    private var stage = Stage.idle(sawEmptyLine: false)
    private var message: MessageReader
    private var line: RequestLine?
    private var head: RequestHead?
    /// Whether the body has started, or the client has been told to start it.
    private var hasContinued = false

    public init(limits: HTTPLimits = HTTPLimits()) { message = MessageReader(limits) }

    /// Whether no request has started, so that closing the connection leaves nothing unanswered.
    public var isIdle: Bool {
        if case .idle = stage { return message.isBetweenLines }
        return false
    }

    /// Whether the client waits for permission to send its body (RFC 9110 section 10.1.1). That is from the end of a
    /// head with this expectation until the first byte of the body or `didContinue`.
    public var expectsContinue: Bool {
        guard let head, !hasContinued else { return false }
        return head.minorVersion >= 1 && head.headers["Expect"] != nil
    }

    /// The client has been told to continue, so it must not be told again.
    public mutating func didContinue() { hasContinued = true }

    /// The next request that ends at or after `offset`, which moves past it; nil once all bytes are taken.
    public mutating func next(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) -> HTTPRequest? {
        do throws(HTTPViolation) {
            while offset < bytes.byteCount, stage != .refused {
                if let request = try advance(bytes, at: &offset) { return request }
            }
        } catch {
            self = RequestDecoder(limits: message.limits)
            stage = .refused
            offset = bytes.byteCount
            throw error
        }
        offset = bytes.byteCount
        return nil
    }

    private mutating func advance(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) -> HTTPRequest? {
        switch stage {
        case .idle(let sawEmptyLine): try readRequestLine(bytes, at: &offset, sawEmptyLine: sawEmptyLine)
        case .fields: if try message.readField(bytes, at: &offset) { return try endHead() }
        case .body:
            hasContinued = true
            if try message.readBody(bytes, at: &offset) { return finish() }
        case .refused: break
        }
        return nil
    }

    private mutating func readRequestLine(
        _ bytes: RawSpan, at offset: inout Int, sawEmptyLine: Bool
    ) throws(HTTPViolation) {
        let targetLimit = message.limits.targetBytes
        let limit = RequestLine.overheadLimit + targetLimit
        guard try message.readLine(bytes, at: &offset, limit: limit, violation: .targetTooLong(limit: targetLimit))
        else { return }
        guard message.line.isEmpty else {
            line = try RequestLine(message.line, targetLimit: targetLimit)
            message.startFields(expecting: Self.usualFields)
            stage = .fields
            return
        }
        guard !sawEmptyLine else { throw .malformedRequestLine }
        stage = .idle(sawEmptyLine: true)
        message.restoreBudget()
    }

    /// The head is complete. Returns the request if it has no body.
    private mutating func endHead() throws(HTTPViolation) -> HTTPRequest? {
        guard let line else { preconditionFailure("fields come after a request line") }
        try checkHost(minorVersion: line.minorVersion)
        let head = try RequestHead(
            method: line.method, target: line.target, minorVersion: line.minorVersion, headers: message.fields)
        if head.minorVersion >= 1, let expectation = head.headers["Expect"] {
            guard expectation.matches("100-continue") else { throw .unsupportedExpectation }
        }
        let framing = try BodyFraming(head.headers, minorVersion: head.minorVersion, limit: message.limits.bodyBytes)
        self.head = head
        guard framing != .none else { return finish() }
        message.startBody(framing)
        stage = .body
        return nil
    }

    /// RFC 9112 section 3.2: one Host field, and only HTTP/1.0 may omit it.
    private func checkHost(minorVersion: Int) throws(HTTPViolation) {
        let hosts = message.fields.all("Host")
        guard hosts.count <= 1 else { throw .severalHosts }
        guard let host = hosts.first else {
            guard minorVersion == 0 else { throw .missingHost }
            return
        }
        guard isHost(host) else { throw .malformedHost }
    }

    /// Returns the request and frees the memory.
    private mutating func finish() -> HTTPRequest? {
        let request = head.map { HTTPRequest(head: $0, body: message.body) }
        self = RequestDecoder(limits: message.limits)
        return request
    }
}
