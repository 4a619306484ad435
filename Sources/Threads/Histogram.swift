import Synchronization

/// How often something took how long: spans by the bucket that each is in.
public struct Histogram: Equatable, Sendable {
    /// The longest span of each bucket, each twice the one before: 50 µs to 13.1 s. What is longer is in one more.
    public static let bounds: [Nanoseconds] = (0..<boundCount).map { shortest << $0 }

    static let boundCount = 19
    private static let shortest: Nanoseconds = 50_000

    /// Spans in each bucket, without those of the buckets below it: one more than there are bounds.
    public internal(set) var counts = [Int](repeating: 0, count: boundCount + 1)
    /// Of all spans.
    public internal(set) var sum: Nanoseconds = 0

    public init() {}

    /// As another process has counted them; nil where it has other buckets.
    public init?(counts: [Int], sum: Nanoseconds) {
        guard counts.count == self.counts.count else { return nil }
        (self.counts, self.sum) = (counts, sum)
    }

    /// Spans in all.
    public var count: Int { counts.reduce(0, +) }

    public static func + (left: Histogram, right: Histogram) -> Histogram {
        var both = left
        for (index, count) in right.counts.enumerated() { both.counts[index] += count }
        both.sum += right.sum
        return both
    }

    /// The bucket that a span is in.
    static func bucket(of span: Nanoseconds) -> Int {
        // Bounds are powers of two: how many bits are left says how many of them a span is past.
        min(Int.bitWidth - (max(0, span - 1) / shortest).leadingZeroBitCount, boundCount)
    }
}

/// A histogram that one thread adds to and any thread reads, as `Counter`.
public struct HistogramCounter: ~Copyable, Sendable {
    private let counts = InlineArray<20, Atomic<Int>> { _ in Atomic(0) }
    private let sum = Counter()

    public init() { precondition(counts.count == Histogram.boundCount + 1, "a place for each bucket") }

    /// Counts a span; one below 0 counts as 0. By the one thread that adds to it.
    public func add(_ span: Nanoseconds) {
        let bucket = Histogram.bucket(of: span)
        counts[bucket].store(counts[bucket].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        sum.add(max(0, span))
    }

    /// What has been counted so far. While another thread adds, its last span may be in one part and not yet in the
    /// other.
    public var value: Histogram {
        var histogram = Histogram()
        for index in counts.indices { histogram.counts[index] = counts[index].load(ordering: .relaxed) }
        histogram.sum = sum.value
        return histogram
    }
}
