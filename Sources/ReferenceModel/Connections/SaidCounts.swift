/// What a connection may say in a second, and twice as much at once. Beyond that it is refused as `too-fast`, and in
/// the end closed.
public struct MessageRates: Sendable {
    let messages: Int
    let hellos: Int
    let lines: Int
    let commands: Int
    let refusals: Int
    let early: Int

    /// `messages` are of all kinds, `lines` of chat and reactions. `commands` are a player's recorded commands on all
    /// connections, with ten times as many at once. `refusals` are messages that were too fast, `early` those ahead of
    /// the answer to a hello, in all. The defaults are a hub's own.
    public init(
        messages: Int = 1_000, hellos: Int = 5, lines: Int = 3, commands: Int = 10, refusals: Int = 100, early: Int = 64
    ) {
        (self.messages, self.hellos, self.lines) = (messages, hellos, lines)
        (self.commands, self.refusals, self.early) = (commands, refusals, early)
    }
}

/// How much was said on a connection recently, of each kind that a hub counts.
struct SaidCounts {
    private var (messages, hellos, lines) = (LatelySaid(), LatelySaid(), LatelySaid())

    private static let chat: Set = ["say", "react"]

    mutating func countMessage(_ type: String?, at now: Int) {
        messages.countMessage(at: now)
        if type == "hello" { hellos.countMessage(at: now) }
        if let type, Self.chat.contains(type) { lines.countMessage(at: now) }
    }

    func isMore(than count: Int, at now: Int) -> Bool { messages.count(at: now) > count }

    /// Whether a message of this type may be refused as `too-fast`; nil for one that is not a command.
    func mayBeTooFast(_ type: String?, _ rates: MessageRates, at now: Int) -> Bool {
        if isMore(than: 2 * rates.messages, at: now) { return true }
        guard let type else { return hellos.count(at: now) > 2 * rates.hellos }
        return Self.chat.contains(type) && lines.count(at: now) > 2 * rates.lines
    }
}

/// Counts at least the last minute, and at most the last two.
struct LatelySaid {
    private var start = 0
    private var (before, since) = (0, 0)

    /// In ms. Longer than messages wait to be counted while a hello before them is unanswered, and than a hub waits for
    /// a client that does not read.
    private static let span = 60_000

    mutating func countMessage(at now: Int) {
        if now - start >= Self.span { (start, before, since) = (now, now - start < 2 * Self.span ? since : 0, 0) }
        since += 1
    }

    func count(at now: Int) -> Int {
        let passed = now - start
        return passed < Self.span ? before + since : passed < 2 * Self.span ? since : 0
    }
}
