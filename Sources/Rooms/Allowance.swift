import Games
import Transport

/// How often a connection may send. Each limit is a rate a second, with twice as many at once.
public struct Allowance: Sendable {
    private var messages = RateLimit()
    private var refusals = RateLimit()
    private var hellos = RateLimit()
    private var lines = RateLimit()

    public init() {}

    public mutating func takeMessage(_ surroundings: RoomSurroundings) throws(Rejection) {
        let perSecond = surroundings.limits.messagesPerSecond
        if messages.spendOne(perSecond: perSecond, now: surroundings.now) { return }
        surroundings.counters.hit(.messagesPerSecond)
        throw .tooFast(perSecond, "messages")
    }

    /// False if so many messages were refused that the connection must be closed.
    public mutating func refuse(_ surroundings: RoomSurroundings) -> Bool {
        if refusals.spendOne(perSecond: surroundings.limits.refusalsPerSecond, now: surroundings.now) { return true }
        surroundings.counters.hit(.refusalsPerSecond)
        return false
    }

    mutating func takeHello(_ surroundings: RoomSurroundings) -> Bool {
        hellos.spendOne(perSecond: surroundings.limits.hellosPerSecond, now: surroundings.now)
    }

    mutating func takeLine(_ surroundings: RoomSurroundings) -> Bool {
        lines.spendOne(perSecond: surroundings.limits.linesPerSecond, now: surroundings.now)
    }
}
