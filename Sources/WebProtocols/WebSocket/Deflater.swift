import CZlib

/// Compresses messages for clients that have agreed to it (RFC 7692 section 7.2.1), each independently.
public final class Deflater {
    /// One for each window that a client has asked for, with 256 KiB for the largest.
    private var streams: [Int: DeflateStream] = [:]

    public init() {}

    /// Nil if there is no memory for it, or if the result is not shorter.
    func compress(_ payload: RawSpan, windowBits: Int) -> [UInt8]? {
        guard let stream = stream(windowBits) else { return nil }
        stream.reset()
        var bytes = stream.compress(payload, isWhole: true)
        // Every flush ends with 00 00 FF FF.
        bytes.removeLast(4)
        return bytes.count < payload.byteCount ? bytes : nil
    }

    private func stream(_ windowBits: Int) -> DeflateStream? {
        if let stream = streams[windowBits] { return stream }
        let effort = DeflateStream.Effort(level: Z_BEST_SPEED, windowBits: Int32(max(9, windowBits)), memory: 8)
        let stream = DeflateStream(.raw, effort)
        // zlib has no window this small, but output without references needs none.
        if windowBits == 8 { stream?.useHuffmanOnly() }
        streams[windowBits] = stream
        return stream
    }
}
