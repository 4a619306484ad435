/// Frames that clients send (RFC 6455 section 5.3).
extension Frame {
    /// Appends a whole message to `bytes` and masks it there. `key` has random bits, new for each frame; its highest
    /// byte is the first on the wire. The caller makes sure that a text `payload` is UTF-8.
    public static func appendMasked(_ kind: MessageKind, _ payload: RawSpan, key: UInt32, to bytes: inout [UInt8]) {
        append(kind == .text ? .text : .binary, payload, key: key, to: &bytes)
    }

    /// Appends this control frame, masked.
    public func appendMasked(key: UInt32, to bytes: inout [UInt8]) {
        guard let opcode = self.bytes.first.flatMap({ Opcode(rawValue: $0 & 0x0F) }), opcode.isControl else {
            preconditionFailure("a message is masked with its kind")
        }
        // The header has two bytes, since a control frame is short.
        Self.append(opcode, self.bytes.span.bytes.extracting(2..<self.bytes.count), key: key, to: &bytes)
    }

    private static func append(_ opcode: Opcode, _ payload: RawSpan, key: UInt32, to bytes: inout [UInt8]) {
        let header = FrameHeader(opcode: opcode, maskingKey: key, payloadBytes: payload.byteCount)
        header.encode(into: &bytes)
        let start = bytes.count
        bytes.append(payload)
        let end = bytes.count
        var span = bytes.mutableSpan
        var raw = span.mutableBytes
        raw.mask(start..<end, with: key, phase: 0)
    }
}
