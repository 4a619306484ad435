/// What has arrived of an incomplete message, and of a frame inside it or between two of them.
struct PartialMessage: Sendable {
    private let limits: MessageLimits
    private let sender: Endpoint
    /// The front of a header that was cut.
    private var cutHeader: [UInt8] = []
    /// The frame whose payload is still arriving; at least one byte of it is missing.
    private var frame: FrameHeader?
    /// Payload bytes of `frame` that have arrived.
    private var arrived = 0
    /// The kind of the current message; nil between messages.
    private var kind: MessageKind?
    private var isCompressed = false
    /// The payload of the current message, as far as it has arrived.
    private var message: [UInt8] = []
    /// How far `message` is known to be UTF-8.
    private var validated = 0
    /// The payload of the current control frame, which may come between two fragments.
    private var control: [UInt8] = []

    init(limits: MessageLimits, from sender: Endpoint) { (self.limits, self.sender) = (limits, sender) }
    var isEmpty: Bool { kind == nil && frame == nil && cutHeader.isEmpty }

    /// Takes one header or one stretch of payload.
    mutating func advance(
        _ bytes: inout MutableRawSpan, at offset: inout Int, _ inflater: Inflater?
    ) throws(FrameViolation) -> Incoming? {
        if let frame { return try readPayload(frame, &bytes, at: &offset, inflater) }
        guard let header = try header(bytes.bytes, at: &offset, mayCompress: inflater != nil) else { return nil }
        try admit(header)
        if header.opcode == .text || header.opcode == .binary {
            (kind, isCompressed) = (header.opcode == .text ? .text : .binary, header.isCompressed)
        }
        (frame, arrived) = (header, 0)
        // An empty frame has no bytes to wait for.
        return header.payloadBytes == 0 ? try finish(header, inflater) : nil
    }

    /// The header at `offset`, which moves past the part of it that has arrived.
    private mutating func header(
        _ bytes: RawSpan, at offset: inout Int, mayCompress: Bool
    ) throws(FrameViolation) -> FrameHeader? {
        let limit = limits.frameBytes
        if cutHeader.isEmpty {
            if let header = try FrameHeader.read(
                bytes, at: offset, from: sender, mayCompress: mayCompress, payloadLimit: limit)
            {
                offset += header.size
                return header
            }
            cutHeader.append(bytes.extracting(offset..<bytes.byteCount))
            offset = bytes.byteCount
            return nil
        }
        while offset < bytes.byteCount {
            cutHeader.append(bytes.byte(at: offset))
            offset += 1
            if let header = try FrameHeader.read(
                cutHeader.span.bytes, from: sender, mayCompress: mayCompress, payloadLimit: limit)
            {
                cutHeader = []
                return header
            }
        }
        return nil
    }

    /// Throws if the frame may not come now (section 5.4), or if it is too long.
    private func admit(_ header: FrameHeader) throws(FrameViolation) {
        switch header.opcode {
        case .close, .ping, .pong: return
        case .continuation: guard kind != nil else { throw .unexpectedContinuation }
        case .text, .binary: guard kind == nil else { throw .interruptedMessage(header.opcode) }
        }
        let (bytes, overflows) = message.count.addingReportingOverflow(header.payloadBytes)
        guard !overflows, bytes <= limits.messageBytes else {
            throw .messageTooLong(bytes: overflows ? .max : bytes, limit: limits.messageBytes)
        }
    }

    /// Takes the next part of the current payload.
    private mutating func readPayload(
        _ header: FrameHeader, _ bytes: inout MutableRawSpan, at offset: inout Int, _ inflater: Inflater?
    ) throws(FrameViolation) -> Incoming? {
        let count = min(header.payloadBytes - arrived, bytes.byteCount - offset)
        let range = offset..<offset + count
        if let key = header.maskingKey { bytes.mask(range, with: key, phase: arrived) }
        offset += count
        arrived += count
        if header.opcode.isControl {
            control.append(bytes.bytes.extracting(range))
        } else {
            message.append(bytes.bytes.extracting(range))
            if kind == .text, !isCompressed { validated += try checkText() }
        }
        return arrived == header.payloadBytes ? try finish(header, inflater) : nil
    }

    /// How much of the new text is UTF-8, apart from a code point that may still be completed.
    private func checkText() throws(FrameViolation) -> Int {
        let fresh = message.span.extracting(validated..<message.count)
        let complete = fresh.count - UTF8Validation.openEnd(of: fresh)
        guard UTF8Validation.isValid(fresh.extracting(0..<complete)) else { throw .invalidUTF8 }
        return complete
    }

    /// The frame's payload is complete.
    private mutating func finish(_ header: FrameHeader, _ inflater: Inflater?) throws(FrameViolation) -> Incoming? {
        frame = nil
        if header.opcode.isControl {
            defer { control = [] }
            return try .control(header.opcode, control.span.bytes)
        }
        guard header.isFinal, let kind else { return nil }
        defer { (self.kind, isCompressed, message, validated) = (nil, false, [], 0) }
        if isCompressed, let inflater {
            return try .inflated(kind, message.span.bytes, by: inflater, limit: limits.messageBytes)
        }
        if kind == .text, validated < message.count { throw .invalidUTF8 }
        return .message(kind, .assembled(message))
    }
}

// What can only be checked once all of it has arrived.
extension Incoming {
    /// A whole compressed message.
    static func inflated(
        _ kind: MessageKind, _ payload: RawSpan, by inflater: Inflater, limit: Int
    ) throws(FrameViolation) -> Incoming {
        try inflater.decompress(payload, limit: limit)
        guard kind == .binary || inflater.isText else { throw .invalidUTF8 }
        return .message(kind, .inflated)
    }

    /// A control frame (section 5.5).
    static func control(_ opcode: Opcode, _ bytes: RawSpan) throws(FrameViolation) -> Incoming {
        var payload = [UInt8]()
        payload.append(bytes)
        switch opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        default: break
        }
        guard !payload.isEmpty else { return .close(nil, reason: "") }
        guard payload.count >= 2 else { throw .halfCloseCode }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isValidOnWire else { throw .invalidCloseCode(code.rawValue) }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .invalidCloseReason }
        return .close(code, reason: reason)
    }
}
