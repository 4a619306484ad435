import Games
import JSON
import RoomRules
import WebProtocols

/// What people say in a room: not part of its log, and gone when the room sleeps.
struct Chat {
    /// The newest lines, which `welcome` brings.
    static let lineLimit = 50
    static let textLimit = 300
    /// A family of emoji with skins and joiners is longer than one would think.
    static let emojiSizeLimit = 64
    /// Ids of what was said that are remembered, so that nothing is said twice.
    static let recentLimit = 256

    /// What somebody says.
    enum Message: Equatable {
        case line(String)
        case reaction(String)

        /// Nil of messages that are neither `say` nor `react`.
        init?(type: String, fields: Fields) throws(Rejection) {
            switch ChatMessageKind(rawValue: type) {
            case .say: self = .line(try Self.text(fields))
            case .react: self = .reaction(try Self.emoji(fields))
            case nil: return nil
            }
        }

        private static func text(_ fields: Fields) throws(Rejection) -> String {
            guard let raw = fields["text"]?.string else { throw .badField("text", "a string") }
            let text = raw.onOneLine
            guard !text.isEmpty else { throw .badField("text", "more than blanks") }
            // A character may bear any number of accents: scalars count, not characters.
            guard text.unicodeScalars.count <= textLimit else {
                throw .badField("text", "at most \(textLimit) characters long")
            }
            return text
        }

        private static func emoji(_ fields: Fields) throws(Rejection) -> String {
            guard let emoji = fields["emoji"]?.string, emoji.count == 1, emoji.utf8.count <= emojiSizeLimit,
                emoji.allSatisfy(\.isEmoji)
            else { throw .badField("emoji", "one emoji") }
            return emoji
        }
    }

    struct Line: Equatable {
        /// The player's id, and how the client called it.
        let id: String
        let from: PlayerID
        let text: String
        let time: Milliseconds

        var fields: Fields { ["from": .string(from), "text": .string(text), "t": .integer(time)] }
    }

    /// The newest last.
    private(set) var lines: [Line] = []
    private var recent: [String] = []

    /// Notes what was said under `id`; nil if it was said before. What is to be sent to everybody.
    mutating func add(_ message: Message, from player: PlayerID, id: String, at time: Milliseconds) -> Frame? {
        guard !recent.contains(id), !lines.contains(where: { $0.id == id }) else { return nil }
        recent.append(id)
        if recent.count > Self.recentLimit { recent.removeFirst() }
        switch message {
        case .line(let text):
            let line = Line(id: id, from: player, text: text, time: time)
            lines.append(line)
            if lines.count > Self.lineLimit { lines.removeFirst() }
            return HubMessage.chat(line)
        case .reaction(let emoji): return HubMessage.reaction(emoji, from: player)
        }
    }
}

extension String {
    /// Without what breaks lines or turns text round: so it can be shown beside other text. No blanks before it.
    public var onOneLine: String {
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        let text = String(
            String.UnicodeScalarView(unicodeScalars.filter { !$0.turnsText }.map { isControl($0) ? " " : $0 }))
        return String(text.drop(while: \.isWhitespace))
    }
}

extension Unicode.Scalar {
    /// Whether it turns round what follows it, until something ends that (UAX #9: embeddings, overrides, isolates).
    /// Text that runs from right to left does so without.
    fileprivate var turnsText: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}
