import Games

/// How long the log has not answered a loop that waits for it. A replica that a commit has to be on, a disk or a way to
/// the database may hold up every append without an error: rooms cannot be played then, either.
struct LogSilence {
    /// Appends may take so long. Past it rooms judge nothing: a deadline could pass by time that does not count.
    static let limit: Milliseconds = 1_000

    private var underWay = 0
    /// Since when no append was answered, though one is under way; nil if none is.
    private var since: Milliseconds?

    mutating func asked(at now: Milliseconds) {
        underWay += 1
        since = since ?? now
    }

    mutating func answered(at now: Milliseconds) {
        underWay -= 1
        since = underWay > 0 ? now : nil
    }

    /// The loop has not turned up to `now`: what was answered meanwhile could not be heard.
    mutating func stoodStill(until now: Milliseconds) { since = since.map { _ in now } }

    /// When it began; nil while it is not too long.
    func begun(at now: Milliseconds) -> Milliseconds? { since.flatMap { now - $0 > Self.limit ? $0 : nil } }
}
