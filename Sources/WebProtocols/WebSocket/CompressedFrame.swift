import Synchronization

/// A message's frame for clients that accept compression (RFC 7692 section 7.2.1). The first of them has it compressed,
/// on any loop; all others with the same window share it.
final class CompressedFrame: Sendable {
    private let header: FrameHeader
    /// By window; empty if compression does not make it shorter.
    private let forms = Mutex<[Int: [UInt8]]>([:])

    /// `header` is the one of the plain frame.
    init(_ header: FrameHeader) { self.header = header }

    /// Nil if `frame` is shorter as it is.
    func bytes(of frame: [UInt8], for agreed: PerMessageDeflate, by deflater: Deflater) -> [UInt8]? {
        let known = forms.withLock { $0[agreed.windowBits] }
        let form = known ?? compress(frame, windowBits: agreed.windowBits, by: deflater)
        if known == nil { forms.withLock { $0[agreed.windowBits] = form } }
        return form.isEmpty ? nil : form
    }

    private func compress(_ frame: [UInt8], windowBits: Int, by deflater: Deflater) -> [UInt8] {
        let payload = frame.span.bytes.extracting(header.size..<frame.count)
        guard let compressed = deflater.compress(payload, windowBits: windowBits) else { return [] }
        let header = FrameHeader(opcode: header.opcode, isCompressed: true, payloadBytes: compressed.count)
        return header.bytes(before: compressed.span.bytes)
    }
}
