/// A token bucket in one number. It allows a rate per second and, unless told otherwise, two seconds' worth at once.
public struct RateLimit: Equatable, Sendable {
    /// When everything taken so far would have come at the rate, in µs.
    private var spentUntil = 0

    public init() {}

    /// Takes one, unless that exceeds what may be taken at once. `now` is of any clock that does not go back.
    public mutating func spendOne(perSecond rate: Int, atOnce seconds: Int = 2, now: Int) -> Bool {
        var after = self
        after.spend(1, perSecond: rate, now: now)
        guard !after.isExceeded(atOnce: seconds, now: now) else { return false }
        self = after
        return true
    }

    /// Takes `count` that have already come, even if fewer are left.
    mutating func spend(_ count: Int, perSecond rate: Int, now: Milliseconds) {
        spentUntil = max(spentUntil, now * 1_000) + count * 1_000_000 / rate
    }

    /// Whether more was taken than may be at once.
    func isExceeded(atOnce seconds: Int = 2, now: Milliseconds) -> Bool {
        spentUntil > now * 1_000 + seconds * 1_000_000
    }

    /// Whether the bucket is as full as if nothing had been taken.
    public func isFull(now: Int) -> Bool { spentUntil <= now * 1_000 }

    /// When a second's worth can be taken again.
    var freeAgain: Milliseconds { (spentUntil - 1_000_000) / 1_000 }

    /// Moves `freeAgain` to `time` or later.
    mutating func pause(until time: Milliseconds) { spentUntil = max(spentUntil, time * 1_000 + 1_000_000) }
}
