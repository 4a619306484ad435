/// A SHA-256 digest (FIPS 180-4), or 32 bytes that stand for one. Stored inline, without an allocation.
public struct Digest: Hashable, Sendable {
    /// The bytes in order, eight to a word, with the first byte lowest in memory.
    var words: (UInt64, UInt64, UInt64, UInt64)

    /// The same bytes as four words, for arithmetic.
    public var lanes: SIMD4<UInt64> { SIMD4(words.0, words.1, words.2, words.3) }

    public init(lanes: SIMD4<UInt64>) { words = (lanes[0], lanes[1], lanes[2], lanes[3]) }

    public static let size = 32

    init() { words = (0, 0, 0, 0) }

    /// Nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Digest.size else { return nil }
        self.init()
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    /// Nil unless `hex` is 64 hexadecimal digits, of either case.
    public init?(hex: some StringProtocol) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes: bytes)
    }

    public var bytes: [UInt8] { withUnsafeBytes(of: words) { [UInt8]($0) } }

    /// 64 lower-case hexadecimal digits.
    public var hex: String { bytes.hex }

    public static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

    public func hash(into hasher: inout Swift.Hasher) {
        // Any 64 bits of a digest are as good as all of them.
        hasher.combine(words.0)
    }
}

extension Digest: CustomStringConvertible {
    public var description: String { hex }
}
