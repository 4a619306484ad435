import Testing

@testable import Transport

@Suite("A loop's own time") struct LoopTimeTests {
    @Test("it runs like the steady clock, but counts a blocked loop as a second at most")
    func standstill() {
        var time = LoopTime(steady: 5_000)
        time.turn(steady: 5_900, stoodStill: false)
        #expect(time.now == 5_900)
        time.turn(steady: 95_900, stoodStill: true)
        #expect(time.now == 6_900)
        #expect(time.passed(steady: 96_000) == 100)
        time.turn(steady: 96_400, stoodStill: false)
        #expect(time.now == 7_400)
        // The machine slept: other clocks have advanced, this one has not.
        time.turn(steady: 96_410, stoodStill: true)
        #expect(time.now == 7_410)
    }

    @Test("time-outs reach a loop whose turns are all too long")
    func slow() {
        var time = LoopTime(steady: 0)
        for turn in 1...10 { time.turn(steady: turn * 3_000, stoodStill: true) }
        #expect(time.now == 10 * LoopContext.stallLimitMilliseconds)
    }
}
