/// How large frames and messages may be.
public struct MessageLimits: Equatable, Sendable {
    // Short, since each connection has them.
    private let frame, message: UInt32

    /// Payload bytes of one frame.
    public var frameBytes: Int { Self.limit(frame) }
    /// Payload bytes of a message, all its fragments together; of one that was compressed, before and after.
    public var messageBytes: Int { Self.limit(message) }

    /// The defaults hold any command of a game a hundred times over and cost an attacker more than they cost the hub.
    /// From one byte below 4 GiB on there is no limit.
    public init(frameBytes: Int = 65_536, messageBytes: Int = 65_536) {
        (frame, message) = (UInt32(clamping: frameBytes), UInt32(clamping: messageBytes))
    }

    private static func limit(_ bytes: UInt32) -> Int { bytes == .max ? .max : Int(bytes) }
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
    /// The message or frame that has come in part; none or one, so that a connection between messages owns no memory.
    private var partial: [PartialMessage] = []
    private let sender: Endpoint
    private var hasEnded = false

    /// Decodes what `sender` sends: a server reads clients.
    public init(limits: MessageLimits, from sender: Endpoint = .client) {
        self.limits = limits
        self.sender = sender
    }

    /// Whether nothing is kept: the connection is between messages.
    public var isIdle: Bool { partial.isEmpty }

    /// The next thing found from `offset` on, which moves behind it; nil once all bytes are taken in.
    ///
    /// Whoever gets an `inPlace` payload uses it before it gives `bytes` to anything else, an `inflated` one before it
    /// gives anything to the inflater. `inflater`: where the ends have agreed to compress messages.
    public mutating func next(
        _ bytes: inout MutableRawSpan, at offset: inout Int, inflater: Inflater? = nil
    ) throws(FrameViolation) -> Incoming? {
        while !hasEnded, offset < bytes.byteCount {
            if let incoming = try step(&bytes, at: &offset, inflater) { return incoming }
        }
        offset = bytes.byteCount
        return nil
    }

    /// The same, but messages that lie whole in `bytes` are given to `each`, one after the other, for as long as it
    /// wants more: so a batch of them costs one call. `share` says how many frames may be taken, or parts of frames,
    /// and is told how many are left. Nil ahead of the end of `bytes` once no more is wanted.
    public mutating func next(
        _ bytes: inout MutableRawSpan, at offset: inout Int, inflater: Inflater?, share: inout Int,
        each: (RawSpan, MessageKind) -> Bool
    ) throws(FrameViolation) -> Incoming? {
        while !hasEnded, share > 0, offset < bytes.byteCount {
            share -= 1
            guard let incoming = try step(&bytes, at: &offset, inflater) else { continue }
            guard case .message(let kind, .inPlace(let range)) = incoming else { return incoming }
            guard each(bytes.bytes.extracting(range), kind) else { return nil }
        }
        if hasEnded { offset = bytes.byteCount }
        return nil
    }

    /// Behind a violation, or a close frame, nothing comes any more.
    private mutating func step(
        _ bytes: inout MutableRawSpan, at offset: inout Int, _ inflater: Inflater?
    ) throws(FrameViolation) -> Incoming? {
        do throws(FrameViolation) {
            let incoming = try advance(&bytes, at: &offset, inflater)
            if case .close = incoming { end() }
            return incoming
        } catch {
            end()
            offset = bytes.byteCount
            throw error
        }
    }

    /// One frame that is there whole, or one header or stretch of payload of another.
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
            return try whole(header, &bytes, start..<offset, inflater)
        }
        // Moved out and in again: what it holds is not copied.
        var message = partial.popLast() ?? PartialMessage(limits: limits, from: sender)
        defer { partial = message.isEmpty ? [] : [message] }
        return try message.advance(&bytes, at: &offset, inflater)
    }

    /// A frame between messages, its payload in `range`.
    private func whole(
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

    private mutating func end() {
        hasEnded = true
        partial = []
    }
}
