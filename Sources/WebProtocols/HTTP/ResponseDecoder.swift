/// How large an answer a client accepts.
public struct ResponseLimits: Equatable, Sendable {
    /// The status line, the fields and their line breaks; as much again for the trailers of a chunked body.
    public let headBytes: Int
    public let fieldCount: Int
    /// Without its framing.
    public let bodyBytes: Int

    public init(headBytes: Int = 16_384, fieldCount: Int = 100, bodyBytes: Int = 1 << 20) {
        self.headBytes = headBytes
        self.fieldCount = fieldCount
        self.bodyBytes = bodyBytes
    }
}

/// Turns a connection's bytes into the answer to one request (RFC 9112 section 6.3). Each request needs its own
/// decoder.
///
/// It is as strict as `RequestDecoder`: lines end with CR LF, fields are not folded, and a body has one length. It
/// ignores 1xx answers except 101, and leaves the bytes after its head, which are not HTTP.
public struct ResponseDecoder: Sendable {
    private enum Stage: Equatable {
        case statusLine
        case fields
        case body(missing: Int)
        case chunkLine
        case chunk(missing: Int)
        case chunkEnd
        case trailers
        /// Until the server ends the connection.
        case untilEnd
        /// The answer, or a violation, has been returned.
        case done
    }

    /// Most 1xx answers before the final one.
    private static let interimLimit = 8

    private let limits: ResponseLimits
    private let method: String
    private var stage = Stage.statusLine
    private var reader = LineReader()
    /// Bytes that the head or the trailers may still have.
    private var budget: Int
    private var interimCount = 0
    private var minorVersion = 1
    private var endsConnection = false
    private var answer = HTTPResponse(status: 200)

    /// Decodes the answer to a request of this method, since one to HEAD has no body.
    public init(to method: String, limits: ResponseLimits = ResponseLimits()) {
        self.method = method
        self.limits = limits
        budget = limits.headBytes
    }

    /// Whether the server keeps the connection for another request; known with the answer.
    public var keepsAlive: Bool {
        if answer.headers.contains("close", in: "Connection") || endsConnection { return false }
        return minorVersion >= 1 || answer.headers.contains("keep-alive", in: "Connection")
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
    public mutating func end() throws(ResponseViolation) -> HTTPResponse? {
        defer { stage = .done }
        switch stage {
        case .done: return nil
        case .untilEnd: return answer
        default: throw .cut
        }
    }

    /// Reads one line, or one stretch of the body.
    private mutating func advance(_ bytes: RawSpan, at offset: inout Int) throws(ResponseViolation) {
        switch stage {
        case .statusLine:
            guard try readLine(bytes, at: &offset) else { return }
            try readStatusLine()
        case .fields:
            guard try readLine(bytes, at: &offset) else { return }
            try readField()
        case .body(let missing):
            let left = take(missing, bytes, at: &offset)
            stage = left == 0 ? .done : .body(missing: left)
        case .chunkLine:
            budget = limits.headBytes
            guard try readLine(bytes, at: &offset, limit: ChunkLine.limitBytes, violation: .malformedChunk) else {
                return
            }
            let size = try chunkSize()
            (stage, budget) = (size == 0 ? .trailers : .chunk(missing: size), limits.headBytes)
        case .chunk(let missing):
            let left = take(missing, bytes, at: &offset)
            stage = left == 0 ? .chunkEnd : .chunk(missing: left)
        case .chunkEnd:
            guard try readLine(bytes, at: &offset, limit: 2, violation: .malformedChunk) else { return }
            guard reader.line.isEmpty else { throw .malformed(.malformedChunk) }
            stage = .chunkLine
        case .trailers:
            guard try readLine(bytes, at: &offset) else { return }
            if reader.line.isEmpty { stage = .done }
        case .untilEnd:
            let room = limits.bodyBytes - answer.body.count
            guard bytes.byteCount - offset <= room else { throw .bodyTooLong(limit: limits.bodyBytes) }
            _ = take(room, bytes, at: &offset)
        case .done: break
        }
    }

    /// `HTTP/1.` and a digit, a space, three digits, a space and a meaningless phrase (section 4). Servers may leave
    /// out the second space.
    private mutating func readStatusLine() throws(ResponseViolation) {
        let line = reader.line
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
        answer = HTTPResponse(status: status)
        stage = .fields
    }

    private mutating func readField() throws(ResponseViolation) {
        guard reader.line.isEmpty else {
            guard answer.headers.count < limits.fieldCount else { throw .tooManyFields(limit: limits.fieldCount) }
            do throws(HTTPViolation) { return try answer.headers.append(line: reader.line) } catch {
                throw named(error)
            }
        }
        guard answer.status >= 200 || answer.status == 101 else {
            interimCount += 1
            guard interimCount <= Self.interimLimit else { throw .tooManyInterim(limit: Self.interimLimit) }
            return stage = .statusLine
        }
        budget = limits.headBytes
        stage = try bodyStage()
    }

    /// How the body's end is found (section 6.3).
    private mutating func bodyStage() throws(ResponseViolation) -> Stage {
        guard answer.status >= 200, answer.status != 204, answer.status != 304, method != "HEAD" else { return .done }
        let framing: BodyFraming
        do throws(HTTPViolation) {
            framing = try BodyFraming(answer.headers, minorVersion: minorVersion, limit: limits.bodyBytes)
        } catch { throw named(error) }
        switch framing {
        case .length(let length): return .body(missing: length)
        case .chunked: return .chunkLine
        case .none:
            guard answer.headers["Content-Length"] == nil else { return .done }
            endsConnection = true
            return .untilEnd
        }
    }

    private func chunkSize() throws(ResponseViolation) -> Int {
        let room = limits.bodyBytes - answer.body.count
        do throws(HTTPViolation) {
            return try ChunkLine.size(reader.line, room: room, limit: limits.bodyBytes)
        } catch { throw named(error) }
    }

    private mutating func readLine(
        _ bytes: RawSpan, at offset: inout Int, limit: Int = .max, violation: HTTPViolation = .malformedRequestLine
    ) throws(ResponseViolation) -> Bool {
        do throws(HTTPViolation) {
            return try reader.read(
                bytes, at: &offset, lineLimit: limit, lineViolation: violation, budget: &budget,
                budgetViolation: .headTooLong(limit: limits.headBytes))
        } catch { throw named(error) }
    }

    /// Renames a violation if a client has another name for it.
    private func named(_ violation: HTTPViolation) -> ResponseViolation {
        switch violation {
        case .headTooLong(let limit): .headTooLong(limit: limit)
        case .bodyTooLong(let limit): .bodyTooLong(limit: limit)
        default: .malformed(violation)
        }
    }

    /// Takes up to `missing` bytes of the body and returns how many are still missing.
    private mutating func take(_ missing: Int, _ bytes: RawSpan, at offset: inout Int) -> Int {
        let count = min(missing, bytes.byteCount - offset)
        answer.body.append(bytes.extracting(offset..<offset + count))
        offset += count
        return missing - count
    }
}
