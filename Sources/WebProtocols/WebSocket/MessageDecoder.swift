/// How large frames and messages may be.
public struct MessageLimits: Equatable, Sendable {
    // Short, since each connection has them.
    private let frame, message: UInt32

    /// Payload bytes of one frame.
    public var frameBytes: Int { Self.limit(frame) }
    /// Payload bytes of a message with all its fragments; of a compressed one, before and after decompression.
    public var messageBytes: Int { Self.limit(message) }

    /// The defaults hold any command of a game a hundred times over and cost an attacker more than they cost the hub.
    /// From one byte below 4 GiB on there is no limit.
    public init(frameBytes: Int = 65_536, messageBytes: Int = 65_536) {
        (frame, message) = (UInt32(clamping: frameBytes), UInt32(clamping: messageBytes))
    }

    private static func limit(_ bytes: UInt32) -> Int { bytes == .max ? .max : Int(bytes) }
}

/// What a connection's bytes contain.
public enum Incoming: Equatable, Sendable {
    /// A whole message; a text is valid UTF-8.
    case message(MessageKind, Payload)
    case ping([UInt8])
    case pong([UInt8])
    /// The last event. The code is nil if the frame has none, and otherwise valid on the wire.
    case close(CloseCode?, reason: String)
}

/// Where a message's bytes are, unmasked.
public enum Payload: Equatable, Sendable {
    /// Among the bytes that the decoder was given.
    case inPlace(Range<Int>)
    /// The message came in parts.
    case assembled([UInt8])
    /// It was compressed, and is the `message` of the decoder's inflater.
    case inflated
}

/// Turns a connection's bytes into messages and control frames (RFC 6455 section 5).
///
/// A payload that is complete among the given bytes is unmasked there and returned as a range, without a copy or an
/// allocation. An incomplete one is unmasked, checked and kept as it arrives; no memory is reserved for a length that
/// was only announced. After a close frame or a violation all bytes are ignored.
public struct MessageDecoder: Sendable {
    private let limits: MessageLimits
    /// The message or frame that has come in part; none or one, so that a connection between messages owns no memory.
    private var partial: [PartialMessage] = []
    private let sender: Endpoint
    private var hasEnded = false

    /// Decodes the frames of `sender`; a server reads those of clients.
    public init(limits: MessageLimits, from sender: Endpoint = .client) {
        self.limits = limits
        self.sender = sender
    }

    /// Whether nothing is kept, because the connection is between messages.
    public var isIdle: Bool { partial.isEmpty }

    /// The next event found from `offset` on, which moves past it; nil once all bytes are taken.
    ///
    /// The caller must use an `inPlace` payload before it passes `bytes` to anything else, and an `inflated` one before
    /// it uses the inflater again. There is an `inflater` if the ends have agreed to compress messages.
    public mutating func next(
        _ bytes: inout MutableRawSpan, at offset: inout Int, inflater: Inflater? = nil
    ) throws(FrameViolation) -> Incoming? {
        while !hasEnded, offset < bytes.byteCount {
            if let incoming = try step(&bytes, at: &offset, inflater) { return incoming }
        }
        offset = bytes.byteCount
        return nil
    }

    /// The next control frame. Messages before it are passed to `each`, one after the other, as long as it wants more;
    /// each is only valid during that call. A batch of them then costs one call. `share` is how many frames or parts of
    /// frames may be taken, and is set to how many are left. Returns nil before the end of `bytes` if no more are
    /// wanted.
    public mutating func next(
        _ bytes: inout MutableRawSpan, at offset: inout Int, inflater: Inflater?, share: inout Int,
        each: (RawSpan, MessageKind) -> Bool
    ) throws(FrameViolation) -> Incoming? {
        while !hasEnded, share > 0, offset < bytes.byteCount {
            share -= 1
            guard let incoming = try step(&bytes, at: &offset, inflater) else { continue }
            guard case .message(let kind, let payload) = incoming else { return incoming }
            let wantsMore =
                switch payload {
                case .inPlace(let range): each(bytes.bytes.extracting(range), kind)
                case .assembled(let message): each(message.span.bytes, kind)
                case .inflated: inflater?.withMessage { each($0, kind) } ?? true
                }
            guard wantsMore else { return nil }
        }
        if hasEnded { offset = bytes.byteCount }
        return nil
    }

    /// After a violation or a close frame nothing follows.
    private mutating func step(
        _ bytes: inout MutableRawSpan, at offset: inout Int, _ inflater: Inflater?
    ) throws(FrameViolation) -> Incoming? {
        do throws(FrameViolation) {
            let incoming = try advance(&bytes, at: &offset, inflater)
            if case .close = incoming { ignoreRest() }
            return incoming
        } catch {
            ignoreRest()
            offset = bytes.byteCount
            throw error
        }
    }

    /// Takes one complete frame, or one header or stretch of payload of another.
    private mutating func advance(
        _ bytes: inout MutableRawSpan, at offset: inout Int, _ inflater: Inflater?
    ) throws(FrameViolation) -> Incoming? {
        if partial.isEmpty,
            let header = try FrameHeader.read(
                bytes.bytes, at: offset, from: sender, mayCompress: inflater != nil, payloadLimit: limits.frameBytes),
            header.isFinal, header.size + header.payloadBytes <= bytes.byteCount - offset
        {
            guard header.opcode != .continuation else { throw .unexpectedContinuation }
            guard header.opcode.isControl || header.payloadBytes <= limits.messageBytes else {
                throw .messageTooLong(bytes: header.payloadBytes, limit: limits.messageBytes)
            }
            let start = offset + header.size
            offset = start + header.payloadBytes
            return try readFrame(header, &bytes, start..<offset, inflater)
        }
        // Moved out and back in, so that its content is not copied.
        var message = partial.popLast() ?? PartialMessage(limits: limits, from: sender)
        defer { partial = message.isEmpty ? [] : [message] }
        return try message.advance(&bytes, at: &offset, inflater)
    }

    /// A frame between messages, with its payload in `range`.
    private func readFrame(
        _ header: FrameHeader, _ bytes: inout MutableRawSpan, _ range: Range<Int>, _ inflater: Inflater?
    ) throws(FrameViolation) -> Incoming {
        let isASCII = header.maskingKey.map { bytes.mask(range, with: $0, phase: 0) } ?? false
        let payload = bytes.bytes.extracting(range)
        if header.isCompressed, let inflater {
            let kind = header.opcode == .text ? MessageKind.text : .binary
            return try .inflated(kind, payload, by: inflater, limit: limits.messageBytes)
        }
        switch header.opcode {
        case .text:
            guard isASCII || UTF8Validation.isValid(Span(_bytes: payload)) else { throw .invalidUTF8 }
            return .message(.text, .inPlace(range))
        case .binary: return .message(.binary, .inPlace(range))
        case .continuation: preconditionFailure("a continuation belongs to the message under way")
        case .ping, .pong, .close: return try .control(header.opcode, payload)
        }
    }

    private mutating func ignoreRest() {
        hasEnded = true
        partial = []
    }
}
