/// Decompresses messages (RFC 7692 section 7.2.2) one after the other. A loop needs one for all its connections.
public final class Inflater {
    private let stream: InflateStream
    private var buffer = [UInt8](repeating: 0, count: leastBytes)
    /// How much of `buffer` the last message has.
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
        guard let stream = InflateStream() else { return nil }
        self.stream = stream
    }

    /// Calls `body` with the last message that was decompressed.
    public func withMessage<Result>(_ body: (RawSpan) -> Result) -> Result {
        let buffer = buffer
        return body(buffer.span.bytes.extracting(0..<count))
    }

    /// Whether the last message is UTF-8.
    var isText: Bool { withMessage { UTF8Validation.isValid(Span(_bytes: $0)) } }

    /// Decompresses a whole message of up to `limit` bytes, or 2 GiB. A longer one is given up at the first byte past
    /// that.
    func decompress(_ compressed: RawSpan, limit: Int) throws(FrameViolation) {
        let limit = min(limit, Self.limitBytes)
        guard compressed.byteCount <= limit else { throw .messageTooLong(bytes: compressed.byteCount, limit: limit) }
        count = 0
        if buffer.count > Self.keptBytes { buffer = [UInt8](repeating: 0, count: Self.keptBytes) }
        stream.reset()
        defer { inflatedBytes += count }
        guard try inflatePart(compressed, limit: limit), try inflatePart(Self.tail.span.bytes, limit: limit) else {
            return
        }
        guard stream.isAtBlockStart else { throw .invalidCompression }
    }

    /// False once the last block has ended with nothing after it.
    private func inflatePart(_ part: RawSpan, limit: Int) throws(FrameViolation) -> Bool {
        var offset = 0
        while true {
            // Room for one byte past the limit shows whether there are more.
            if count == buffer.count { buffer += repeatElement(0, count: min(count, limit + 1 - count)) }
            let end = min(buffer.count, limit + 1)
            let outcome = stream.inflate(part, at: &offset, into: &buffer, at: &count, upTo: end)
            guard count <= limit else { throw .messageTooLong(bytes: count, limit: limit) }
            switch outcome {
            case .ended:
                // A sender may end its blocks and start others after them (RFC 7692 section 7.2.3.4).
                guard offset < part.byteCount else { return false }
                stream.reset()
            case .taken: if count < end { return true }
            case .invalid: throw .invalidCompression
            }
        }
    }
}
