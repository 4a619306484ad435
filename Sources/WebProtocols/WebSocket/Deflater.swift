import CZlib

/// Compresses messages for who has agreed to that (RFC 7692 section 7.2.1), each for itself.
public final class Deflater {
    /// One for each window that somebody has asked for: 256 KiB for the largest.
    private var streams: [Int: DeflateStream] = [:]

    public init() {}

    /// Nil where there is no memory for it, or where it comes out no shorter.
    func compress(_ payload: RawSpan, windowBits: Int) -> [UInt8]? {
        guard let stream = stream(windowBits) else { return nil }
        stream.reset()
        var bytes = stream.compress(payload, isWhole: true)
        // What every flush ends with: 00 00 FF FF.
        bytes.removeLast(4)
        return bytes.count < payload.byteCount ? bytes : nil
    }

    private func stream(_ windowBits: Int) -> DeflateStream? {
        if let stream = streams[windowBits] { return stream }
        let effort = DeflateStream.Effort(level: Z_BEST_SPEED, windowBits: Int32(max(9, windowBits)), memory: 8)
        let stream = DeflateStream(.raw, effort)
        // zlib has no window so small: what refers to nothing needs none.
        if windowBits == 8 { stream?.useHuffmanOnly() }
        streams[windowBits] = stream
        return stream
    }
}
