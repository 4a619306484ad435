import Games

/// How often a connection may say something: each limit a rate a second, and twice as many at once.
struct Allowance {
    private var messages = RateLimit()
    private var refusals = RateLimit()
    private var hellos = RateLimit()
    private var lines = RateLimit()

    mutating func takeMessage(_ surroundings: RoomSurroundings) throws(Rejection) {
        let perSecond = surroundings.limits.messagesPerSecond
        if messages.take(perSecond: perSecond, now: surroundings.now) { return }
        surroundings.counters.hit(.messagesPerSecond)
        throw .tooFast(perSecond, "messages")
    }

    /// False where so many messages have been refused that the connection is to be closed.
    mutating func refuse(_ surroundings: RoomSurroundings) -> Bool {
        if refusals.take(perSecond: surroundings.limits.refusalsPerSecond, now: surroundings.now) { return true }
        surroundings.counters.hit(.refusalsPerSecond)
        return false
    }

    mutating func takeHello(_ surroundings: RoomSurroundings) -> Bool {
        hellos.take(perSecond: surroundings.limits.hellosPerSecond, now: surroundings.now)
    }

    mutating func takeLine(_ surroundings: RoomSurroundings) -> Bool {
        lines.take(perSecond: surroundings.limits.linesPerSecond, now: surroundings.now)
    }
}

/// A token bucket, as the one number that it comes to: when all that was taken would have come at the rate, in µs.
private struct RateLimit {
    private var spentUntil = 0

    mutating func take(perSecond: Int, now: Milliseconds) -> Bool {
        let now = now * 1_000
        let spent = max(spentUntil, now) + 1_000_000 / perSecond
        guard spent <= now + 2_000_000 else { return false }
        spentUntil = spent
        return true
    }
}
