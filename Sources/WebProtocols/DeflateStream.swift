// Passes buffers to zlib by pointer for the length of a call. Its stream has one owner, and what leaves this is values.
import CZlib

/// A DEFLATE compressor (RFC 1951), with or without the frame of a format.
final class DeflateStream {
    enum Format {
        /// RFC 1952.
        case gzip
        case raw
    }

    /// How much zlib spends: it searches the last 2^`windowBits` bytes (9 to 15, for 512 bytes to 32 KiB) and uses
    /// memory level `memory` (1 to 9).
    struct Effort {
        let level: Int32
        let windowBits: Int32
        let memory: Int32
    }

    /// Never moves, since zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil if there is no memory for it.
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

    /// Stops the search for repetitions, so that the output needs no window.
    func useHuffmanOnly() { deflateParams(stream, Z_BEST_SPEED, Z_HUFFMAN_ONLY) }

    /// Starts again with the same format and effort.
    func reset() { deflateReset(stream) }

    /// Returns the output that is ready after the next part. Some may only follow with later parts, none after the part
    /// that `isLast`. If the part `isWhole`, all of its output is returned, up to the end of a byte.
    func compress(_ part: RawSpan, isLast: Bool = false, isWhole: Bool = false) -> [UInt8] {
        let flush = isLast ? Z_FINISH : isWhole ? Z_SYNC_FLUSH : Z_NO_FLUSH
        var body: [UInt8] = []
        part.withUnsafeBytes { input in
            // zlib only reads its input, though its type does not say so.
            let bytes = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            (stream.pointee.next_in, stream.pointee.avail_in) = (bytes, UInt32(input.count))
            // A flush ends with a marker, which zlib writes again if there was only just room for it.
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
