import CZlib

/// One body in the content coding `gzip` (RFC 9110 section 8.4.1.3), compressed whole or in parts.
public final class Gzip {
    /// How much work goes into a body.
    public enum Effort {
        /// As short as zlib can, with 384 KiB of memory, for a body that is compressed once and sent often.
        case thorough
        /// Some 100 bytes a microsecond, with 32 KiB of memory, for a body that is compressed for each client.
        case quick
    }

    private let stream: DeflateStream

    /// Nil if there is no memory for it.
    public convenience init?(_ effort: Effort) { self.init(.gzip, effort) }

    /// Compresses a piece of a body, without header and trailer (RFC 1951). Nil if there is no memory for it.
    convenience init?(pieceBy effort: Effort) { self.init(.raw, effort) }

    private init?(_ format: DeflateStream.Format, _ effort: Effort) {
        let spent: DeflateStream.Effort =
            switch effort {
            case .thorough: .init(level: Z_BEST_COMPRESSION, windowBits: 15, memory: 9)
            case .quick: .init(level: Z_BEST_SPEED, windowBits: 12, memory: 5)
            }
        guard let stream = DeflateStream(format, spent) else { return nil }
        self.stream = stream
    }

    /// Nil if there is no memory for it.
    public static func compress(_ bytes: [UInt8]) -> [UInt8]? { Gzip(.thorough)?.compress(bytes, isLast: true) }

    /// Returns the output that is ready after the next part. Some may only follow with later parts, none after the part
    /// that `isLast`.
    public func compress(_ part: [UInt8], isLast: Bool) -> [UInt8] { stream.compress(part.span.bytes, isLast: isLast) }

    /// Compresses all of `part` up to the end of a byte, so that other pieces may follow unless it `isLast`.
    func piece(_ part: [UInt8], isLast: Bool) -> [UInt8] {
        stream.compress(part.span.bytes, isLast: isLast, isWhole: true)
    }

    /// The checksum for a body's trailer (RFC 1952 section 2.3.1).
    static func checksum(of bytes: [UInt8]) -> UInt {
        bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    }

    /// The checksum of two parts in a row, by the checksum of each and the length of the second.
    static func checksum(_ first: UInt, _ second: UInt, count: Int) -> UInt { crc32_combine(first, second, count) }
}
