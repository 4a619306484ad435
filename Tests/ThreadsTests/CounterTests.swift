import Testing

@testable import Threads

@Suite("Counters") struct CounterTests {
    @Test(
        "a time is in the first bucket that is long enough",
        arguments: [
            (-1, 0), (0, 0), (1, 0), (50_000, 0), (50_001, 1), (100_000, 1), (100_001, 2), (200_000, 2),
            (1_000_000, 5), (13_107_200_000, 18), (13_107_200_001, 19), (Int.max, 19),
        ])
    func buckets(span: Nanoseconds, bucket: Int) {
        #expect(Histogram.bucket(of: span) == bucket)
        if bucket < Histogram.bounds.count { #expect(span <= Histogram.bounds[bucket]) }
        if bucket > 0 { #expect(span > Histogram.bounds[bucket - 1]) }
    }

    @Test("bounds go from 50 µs to over 10 s, each twice the last one")
    func bounds() {
        #expect(Histogram.bounds.first == 50_000 && Histogram.bounds.last == 13_107_200_000)
        #expect(zip(Histogram.bounds, Histogram.bounds.dropFirst()).allSatisfy { 2 * $0 == $1 })
    }

    @Test("a histogram has the added times, and a sum has those of both")
    func sums() {
        let counter = HistogramCounter()
        for span in [10, 60_000, 60_000, 20_000_000_000] { counter.add(span) }
        let one = counter.value
        #expect(one.count == 4 && one.sum == 20_000_120_010)
        #expect(one.counts[0] == 1 && one.counts[1] == 2 && one.counts[19] == 1)
        let both = one + one
        #expect(both.count == 8 && both.sum == 2 * one.sum && both.counts[1] == 4)
    }

    @Test("a table counts only its own labels")
    func table() {
        let table = CounterTable(["b", "a", "b"])
        for label in ["a", "c", "b", "a"] { table.add(label) }
        #expect(table.labels == ["b", "a"])
        #expect(table["a"] == 2 && table["b"] == 1 && table["c"] == 0)
    }
}
