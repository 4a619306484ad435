// Hands buffers to zlib by pointer, for the length of a call. Its stream has one owner, and what leaves this is values.
import CZlib

/// Bytes compressed by DEFLATE (RFC 1951), with or without what a format puts around them.
final class DeflateStream {
    enum Format {
        /// RFC 1952.
        case gzip
        case raw
    }

    /// What zlib is to spend: `windowBits` is how far back it looks for what it has seen (9 to 15: 512 bytes to
    /// 32 KiB), `memory` how much it keeps for that (1 to 9).
    struct Effort {
        let level: Int32
        let windowBits: Int32
        let memory: Int32
    }

    /// zlib keeps the address of its stream: it stays where it is.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil where there is no memory for it.
    init?(_ format: Format, _ effort: Effort) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let begin = format == .gzip ? flipside_deflate_gzip : flipside_deflate_raw
        guard begin(stream, effort.level, effort.windowBits, effort.memory) == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Nothing is looked for in what was seen: what comes is compressed for itself alone.
    func useHuffmanOnly() { deflateParams(stream, Z_BEST_SPEED, Z_HUFFMAN_ONLY) }

    /// Begins anew, with what it was made with.
    func reset() { deflateReset(stream) }

    /// What is there after the next part. Some of it may come only with the parts that follow, none after the one that
    /// `isLast`; where it `isWhole`, all of it comes, up to the end of a byte.
    func compress(_ part: RawSpan, isLast: Bool = false, isWhole: Bool = false) -> [UInt8] {
        let flush = isLast ? Z_FINISH : isWhole ? Z_SYNC_FLUSH : Z_NO_FLUSH
        var body: [UInt8] = []
        part.withUnsafeBytes { input in
            // zlib reads what it is given; its type does not say so.
            let bytes = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            (stream.pointee.next_in, stream.pointee.avail_in) = (bytes, UInt32(input.count))
            // A flush ends with a marker, which zlib writes again and again where it has no more than its room.
            let roomBytes = Int(deflateBound(stream, UInt(input.count))) + 64
            repeat {
                let more = [UInt8](unsafeUninitializedCapacity: roomBytes) { output, count in
                    (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, UInt32(roomBytes))
                    deflate(stream, flush)
                    count = roomBytes - Int(stream.pointee.avail_out)
                }
                if body.isEmpty { body = more } else { body += more }
            } while stream.pointee.avail_out == 0
        }
        return body
    }
}
