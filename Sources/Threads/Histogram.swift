import Synchronization

/// Counts time spans by bucket.
public struct Histogram: Equatable, Sendable {
    /// The longest span of each bucket, each twice the one before: 50 µs to 13.1 s. One more bucket holds longer spans.
    public static let bounds: [Nanoseconds] = (0..<boundCount).map { shortest << $0 }

    static let boundCount = 19
    private static let shortest: Nanoseconds = 50_000

    /// Spans in each bucket, without those of the buckets below it; one more than there are bounds.
    public internal(set) var counts = [Int](repeating: 0, count: boundCount + 1)
    /// The sum of all spans.
    public internal(set) var sum: Nanoseconds = 0

    public init() {}

    /// A histogram that another process has counted; nil if its buckets differ.
    public init?(counts: [Int], sum: Nanoseconds) {
        guard counts.count == self.counts.count else { return nil }
        (self.counts, self.sum) = (counts, sum)
    }

    /// The number of all spans.
    public var count: Int { counts.reduce(0, +) }

    public static func + (left: Histogram, right: Histogram) -> Histogram {
        var both = left
        for (index, count) in right.counts.enumerated() { both.counts[index] += count }
        both.sum += right.sum
        return both
    }

    static func bucket(of span: Nanoseconds) -> Int {
        // Bounds are powers of two, so the number of bits left says how many of them the span exceeds.
        min(Int.bitWidth - (max(0, span - 1) / shortest).leadingZeroBitCount, boundCount)
    }
}

/// A histogram that one thread adds to and any thread reads, like `Counter`.
public struct HistogramCounter: ~Copyable, Sendable {
    private let counts = InlineArray<20, Atomic<Int>> { _ in Atomic(0) }
    private let sum = Counter()

    public init() { precondition(counts.count == Histogram.boundCount + 1, "there is a cell for each bucket") }

    /// Counts a span, or 0 if it is negative. Only from the one thread that adds to it.
    public func add(_ span: Nanoseconds) {
        let bucket = Histogram.bucket(of: span)
        counts[bucket].store(counts[bucket].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        sum.add(max(0, span))
    }

    /// The counts so far. The last span of another thread may be in one part and not yet in the other.
    public var value: Histogram {
        var histogram = Histogram()
        for index in counts.indices { histogram.counts[index] = counts[index].load(ordering: .relaxed) }
        histogram.sum = sum.value
        return histogram
    }
}
