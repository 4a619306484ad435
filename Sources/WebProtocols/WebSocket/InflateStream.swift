// Passes buffers to zlib by pointer for the length of a call. Its stream has one owner, and what leaves this is values.
import CZlib

/// A DEFLATE decompressor (RFC 1951).
final class InflateStream {
    enum Outcome {
        /// It took all of the input, or all of the room for the output.
        case taken
        /// The last block has ended.
        case ended
        case invalid
    }

    /// Never moves, since zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>

    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard flipside_inflate_raw(stream) == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func reset() { inflateReset(stream) }

    /// Whether zlib is at the start of a block (zlib's manual, `inflate`, about `data_type`).
    var isAtBlockStart: Bool { stream.pointee.data_type & 128 != 0 }

    /// Decompresses `input` from `offset` on into `output` from `count` on, up to `end`, and moves both.
    func inflate(
        _ input: RawSpan, at offset: inout Int, into output: inout [UInt8], at count: inout Int, upTo end: Int
    ) -> Outcome {
        let result = input.withUnsafeBytes { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib only reads its input, though its type does not say so.
                let bytes = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                (stream.pointee.next_in, stream.pointee.avail_in) = (
                    bytes?.advanced(by: offset), UInt32(input.count - offset)
                )
                (stream.pointee.next_out, stream.pointee.avail_out) = (
                    output.baseAddress?.advanced(by: count), UInt32(end - count)
                )
                return CZlib.inflate(stream, Z_SYNC_FLUSH)
            }
        }
        offset = input.byteCount - Int(stream.pointee.avail_in)
        count = end - Int(stream.pointee.avail_out)
        switch result {
        case Z_OK, Z_BUF_ERROR: return .taken
        case Z_STREAM_END: return .ended
        default: return .invalid
        }
    }
}
