/// How large frames and messages may be.
public struct MessageLimits: Equatable, Sendable {
    /// Payload bytes of one frame.
    public let frameBytes: Int
    /// Payload bytes of a message, all its fragments together; of one that was compressed, before and after.
    public let messageBytes: Int

    /// The defaults hold any command of a game a hundred times over and cost an attacker more than they cost the hub.
    public init(frameBytes: Int = 65_536, messageBytes: Int = 65_536) {
        self.frameBytes = frameBytes
        self.messageBytes = messageBytes
    }
}

/// What comes out of the bytes of a connection.
public enum Incoming: Equatable, Sendable {
    /// A whole message; a text is valid UTF-8.
    case message(MessageKind, Payload)
    case ping([UInt8])
    case pong([UInt8])
    /// The code is nil if the frame has none; one that is there may be on the wire. The last thing that comes.
    case close(CloseCode?, reason: String)
}

/// Where a message's bytes are, unmasked.
public enum Payload: Equatable, Sendable {
    /// In the bytes that the decoder was given.
    case inPlace(Range<Int>)
    /// It came in parts.
    case assembled([UInt8])
    /// It was compressed: the `message` of the inflater that the decoder was given.
    case inflated
}

/// Takes a connection's bytes as they come and gives messages and control frames (RFC 6455 section 5).
///
/// A payload that lies whole in the bytes given is unmasked there and given as a range: no copy, no allocation. What is
/// incomplete is unmasked, checked and kept as it arrives; nothing is set aside for a length that was merely announced.
/// Behind a close frame or a violation all bytes are passed over.
public struct MessageDecoder: Sendable {
    private let limits: MessageLimits
    private let sender: Endpoint
    /// The front of a header that was cut.
    private var cutHeader: [UInt8] = []
    /// The frame whose payload is still coming; at least one byte of it is missing.
    private var frame: FrameHeader?
    /// Payload bytes of `frame` that have come.
    private var arrived = 0
    /// The kind of the message under way; nil between messages.
    private var kind: MessageKind?
    /// Whether that is compressed.
    private var isCompressed = false
    /// The payload of the message under way, as far as it has come.
    private var message: [UInt8] = []
    /// How far `message` has been found to be UTF-8.
    private var validated = 0
    /// The payload of the control frame under way: it may come between two fragments.
    private var control: [UInt8] = []
    private var hasEnded = false

    /// Decodes what `sender` sends: a server reads clients.
    public init(limits: MessageLimits, from sender: Endpoint = .client) {
        self.limits = limits
        self.sender = sender
    }

    /// Whether nothing is kept: the connection is between messages.
    public var isIdle: Bool { kind == nil && frame == nil && cutHeader.isEmpty }

    /// The next thing found from `offset` on, which moves behind it; nil once all bytes are taken in.
    ///
    /// Whoever gets an `inPlace` payload uses it before it gives `bytes` to anything else, an `inflated` one before it
    /// gives anything to the inflater. `inflater`: where the ends have agreed to compress messages.
    public mutating func next(
        _ bytes: inout MutableRawSpan, at offset: inout Int, inflater: Inflater? = nil
    ) throws(FrameViolation) -> Incoming? {
        do throws(FrameViolation) {
            while !hasEnded, offset < bytes.byteCount {
                if let incoming = try advance(&bytes, at: &offset, inflater) {
                    if case .close = incoming { end() }
                    return incoming
                }
            }
        } catch {
            end()
            offset = bytes.byteCount
            throw error
        }
        offset = bytes.byteCount
        return nil
    }

    /// The same, but messages that lie whole in `bytes` are given to `each`, one after the other, for as long as it
    /// wants more; once it does not, nil ahead of the end of `bytes`. So a batch of messages costs one call.
    public mutating func next(
        _ bytes: inout MutableRawSpan, at offset: inout Int, inflater: Inflater?,
        each: (RawSpan, MessageKind) -> Bool
    ) throws(FrameViolation) -> Incoming? {
        while let incoming = try next(&bytes, at: &offset, inflater: inflater) {
            guard case .message(let kind, .inPlace(let range)) = incoming else { return incoming }
            guard each(bytes.bytes.extracting(range), kind) else { return nil }
        }
        return nil
    }

