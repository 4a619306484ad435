import Games

/// How long the log has not answered a loop. A replica that commits need, a disk, or the network to the database may
/// hold up all appends without an error. Rooms cannot be played then either.
public struct LogSilence: Sendable {
    /// How long appends may take. Past it rooms judge nothing, since time that does not count could pass a deadline.
    static let limit: Milliseconds = 1_000

    private var underWay = 0
    /// Since when no append was answered although one is running; nil if none is running.
    private var since: Milliseconds?

    mutating func asked(at now: Milliseconds) {
        underWay += 1
        since = since ?? now
    }

    public mutating func answered(at now: Milliseconds) {
        underWay -= 1
        since = underWay > 0 ? now : nil
    }

    /// The loop was blocked until `now` and could not see answers.
    public mutating func stoodStill(until now: Milliseconds) { since = since.map { _ in now } }

    /// When the silence started; nil while it is not too long.
    public func begun(at now: Milliseconds) -> Milliseconds? { since.flatMap { now - $0 > Self.limit ? $0 : nil } }
}
