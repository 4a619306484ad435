/// Reads what requests and answers have in common (RFC 9112), however it is split: lines that end with CR and LF,
/// fields, and a body by its framing. Throws for the first byte that breaks a rule.
struct MessageReader: Sendable {
    private enum BodyStage {
        case part(missing: Int)
        case chunkLine
        case chunk(missing: Int)
        case chunkEnd
        case trailers
        case untilEnd
    }

    let limits: HTTPLimits
    /// Bytes that the head or the trailers may still have.
    private var budget: Int
    /// The line so far, without its end.
    private(set) var line: [UInt8] = []
    private var sawCarriageReturn = false
    private var isWhole = false
    private var stage = BodyStage.untilEnd
    private(set) var fields = HeaderFields()
    private(set) var body: [UInt8] = []

    init(_ limits: HTTPLimits) {
        self.limits = limits
        budget = limits.headBytes
    }

    /// Whether nothing of a further line has arrived.
    var isBetweenLines: Bool { isWhole || line.isEmpty && !sawCarriageReturn }

    /// Gives the next lines all of the head's bytes.
    mutating func restoreBudget() { budget = limits.headBytes }

    /// Drops the fields, and makes room for others.
    mutating func startFields(expecting count: Int = 0) {
        fields = HeaderFields()
        fields.reserve(min(count, limits.fieldCount))
    }

    /// Reads from `offset` on and returns whether `line` is whole; the next call starts another. The line with its end
    /// may have `limit` bytes, or `violation` is thrown.
    mutating func readLine(
        _ bytes: RawSpan, at offset: inout Int, limit: Int = .max, violation: HTTPViolation = .malformedRequestLine
    ) throws(HTTPViolation) -> Bool {
        if isWhole {
            line.removeAll(keepingCapacity: true)
            isWhole = false
        }
        while offset < bytes.byteCount {
            let run = sawCarriageReturn ? 0 : plainRun(bytes, at: offset)
            if run > 0 {
                let fits = min(run, limit - line.count, budget)
                line.append(bytes.extracting(offset..<offset + fits))
                offset += fits
                budget -= fits
                if fits == run { continue }
            }
            guard line.count + (sawCarriageReturn ? 1 : 0) < limit else { throw violation }
            guard budget > 0 else { throw .headTooLong(limit: limits.headBytes) }
            let byte = bytes.byte(at: offset)
            offset += 1
            budget -= 1
            if sawCarriageReturn {
                guard byte == 0x0A else { throw .bareCarriageReturn }
                sawCarriageReturn = false
                isWhole = true
                return true
            }
            switch byte {
            case 0x0D: sawCarriageReturn = true
            case 0x0A: throw .bareLineFeed
            default: throw .controlCharacter(byte)
            }
        }
        return false
    }

    private func plainRun(_ bytes: RawSpan, at offset: Int) -> Int {
        var end = offset
        while end < bytes.byteCount, bytes.byte(at: end).isLineCharacter { end += 1 }
        return end - offset
    }

    /// Reads one field. Returns whether the empty line after the last has come.
    mutating func readField(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) -> Bool {
        guard try readLine(bytes, at: &offset) else { return false }
        guard !line.isEmpty else { return true }
        guard fields.count < limits.fieldCount else { throw .tooManyFields(limit: limits.fieldCount) }
        try fields.append(line: line)
        return false
    }

    /// The body starts. Without framing it lasts until the connection ends.
    mutating func startBody(_ framing: BodyFraming) {
        restoreBudget()
        switch framing {
        case .none: stage = .untilEnd
        case .length(let length): stage = .part(missing: length)
        case .chunked: stage = .chunkLine
        }
    }

    /// Reads one line, or one stretch of the body. Returns whether the body is complete.
    mutating func readBody(_ bytes: RawSpan, at offset: inout Int) throws(HTTPViolation) -> Bool {
        switch stage {
        case .part(let missing):
            let rest = takeBody(missing, bytes, at: &offset)
            stage = .part(missing: rest)
            return rest == 0
        case .chunkLine:
            // Each chunk line has a limit, and the body's limit bounds their number.
            restoreBudget()
            guard try readLine(bytes, at: &offset, limit: ChunkLine.limitBytes, violation: .malformedChunk) else {
                return false
            }
            let size = try ChunkLine.size(line, room: limits.bodyBytes - body.count, limit: limits.bodyBytes)
            restoreBudget()
            stage = size == 0 ? .trailers : .chunk(missing: size)
        case .chunk(let missing):
            let rest = takeBody(missing, bytes, at: &offset)
            stage = rest == 0 ? .chunkEnd : .chunk(missing: rest)
        case .chunkEnd:
            guard try readLine(bytes, at: &offset, limit: 2, violation: .malformedChunk) else { return false }
            guard line.isEmpty else { throw .malformedChunk }
            stage = .chunkLine
        case .trailers:
            // Ignored (RFC 9112 section 7.1.2).
            return try readLine(bytes, at: &offset) && line.isEmpty
        case .untilEnd:
            let room = limits.bodyBytes - body.count
            guard bytes.byteCount - offset <= room else { throw .bodyTooLong(limit: limits.bodyBytes) }
            _ = takeBody(room, bytes, at: &offset)
        }
        return false
    }

    /// Takes up to `missing` bytes of the body and returns how many are still missing.
    private mutating func takeBody(_ missing: Int, _ bytes: RawSpan, at offset: inout Int) -> Int {
        let count = min(missing, bytes.byteCount - offset)
        body.append(bytes.extracting(offset..<offset + count))
        offset += count
        return missing - count
    }
}
