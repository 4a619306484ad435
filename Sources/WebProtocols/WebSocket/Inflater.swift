// Has zlib write into memory of its own by pointer; whoever reads a message has it until the next.
import CZlib

/// Undoes the compression of messages (RFC 7692 section 7.2.2), one after the other: a loop needs one for all its
/// connections.
public final class Inflater {
    /// zlib keeps the address of its stream: it stays where it is.
    private let stream: UnsafeMutablePointer<z_stream>
    private var buffer: UnsafeMutableRawBufferPointer
    private var count = 0
    /// What all messages came to, those included that were given up.
    public private(set) var inflatedBytes = 0

    /// What is kept between messages. One that is longer has more, until the next.
    private static let keptBytes = 65_536
    private static let leastBytes = 4_096
    /// zlib counts in 32 bits: no message is longer, whatever else may be.
    private static let limitBytes = 1 << 31
    /// What a flush ends with, which is not sent.
    private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

    /// Nil where there is no memory for it.
    public init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        buffer = .allocate(byteCount: Self.leastBytes, alignment: 16)
        guard flipside_inflate_raw(stream) == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// The message that was undone last, until the next is.
    public var message: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

    /// Undoes a whole message of up to `limit` bytes, or 2 GiB. A longer one is given up as soon as it has more,
    /// whatever it would come to.
    func decompress(_ compressed: RawSpan, limit: Int) throws(FrameViolation) {
        let limit = min(limit, Self.limitBytes)
        guard compressed.byteCount <= limit else { throw .messageTooLong(bytes: compressed.byteCount, limit: limit) }
        count = 0
        if buffer.count > Self.keptBytes { resize(to: Self.keptBytes) }
        inflateReset(stream)
        defer { inflatedBytes += count }
        guard try take(compressed, limit: limit), try take(Self.tail.span.bytes, limit: limit) else { return }
        // At the beginning of a block: zlib's manual, `inflate`, of `data_type`.
        guard stream.pointee.data_type & 128 != 0 else { throw .invalidCompression }
    }

    /// False once the last block has ended, behind which nothing is left.
    private func take(_ part: RawSpan, limit: Int) throws(FrameViolation) -> Bool {
        try part.withUnsafeBytes { input throws(FrameViolation) in
            // zlib reads what it is given; its type does not say so.
            let bytes = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            (stream.pointee.next_in, stream.pointee.avail_in) = (bytes, UInt32(input.count))
            return try inflateAll(limit: limit)
        }
    }

    private func inflateAll(limit: Int) throws(FrameViolation) -> Bool {
        while true {
            // A byte more than may come tells that more does.
            if count == buffer.count { resize(to: min(2 * count, limit + 1)) }
            let free = min(buffer.count, limit + 1) - count
            (stream.pointee.next_out, stream.pointee.avail_out) = (
                buffer.baseAddress?.advanced(by: count).assumingMemoryBound(to: UInt8.self), UInt32(free)
            )
            let outcome = inflate(stream, Z_SYNC_FLUSH)
            count += free - Int(stream.pointee.avail_out)
            guard count <= limit else { throw .messageTooLong(bytes: count, limit: limit) }
            switch outcome {
            case Z_STREAM_END:
                // A sender may end its blocks, and begin others behind them (RFC 7692 section 7.2.3.4).
                guard stream.pointee.avail_in > 0 else { return false }
                inflateReset(stream)
            case Z_OK, Z_BUF_ERROR:
                if stream.pointee.avail_out > 0 { return true }
            default: throw .invalidCompression
            }
        }
    }

    private func resize(to bytes: Int) {
        let resized = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
        resized.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        buffer.deallocate()
        buffer = resized
    }
}
