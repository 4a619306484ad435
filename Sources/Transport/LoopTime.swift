/// A loop's own time: steady, set by nobody, and without the time in which the loop stood still. A peer that could not
/// be heard was not silent.
struct LoopTime: Equatable {
    /// In ms, as of the turn that is under way.
    private(set) var now: Milliseconds
    /// How long the loop has stood still in all.
    private var stoodStill: Milliseconds = 0

    init(steady: Milliseconds) { now = steady }

    /// A turn begins; where the loop stood still, only so much of that counts as a turn may take: time-outs do come,
    /// even to a loop that is never in time.
    mutating func turn(steady: Milliseconds, stoodStill isStalled: Bool) {
        let passed = steady - stoodStill - now
        if isStalled { stoodStill += max(0, passed - LoopContext.stallLimitMilliseconds) }
        now = steady - stoodStill
    }

    /// Since the turn began.
    func passed(steady: Milliseconds) -> Milliseconds { steady - stoodStill - now }
}
