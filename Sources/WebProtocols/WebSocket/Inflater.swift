// Lets zlib write into memory of its own by pointer; a message is valid until the next one.
import CZlib

/// Decompresses messages (RFC 7692 section 7.2.2) one after the other. A loop needs one for all its connections.
public final class Inflater {
    /// Never moves, since zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>
    private var buffer: UnsafeMutableRawBufferPointer
    private var count = 0
    /// The bytes of all messages, including those that were given up.
    public private(set) var inflatedBytes = 0

    /// The memory that is kept between messages. A longer message has more, until the next.
    private static let keptBytes = 65_536
    private static let leastBytes = 4_096
    /// zlib counts in 32 bits, so no message may be longer.
    private static let limitBytes = 1 << 31
    /// The end of every flush, which is not sent.
    private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

    /// Nil if there is no memory for it.
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

    /// The last message that was decompressed, valid until the next.
    public var message: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

    /// Decompresses a whole message of up to `limit` bytes, or 2 GiB. A longer one is given up at the first byte past
    /// that.
    func decompress(_ compressed: RawSpan, limit: Int) throws(FrameViolation) {
        let limit = min(limit, Self.limitBytes)
        guard compressed.byteCount <= limit else { throw .messageTooLong(bytes: compressed.byteCount, limit: limit) }
        count = 0
        if buffer.count > Self.keptBytes { resize(to: Self.keptBytes) }
        inflateReset(stream)
        defer { inflatedBytes += count }
        guard try take(compressed, limit: limit), try take(Self.tail.span.bytes, limit: limit) else { return }
        // Whether zlib is at the start of a block (zlib's manual, `inflate`, about `data_type`).
        guard stream.pointee.data_type & 128 != 0 else { throw .invalidCompression }
    }

    /// False once the last block has ended with nothing after it.
    private func take(_ part: RawSpan, limit: Int) throws(FrameViolation) -> Bool {
        try part.withUnsafeBytes { input throws(FrameViolation) in
            // zlib only reads its input, though its type does not say so.
            let bytes = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            (stream.pointee.next_in, stream.pointee.avail_in) = (bytes, UInt32(input.count))
            return try inflateAll(limit: limit)
        }
    }

    private func inflateAll(limit: Int) throws(FrameViolation) -> Bool {
        while true {
            // Room for one byte past the limit shows whether there are more.
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
                // A sender may end its blocks and start others after them (RFC 7692 section 7.2.3.4).
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
