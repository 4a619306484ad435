import Testing
import Threads

@testable import EventStore

@Suite("SQLite: appends gather") struct GatherPlanTests {
    /// The rest after twenty transactions of this many appends, each of which began this long after the one before had
    /// ended, in microseconds.
    private func rest(of appends: Int, after pause: Int, sync: Int) -> Duration? {
        var (plan, now) = (GatherPlan(), 0)
        for _ in 0..<20 {
            let begun = now + pause * 1_000
            now = begun + sync * 1_000
            plan.committed(appends, waited: begun..<now)
        }
        return plan.gathering?.time
    }

    @Test(
        "as long as the disk worked, if some are to come in that time",
        arguments: [
            (1, 1_000_000, 400, false), (1, 5_000, 400, false), (1, 600, 400, false),
            (1, 300, 400, true), (4, 1_000, 400, true), (40, 100, 400, true),
        ])
    func rests(appends: Int, pause: Int, sync: Int, isResting: Bool) {
        let rest = rest(of: appends, after: pause, sync: sync)
        #expect((rest != nil) == isResting)
        // Smoothed, so not all of it yet.
        if let rest { #expect(rest > .microseconds(sync * 9 / 10) && rest <= .microseconds(sync)) }
    }

    @Test("at most 2 ms, however slow the disk is, and not once it is idle") func bounds() {
        #expect(rest(of: 100, after: 0, sync: 50_000) == .milliseconds(2))
        var plan = GatherPlan()
        for round in 0..<20 { plan.committed(9, waited: round * 1_000_000..<(round + 1) * 1_000_000) }
        #expect(plan.gathering != nil)
        plan.reset()
        #expect(plan.gathering == nil)
    }
}
