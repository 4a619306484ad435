/// A token bucket, as the one number that it comes to: a rate a second, and what comes in some seconds at once: in two,
/// unless another number is said.
public struct RateLimit: Equatable, Sendable {
    /// When all that was taken would have come at the rate, in µs.
    private var spentUntil = 0

    public init() {}

    /// Takes one, unless that is more than may be taken at once. `now`: of any clock that does not go back.
    public mutating func take(perSecond rate: Int, atOnce seconds: Int = 2, now: Int) -> Bool {
        var after = self
        after.spend(1, perSecond: rate, now: now)
        guard !after.isExceeded(atOnce: seconds, now: now) else { return false }
        self = after
        return true
    }

    /// Takes `count` that have come already, whatever is left.
    mutating func spend(_ count: Int, perSecond rate: Int, now: Milliseconds) {
        spentUntil = max(spentUntil, now * 1_000) + count * 1_000_000 / rate
    }

    /// Whether more was taken than may be at once.
    func isExceeded(atOnce seconds: Int = 2, now: Milliseconds) -> Bool {
        spentUntil > now * 1_000 + seconds * 1_000_000
    }

    /// Whether it is as if nothing had been taken.
    public func isFull(now: Int) -> Bool { spentUntil <= now * 1_000 }

    /// When a second's worth can be taken again.
    var freeAgain: Milliseconds { (spentUntil - 1_000_000) / 1_000 }

    /// Has that be at `time` or later.
    mutating func pause(until time: Milliseconds) { spentUntil = max(spentUntil, time * 1_000 + 1_000_000) }
}
