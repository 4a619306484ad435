import Testing

@testable import Transport

@Suite("Rates") struct RateLimitTests {
    @Test("twice a second's amount is accepted at once, then as much as time permits")
    func takes() {
        var limit = RateLimit()
        func taken(_ count: Int, now: Int) -> Int { (0..<count).count { _ in limit.spendOne(perSecond: 10, now: now) } }
        #expect(taken(30, now: 5_000) == 20)
        #expect(taken(30, now: 5_099) == 0)
        #expect(taken(30, now: 5_100) == 1)
        #expect(taken(30, now: 6_100) == 10)
        #expect(taken(30, now: 60_000) == 20)
    }

    @Test(
        "arrived bytes are always accepted, and count against the time that follows",
        arguments: [(2_000, nil), (2_001, 1_001), (5_000, 4_000)] as [(Int, Int?)])
    func spends(count: Int, end: Int?) {
        var limit = RateLimit()
        limit.spend(count, perSecond: 1_000, now: 0)
        #expect(limit.isExceeded(now: 0) == (end != nil))
        if let end { #expect(limit.freeAgain == end) }
    }

    @Test("a pause lasts its time, and longer if more was accepted", arguments: [(0, 100), (3_000, 2_000)])
    func pauses(count: Int, end: Int) {
        var limit = RateLimit()
        limit.spend(count, perSecond: 1_000, now: 0)
        limit.pause(until: 100)
        #expect(limit.freeAgain == end)
    }
}
