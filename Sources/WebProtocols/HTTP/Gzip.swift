// Hands whole buffers to zlib by pointer, for the length of a call; what leaves this file is a value.
import CZlib

/// The content coding `gzip` (RFC 9110 section 8.4.1.3).
public enum Gzip {
    /// `bytes` compressed as far as zlib can: for what is compressed once and sent often. Nil where there is no memory
    /// for it.
    public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard flipside_deflate_gzip(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard isWhole else { return nil }
        output.removeLast(Int(stream.avail_out))
        return output
    }
}

extension RequestHead {
    /// Whether the client takes an answer in `coding`, by its Accept-Encoding (RFC 9110 section 12.5.3).
    public func accepts(coding: String) -> Bool {
        var isWelcome = false
        for member in headers.members(of: "Accept-Encoding") {
            let parts = member.split(separator: ";").map { $0.trimmed }
            guard let name = parts.first, name.lowercased() == coding || name == "*" else { continue }
            // A weight of nothing but zeros: `q=0`, `q=0.000`.
            let isRefused = parts.dropFirst().contains { part in
                part.lowercased().hasPrefix("q=") && part.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
            }
            // What is said of the coding itself counts more than what is said of all.
            if name != "*" { return !isRefused }
            isWelcome = !isRefused
        }
        return isWelcome
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let front = drop { $0 == " " || $0 == "\t" }
        return front.dropLast(front.reversed().prefix { $0 == " " || $0 == "\t" }.count)
    }
}
