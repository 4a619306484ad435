/// A frame as a server puts it on the wire, unmasked. It is encoded once and shared by all receivers.
public struct Frame: Equatable, Sendable {
    public let bytes: [UInt8]
    /// The same frame compressed, once for all clients that accept it; nil if that is not worthwhile.
    private let compressed: CompressedFrame?

    /// A shorter message fits into one packet as it is.
    public static let compressionBytes = 1_400

    private init(_ opcode: Opcode, _ payload: RawSpan) {
        let header = FrameHeader(opcode: opcode, payloadBytes: payload.byteCount)
        compressed = payload.byteCount < Self.compressionBytes ? nil : CompressedFrame(header)
        bytes = header.bytes(before: payload)
    }

    /// The bytes after the header (RFC 6455 section 5.2). A server masks nothing.
    public var payload: ArraySlice<UInt8> { bytes[payloadStart...] }

    public var payloadStart: Int {
        switch bytes[1] & 0x7F {
        case 127: 10
        case 126: 4
        default: 2
        }
    }

    public static func == (one: Frame, other: Frame) -> Bool { one.bytes == other.bytes }

    /// The bytes for a client that has agreed to compress messages.
    public func bytes(for agreed: PerMessageDeflate, by deflater: Deflater) -> [UInt8] {
        compressed?.bytes(of: bytes, for: agreed, by: deflater) ?? bytes
    }

    /// A whole message. The caller makes sure that `payload` is UTF-8.
    public static func text(_ payload: [UInt8]) -> Frame { Frame(.text, payload.span.bytes) }
    /// A whole message. The caller makes sure that `payload` is UTF-8.
    public static func text(_ payload: RawSpan) -> Frame { Frame(.text, payload) }
    public static func text(_ payload: String) -> Frame { text(Array(payload.utf8)) }
    public static func binary(_ payload: [UInt8]) -> Frame { Frame(.binary, payload.span.bytes) }
    public static func binary(_ payload: RawSpan) -> Frame { Frame(.binary, payload) }

    /// A whole message of this kind.
    public static func message(_ kind: MessageKind, _ payload: RawSpan) -> Frame { Frame(kind.opcode, payload) }

    /// `payload` has at most 125 bytes (RFC 6455 section 5.5).
    public static func ping(_ payload: [UInt8] = []) -> Frame { control(.ping, payload) }
    /// `payload` is the one of the ping, at most 125 bytes (section 5.5.3).
    public static func pong(_ payload: [UInt8] = []) -> Frame { control(.pong, payload) }

    /// Without a code there is no reason either. A reason past 123 bytes of UTF-8 is cut before the character that
    /// crosses them. A code that may not be on the wire is a precondition failure.
    public static func close(_ code: CloseCode?, reason: String = "") -> Frame {
        guard let code else { return control(.close, []) }
        precondition(code.isValidOnWire, "close code \(code.rawValue) must not be sent")
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for character in reason {
            guard payload.count + character.utf8.count <= FrameHeader.controlPayloadLimit else { break }
            payload += Array(character.utf8)
        }
        return control(.close, payload)
    }

    /// Writes a whole message for a single receiver at `offset`, as it goes on the wire, and returns its size there.
    /// Returns nil and writes nothing if `bytes` has no room for it. A client masks it with `maskingKey` (section 5.3):
    /// random bits, new for each frame. The caller makes sure that a text `payload` is UTF-8.
    public static func write(
        _ kind: MessageKind, _ payload: RawSpan, maskingKey: UInt32? = nil, to bytes: inout MutableRawSpan,
        at offset: Int
    ) -> Int? {
        let header = FrameHeader(opcode: kind.opcode, maskingKey: maskingKey, payloadBytes: payload.byteCount)
        let size = header.size + payload.byteCount
        guard size <= bytes.byteCount - offset else { return nil }
        header.write(to: &bytes, at: offset, before: payload)
        return size
    }

    /// The same in memory of its own.
    public static func bytes(_ kind: MessageKind, _ payload: RawSpan, maskingKey: UInt32?) -> [UInt8] {
        FrameHeader(opcode: kind.opcode, maskingKey: maskingKey, payloadBytes: payload.byteCount)
            .bytes(before: payload)
    }

    /// This frame as a client sends it.
    public func masked(with key: UInt32) -> [UInt8] {
        guard let opcode = bytes.first.flatMap({ Opcode(rawValue: $0 & 0x0F) }) else { return [] }
        return Self.masked(opcode, payload: Array(payload), mask: key)
    }

    /// A frame as a client sends it, for clients and for tests, which may break any rule. The highest byte of `mask` is
    /// the first on the wire.
    public static func masked(
        _ opcode: Opcode, payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false, mask: UInt32
    ) -> [UInt8] {
        FrameHeader(
            opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, maskingKey: mask,
            payloadBytes: payload.count
        ).bytes(before: payload.span.bytes)
    }

    private static func control(_ opcode: Opcode, _ payload: [UInt8]) -> Frame {
        precondition(payload.count <= FrameHeader.controlPayloadLimit, "a control frame carries at most 125 bytes")
        return Frame(opcode, payload.span.bytes)
    }
}
