/// Times in bounded memory. Buckets are linear within each power of two, so a percentile exceeds the measured time by
/// at most 1.6 % (as in HdrHistogram).
struct LatencyHistogram: Equatable {
    /// Buckets within a power of two.
    private static let buckets = 64
    /// Times over 2^42 ns, some 73 minutes, are in the last bucket; `longest` is exact.
    private static let powers = 36

    private var counts: [Int]
    private(set) var count = 0
    /// In nanoseconds.
    private(set) var longest = 0

    init() { counts = Array(repeating: 0, count: (Self.powers + 1) * Self.buckets) }

    /// A negative time counts as 0.
    mutating func record(_ nanoseconds: Int) {
        let time = max(0, nanoseconds)
        counts[Self.index(time)] += 1
        count += 1
        longest = max(longest, time)
    }

    mutating func merge(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        longest = max(longest, other.longest)
    }

    /// The nanoseconds within which this part, 0 to 1, of all times stays; nil if there are none.
    func percentile(_ part: Double) -> Int? {
        guard count > 0 else { return nil }
        let rank = max(1, Int((Double(count) * part).rounded(.up)))
        var passed = 0
        for (index, number) in counts.enumerated() where number > 0 {
            passed += number
            guard passed >= rank else { continue }
            return index == counts.count - 1 ? longest : min(Self.upperBound(index), longest)
        }
        return longest
    }

    private static func index(_ time: Int) -> Int {
        guard time >= 2 * buckets else { return time }
        let shift = time.bitWidth - time.leadingZeroBitCount - 1 - buckets.trailingZeroBitCount
        return min(shift * buckets + time >> shift, (powers + 1) * buckets - 1)
    }

    private static func upperBound(_ index: Int) -> Int {
        guard index >= 2 * buckets else { return index }
        let shift = index / buckets - 1
        return (index - shift * buckets + 1) << shift - 1
    }
}
