/// What a connection may say in a second, twice as many at once: past that it is refused as `too-fast`, and in the end
/// closed.
public struct MessageRates: Sendable {
    let messages: Int
    let hellos: Int
    let lines: Int
    let refusals: Int
    let early: Int

    /// `messages`: of all kinds; `lines`: of chat, and reactions; `refusals`: messages that were too fast; `early`:
    /// those ahead of the answer to a hello, in all. By default those of a hub whose operator has set no others.
    public init(messages: Int = 1_000, hellos: Int = 5, lines: Int = 3, refusals: Int = 100, early: Int = 64) {
        (self.messages, self.hellos, self.lines) = (messages, hellos, lines)
        (self.refusals, self.early) = (refusals, early)
    }
}

/// How much has been said on a connection, of each kind that a hub counts.
struct SaidCounts {
    private var (messages, hellos, lines) = (0, 0, 0)

    private static let chat: Set = ["say", "react"]

    mutating func note(_ type: String?) {
        messages += 1
        if type == "hello" { hellos += 1 }
        if let type, Self.chat.contains(type) { lines += 1 }
    }

    func isMore(than count: Int) -> Bool { messages > count }

    /// Whether a message of this type may be refused as `too-fast`; nil: one that is no command.
    func mayBeTooFast(_ type: String?, _ rates: MessageRates) -> Bool {
        if messages > 2 * rates.messages { return true }
        guard let type else { return hellos > 2 * rates.hellos }
        return Self.chat.contains(type) && lines > 2 * rates.lines
    }
}
