/// A `gzip` body whose middle differs each time. The parts around it are compressed only once.
public struct SplicedGzip: Sendable {
    private struct Piece: Sendable {
        let compressed: [UInt8]
        let checksum: UInt
        let count: Int

        init?(_ bytes: [UInt8], _ effort: Gzip.Effort, isLast: Bool = false) {
            guard let gzip = Gzip(pieceBy: effort) else { return nil }
            (compressed, checksum) = (gzip.piece(bytes, isLast: isLast), Gzip.checksum(of: bytes))
            count = bytes.count
        }
    }

    /// Deflate, no flags, no time, an unknown system (RFC 1952 section 2.3).
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    private let front: Piece
    private let back: Piece

    /// Nil if there is no memory for it.
    public init?(front: [UInt8], back: [UInt8]) {
        guard let front = Piece(front, .thorough), let back = Piece(back, .thorough, isLast: true) else { return nil }
        (self.front, self.back) = (front, back)
    }

    /// The front, `middle` and the back, compressed. Nil if there is no memory for it.
    public func body(with middle: [UInt8]) -> [UInt8]? {
        guard let middle = Piece(middle, .quick) else { return nil }
        let checksum = [middle, back].reduce(front.checksum) { Gzip.checksum($0, $1.checksum, count: $1.count) }
        let count = front.count + middle.count + back.count
        return Self.header + front.compressed + middle.compressed + back.compressed
            + littleEndian(checksum) + littleEndian(UInt(count))
    }

    private func littleEndian(_ number: UInt) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }
}
