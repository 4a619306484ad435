/// The header before a frame's payload (RFC 6455 section 5.2).
public struct FrameHeader: Equatable, Sendable {
    public let opcode: Opcode
    /// Whether the frame ends its message.
    public let isFinal: Bool
    /// Whether it starts a compressed message, by the first reserved bit (RFC 7692 section 6).
    public let isCompressed: Bool
    /// The masking key, with its first byte on the wire as the highest; nil for a server's frames.
    public let maskingKey: UInt32?
    public let payloadBytes: Int
    /// Bytes of the header itself: 2 to 14.
    public let size: Int

    /// The longest header: two bytes, eight for the length, four for the masking key.
    public static let sizeLimit = 14
    /// Most bytes of a control frame's payload (section 5.5).
    public static let controlPayloadLimit = 125

    /// The first reserved bit.
    private static let compressed: UInt8 = 0x40

    /// Whether a frame with this first byte starts a compressed message (RFC 7692 section 6).
    public static func isCompressed(_ first: UInt8) -> Bool { first & compressed != 0 }

    public init(
        opcode: Opcode, isFinal: Bool = true, isCompressed: Bool = false, maskingKey: UInt32? = nil, payloadBytes: Int
    ) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.maskingKey = maskingKey
        self.payloadBytes = payloadBytes
        let extended = payloadBytes <= 125 ? 0 : payloadBytes <= 0xFFFF ? 2 : 8
        size = 2 + extended + (maskingKey == nil ? 0 : 4)
    }

    /// Reads the header at `offset`, sent by `sender`; nil until it is complete. Throws for the first byte that shows a
    /// violation, however the bytes were split. `mayCompress` says that the ends have agreed to that.
    public static func read(
        _ bytes: RawSpan, at offset: Int = 0, from sender: Endpoint = .client, mayCompress: Bool = false,
        payloadLimit: Int
    ) throws(FrameViolation) -> FrameHeader? {
        let count = bytes.byteCount - offset
        guard count >= 2 else { return nil }
        let (first, second) = (bytes.byte(at: offset), bytes.byte(at: offset + 1))
        let isCompressed = first & compressed != 0
        guard first & 0x70 == 0 || mayCompress && first & 0x70 == compressed else { throw .reservedBits(first & 0x70) }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .unknownOpcode(first & 0x0F) }
        guard !isCompressed || opcode == .text || opcode == .binary else { throw .reservedBits(compressed) }
        let isFinal = first & 0x80 != 0
        let isMasked = second & 0x80 != 0
        guard isMasked || sender == .server else { throw .unmasked }
        guard !isMasked || sender == .client else { throw .masked }
        if opcode.isControl {
            guard isFinal else { throw .fragmentedControl(opcode) }
            guard second & 0x7F <= controlPayloadLimit else { throw .controlTooLong(opcode) }
        }
        var (length, size) = (UInt64(second & 0x7F), 2)
        if length >= 126 {
            let (extended, least): (Int, UInt64) = length == 126 ? (2, 126) : (8, 0x10000)
            guard count >= 2 + extended else { return nil }
            length = number(bytes, at: offset + 2, size: extended)
            guard length < 1 << 63 else { throw .lengthTopBit }
            guard length >= least else { throw .lengthNotMinimal(Int(length)) }
            size += extended
        }
        guard length <= payloadLimit else { throw .frameTooLong(bytes: Int(length), limit: payloadLimit) }
        guard !isMasked || count >= size + 4 else { return nil }
        let key = isMasked ? UInt32(truncatingIfNeeded: number(bytes, at: offset + size, size: 4)) : nil
        return FrameHeader(
            opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, maskingKey: key, payloadBytes: Int(length))
    }

    /// A whole frame with this header, as it goes on the wire.
    public func bytes(before payload: RawSpan) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size + payloadBytes)
        var typed = bytes.mutableSpan
        var span = typed.mutableBytes
        write(to: &span, at: 0, before: payload)
        return bytes
    }

    /// Writes a whole frame at `offset`, where there is room for it, and masks it if the header has a key.
    func write(to bytes: inout MutableRawSpan, at offset: Int, before payload: RawSpan) {
        write(to: &bytes, at: offset)
        bytes.copy(payload, to: offset + size)
        if let maskingKey { bytes.mask(offset + size..<offset + size + payloadBytes, with: maskingKey, phase: 0) }
    }

    /// Writes the header at `offset`.
    private func write(to bytes: inout MutableRawSpan, at offset: Int) {
        let first = (isFinal ? 0x80 : 0) | (isCompressed ? Self.compressed : 0) | opcode.rawValue
        let mask: UInt8 = maskingKey == nil ? 0 : 0x80
        let length: UInt8 = payloadBytes <= 125 ? UInt8(payloadBytes) : payloadBytes <= 0xFFFF ? 126 : 127
        bytes.storeBytes(of: first, toByteOffset: offset, as: UInt8.self)
        bytes.storeBytes(of: mask | length, toByteOffset: offset + 1, as: UInt8.self)
        var end = offset + 2
        if length == 126 {
            bytes.storeBytes(of: UInt16(payloadBytes).bigEndian, toByteOffset: end, as: UInt16.self)
            end += 2
        } else if length == 127 {
            bytes.storeBytes(of: UInt64(payloadBytes).bigEndian, toByteOffset: end, as: UInt64.self)
            end += 8
        }
        if let maskingKey { bytes.storeBytes(of: maskingKey.bigEndian, toByteOffset: end, as: UInt32.self) }
    }

    private static func number(_ bytes: RawSpan, at offset: Int, size: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in offset..<offset + size { number = number << 8 | UInt64(bytes.byte(at: index)) }
        return number
    }
}