    /// One header or one stretch of payload.
    private mutating func advance(
        _ bytes: inout MutableRawSpan, at offset: inout Int, _ inflater: Inflater?
    ) throws(FrameViolation) -> Incoming? {
        if let frame { return try take(frame, &bytes, at: &offset, inflater) }
        guard let header = try header(bytes.bytes, at: &offset, mayCompress: inflater != nil) else { return nil }
        try admit(header)
        guard kind == nil || header.opcode.isControl, header.isFinal,
            header.payloadBytes <= bytes.byteCount - offset
        else {
            if header.opcode == .text || header.opcode == .binary {
                (kind, isCompressed) = (header.opcode == .text ? .text : .binary, header.isCompressed)
            }
            (frame, arrived) = (header, 0)
            // An empty frame has no bytes to wait for.
            return header.payloadBytes == 0 ? try finish(header, inflater) : nil
        }
        let range = offset..<offset + header.payloadBytes
        offset = range.upperBound
        let isASCII = header.maskingKey.map { bytes.mask(range, with: $0, phase: 0) } ?? false
        if header.isCompressed, let inflater {
            return try inflate(header.opcode == .text ? .text : .binary, bytes.bytes.extracting(range), by: inflater)
        }
        switch header.opcode {
        case .text:
            guard isASCII || UTF8Validation.isValid(Span(_bytes: bytes.bytes.extracting(range))) else {
                throw .invalidUTF8
            }
            return .message(.text, .inPlace(range))
        case .binary: return .message(.binary, .inPlace(range))
        case .continuation: preconditionFailure("a continuation belongs to the message under way")
        case .ping, .pong, .close:
            var payload = [UInt8]()
            payload.append(bytes.bytes.extracting(range))
            return try Self.control(header.opcode, payload)
        }
    }

    /// The header at `offset`, which moves behind what there is of it.
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

    /// Whether the frame may come at this point (section 5.4), and is not too much.
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

    /// Takes what there is of the payload under way.
    private mutating func take(
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

    /// How much of the text that has come since the last time is UTF-8, but for a code point that may still be
    /// completed.
    private func checkText() throws(FrameViolation) -> Int {
        let fresh = message.span.extracting(validated..<message.count)
        let complete = fresh.count - UTF8Validation.openEnd(of: fresh)
        guard UTF8Validation.isValid(fresh.extracting(0..<complete)) else { throw .invalidUTF8 }
        return complete
    }

    /// All of the frame's payload is there.
    private mutating func finish(_ header: FrameHeader, _ inflater: Inflater?) throws(FrameViolation) -> Incoming? {
        frame = nil
        if header.opcode.isControl {
            defer { control = [] }
            return try Self.control(header.opcode, control)
        }
        guard header.isFinal, let kind else { return nil }
        defer { (self.kind, isCompressed, message, validated) = (nil, false, [], 0) }
        if isCompressed, let inflater { return try inflate(kind, message.span.bytes, by: inflater) }
        if kind == .text, validated < message.count { throw .invalidUTF8 }
        return .message(kind, .assembled(message))
    }

    /// A whole message that is compressed: what it says is known only now.
    private func inflate(
        _ kind: MessageKind, _ payload: RawSpan, by inflater: Inflater
    ) throws(FrameViolation) -> Incoming {
        try inflater.decompress(payload, limit: limits.messageBytes)
        if kind == .text, !UTF8Validation.isValid(Span(_bytes: inflater.message.bytes)) { throw .invalidUTF8 }
        return .message(kind, .inflated)
    }

    private mutating func end() {
        hasEnded = true
        (frame, kind, message, control, cutHeader) = (nil, nil, [], [], [])
    }

    private static func control(_ opcode: Opcode, _ payload: [UInt8]) throws(FrameViolation) -> Incoming {
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
