import Games
import JSON
import RoomRules
import WebProtocols

/// The chat of a room. It is not part of the log, and is lost when the room sleeps.
struct Chat {
    /// Lines that are kept. `welcome` has all of them.
    static let lineLimit = 50
    static let textLimit = 300
    /// A family emoji with skin tones and joiners is longer than it looks.
    static let emojiSizeLimit = 64
    /// Ids that are remembered, so that no message is sent twice.
    static let recentLimit = 256

    /// A line of text or a reaction.
    enum Message: Equatable {
        case line(String)
        case reaction(String)

        /// Nil for types other than `say` and `react`.
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
            // Scalars count, not characters, since a character may have any number of accents.
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
        /// The player's id, then the client's id of the message.
        let id: String
        let from: PlayerID
        let text: String
        let time: Milliseconds

        var fields: Fields { ["from": .string(from), "text": .string(text), "t": .integer(time)] }
    }

    /// The newest last.
    private(set) var lines: [Line] = []
    private var recent: [String] = []

    /// Adds a message and returns its frame for all members; nil if `id` was used before.
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
    /// Safe to show next to other text: on one line, without leading blanks or marks that change direction.
    public var onOneLine: String {
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        let text = String(
            String.UnicodeScalarView(unicodeScalars.filter { !$0.turnsText }.map { isControl($0) ? " " : $0 }))
        return String(text.drop(while: \.isWhitespace))
    }
}

extension Unicode.Scalar {
    /// Whether it changes the direction of the text after it (UAX #9: embeddings, overrides, isolates). Right-to-left
    /// text needs none of these.
    fileprivate var turnsText: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}
