/// How large requests may be, with the status of the answer past each limit.
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
        case body(missing: Int)
        case chunkLine
        case chunk(missing: Int)
        case chunkEnd
        case trailers
        case refused
    }

    /// Room for fields that is reserved at once; browsers send about as many.
    private static let usualFields = 16

    private let limits: HTTPLimits
    private var stage = Stage.idle(sawEmptyLine: false)
    private var reader = LineReader()
    /// Bytes that the head or the trailers may still have.
    private var budget: Int
    private var line: RequestLine?
    private var fields = HeaderFields()
    private var head: RequestHead?
    private var body: [UInt8] = []
    /// Whether the body has started, or the client has been told to start it.
    private var hasContinued = false

    public init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        budget = limits.headBytes
    }

    /// Whether no request has started, so that closing the connection leaves nothing unanswered.
    public var isIdle: Bool {
        if case .idle = stage { return reader.isEmpty }
        return false
    }

    /// Whether the client waits for permission to send its body (RFC 9110 section 10.1.1). That is from the end of a
    /// head with this expectation until the first byte of the body or `didContinue`.
    public var expectsContinue: Bool { head.map(Self.expectsContinue) ?? false && !hasContinued }

    /// The client has been told to continue, so it must not be told again.
    public mutating func didContinue() { hasContinued = true }

    /// The next request that ends at or after `offset`, which moves past it; nil once all bytes are taken.
    public mutating func next(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) -> HTTPRequest? {
        do throws(HTTPViolation) {
            while offset < bytes.byteCount, stage != .refused {
                if let request = try advance(bytes, at: &offset) { return request }
            }
        } catch {
            finish()
            stage = .refused
            offset = bytes.byteCount
            throw error
        }
        offset = bytes.byteCount
        return nil
    }

    /// Reads one line, or one stretch of the body.
    private mutating func advance(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) -> HTTPRequest? {
        switch stage {
        case .idle(let sawEmptyLine): try readRequestLine(bytes, at: &offset, sawEmptyLine: sawEmptyLine)
        case .fields: return try readField(bytes, at: &offset)
        case .body(let missing):
            let left = take(missing, bytes, at: &offset)
            stage = .body(missing: left)
            if left == 0 { return finish() }
        case .chunkLine: try readChunkLine(bytes, at: &offset)
        case .chunk(let missing):
            let left = take(missing, bytes, at: &offset)
            stage = left == 0 ? .chunkEnd : .chunk(missing: left)
        case .chunkEnd: try readChunkEnd(bytes, at: &offset)
        case .trailers: return try readTrailer(bytes, at: &offset)
        case .refused: break
        }
        return nil
    }

    private mutating func readRequestLine(
        _ bytes: RawSpan, at offset: inout Int, sawEmptyLine: Bool
    ) throws(HTTPViolation) {
        let targetLimit = limits.targetBytes
        guard
            try readLine(
                bytes, at: &offset, limit: RequestLine.overheadLimit + targetLimit,
                violation: .targetTooLong(limit: targetLimit))
        else { return }
        guard reader.line.isEmpty else {
            line = try RequestLine(reader.line, targetLimit: targetLimit)
            fields.reserve(min(Self.usualFields, limits.fieldCount))
            stage = .fields
            return
        }
        guard !sawEmptyLine else { throw .malformedRequestLine }
        (stage, budget) = (.idle(sawEmptyLine: true), limits.headBytes)
    }

    private mutating func readField(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) -> HTTPRequest? {
        guard try readLine(bytes, at: &offset) else { return nil }
        guard reader.line.isEmpty else {
            guard fields.count < limits.fieldCount else { throw .tooManyFields(limit: limits.fieldCount) }
            try fields.append(line: reader.line)
            return nil
        }
        return try endHead()
    }

    /// The head is complete.
    private mutating func endHead() throws(HTTPViolation) -> HTTPRequest? {
        guard let line else { preconditionFailure("fields come behind a request line") }
        try checkHost(minorVersion: line.minorVersion)
        let head = try RequestHead(
            method: line.method, target: line.target, minorVersion: line.minorVersion, headers: fields)
        if head.minorVersion >= 1, let expectation = head.headers["Expect"] {
            guard expectation.matches("100-continue") else { throw .unsupportedExpectation }
        }
        let framing = try BodyFraming(head.headers, minorVersion: head.minorVersion, limit: limits.bodyBytes)
        self.head = head
        budget = limits.headBytes
        switch framing {
        case .none: return finish()
        case .length(let length): stage = .body(missing: length)
        case .chunked: stage = .chunkLine
        }
        return nil
    }

    /// RFC 9112 section 3.2: one Host field, and only HTTP/1.0 may omit it.
    private func checkHost(minorVersion: Int) throws(HTTPViolation) {
        let hosts = fields.all("Host")
        guard hosts.count <= 1 else { throw .severalHosts }
        guard let host = hosts.first else {
            guard minorVersion == 0 else { throw .missingHost }
            return
        }
        guard isHost(host) else { throw .malformedHost }
    }

    private mutating func readChunkLine(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) {
        hasContinued = true
        // Each chunk line has a limit, and the body's limit bounds their number.
        budget = limits.headBytes
        guard try readLine(bytes, at: &offset, limit: ChunkLine.limitBytes, violation: .malformedChunk) else { return }
        let limit = limits.bodyBytes
        let size = try ChunkLine.size(reader.line, room: limit - body.count, limit: limit)
        (stage, budget) = (size == 0 ? .trailers : .chunk(missing: size), limits.headBytes)
    }

    private mutating func readChunkEnd(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) {
        guard try readLine(bytes, at: &offset, limit: 2, violation: .malformedChunk) else { return }
        guard reader.line.isEmpty else { throw .malformedChunk }
        stage = .chunkLine
    }

    /// Ignores trailers (RFC 9112 section 7.1.2).
    private mutating func readTrailer(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) -> HTTPRequest? {
        guard try readLine(bytes, at: &offset) else { return nil }
        return reader.line.isEmpty ? finish() : nil
    }

    private mutating func readLine(
        _ bytes: RawSpan, at offset: inout Int, limit: Int = .max, violation: HTTPViolation = .malformedRequestLine
    ) throws(HTTPViolation) -> Bool {
        try reader.read(
            bytes, at: &offset, lineLimit: limit, lineViolation: violation, budget: &budget,
            budgetViolation: .headTooLong(limit: limits.headBytes))
    }

    /// Takes up to `missing` bytes of the body and returns how many are still missing.
    private mutating func take(_ missing: Int, _ bytes: RawSpan, at offset: inout Int) -> Int {
        hasContinued = true
        let count = min(missing, bytes.byteCount - offset)
        body.append(bytes.extracting(offset..<offset + count))
        offset += count
        return missing - count
    }

    /// Returns the request and frees the memory.
    @discardableResult private mutating func finish() -> HTTPRequest? {
        let request = head.map { HTTPRequest(head: $0, body: body) }
        self = RequestDecoder(limits: limits)
        return request
    }

    private static func expectsContinue(_ head: RequestHead) -> Bool {
        head.minorVersion >= 1 && head.headers["Expect"] != nil
    }
}
