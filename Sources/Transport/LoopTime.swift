/// A loop's own time. It is steady, no one can set it, and it leaves out times when the loop stalled, since a peer that
/// could not be heard was not silent.
struct LoopTime: Equatable {
    /// In ms, as of the current turn.
    private(set) var now: Milliseconds
    /// How long the loop has stalled in total.
    private var stoodStill: Milliseconds = 0

    init(steady: Milliseconds) { now = steady }

    /// A turn starts. Of a stall only as much counts as a turn may take, so that time-outs come even to a loop that is
    /// always late.
    mutating func turn(steady: Milliseconds, stoodStill isStalled: Bool) {
        let passed = steady - stoodStill - now
        if isStalled { stoodStill += max(0, passed - LoopContext.stallLimitMilliseconds) }
        now = steady - stoodStill
    }

    func passed(steady: Milliseconds) -> Milliseconds { steady - stoodStill - now }
}
