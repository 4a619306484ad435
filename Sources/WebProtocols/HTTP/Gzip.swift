// Hands buffers to zlib by pointer, for the length of a call. Its stream has one owner, and what leaves this is values.
import CZlib

/// One body in the content coding `gzip` (RFC 9110 section 8.4.1.3), made whole or in parts.
public final class Gzip {
    /// What a body is worth.
    public enum Effort {
        /// As short as zlib can, with 384 KiB of memory: for what is compressed once and sent often.
        case thorough
        /// Some 100 bytes a microsecond, with 32 KiB of memory: for what is compressed for each client.
        case quick
    }

    /// zlib keeps the address of its stream: it stays where it is.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil where there is no memory for it.
    public convenience init?(_ effort: Effort) { self.init(effort, by: flipside_deflate_gzip) }

    /// For a piece of a body, without header and trailer (RFC 1951). Nil where there is no memory for it.
    convenience init?(pieceBy effort: Effort) { self.init(effort, by: flipside_deflate_raw) }

    private init?(_ effort: Effort, by begin: (UnsafeMutablePointer<z_stream>, Int32, Int32, Int32) -> Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let hasBegun =
            switch effort {
            case .thorough: begin(stream, Z_BEST_COMPRESSION, 15, 9)
            case .quick: begin(stream, Z_BEST_SPEED, 12, 5)
            }
        guard hasBegun == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// `bytes` compressed. Nil where there is no memory for it.
    public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        Gzip(.thorough)?.compress(bytes, isLast: true)
    }

    /// What is there of the body after its next part. Some of it may come only with the parts that follow, none after
    /// the one that `isLast`.
    public func compress(_ part: [UInt8], isLast: Bool) -> [UInt8] {
        compress(part, flush: isLast ? Z_FINISH : Z_NO_FLUSH)
    }

    /// All of `part`, up to the end of a byte: other pieces may stand behind it, unless it `isLast`.
    func piece(_ part: [UInt8], isLast: Bool) -> [UInt8] { compress(part, flush: isLast ? Z_FINISH : Z_SYNC_FLUSH) }

    /// As the trailer of a body has it (RFC 1952 section 2.3.1).
    static func checksum(of bytes: [UInt8]) -> UInt {
        bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    }

    /// Of what has `first` as its checksum, and behind it so many bytes that have `second`.
    static func checksum(_ first: UInt, _ second: UInt, count: Int) -> UInt { crc32_combine(first, second, count) }

    private func compress(_ part: [UInt8], flush: Int32) -> [UInt8] {
        var input = part
        var body: [UInt8] = []
        input.withUnsafeMutableBufferPointer { input in
            (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, UInt32(input.count))
            // A flush ends with a marker, which zlib writes again and again where it has no more than its room.
            let roomBytes = Int(deflateBound(stream, UInt(input.count))) + 64
            repeat {
                body += [UInt8](unsafeUninitializedCapacity: roomBytes) { output, count in
                    (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, UInt32(roomBytes))
                    deflate(stream, flush)
                    count = roomBytes - Int(stream.pointee.avail_out)
                }
            } while stream.pointee.avail_out == 0
        }
        return body
    }
}
