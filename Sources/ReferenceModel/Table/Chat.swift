import JSON

/// The chat of a room while it is awake.
struct Chat {
    struct Line: Equatable {
        let from: String
        let text: String
        let time: Int

        init?(_ json: Value) {
            guard let from = json["from"]?.string, let text = json["text"]?.string, let time = json["t"]?.integer else {
                return nil
            }
            (self.from, self.text, self.time) = (from, text, time)
        }

        /// Whether they are the same words of the same player, at any time.
        func isSame(as other: Line) -> Bool { from == other.from && text.hasSameBytes(as: other.text) }

        static func == (one: Line, other: Line) -> Bool { one.isSame(as: other) && one.time == other.time }
    }

    /// Most lines in a greeting.
    static let kept = 50

    /// In the order in which they were first sent.
    private(set) var lines: [Line] = []
    /// The commands that made a line or a reaction, by player and id.
    private var done: Set<ByteText> = []

    /// Where in `lines` a greeting's lines end; nil if nowhere.
    func end(of greeted: [Line], from earliest: Int) -> Int? {
        for end in (0...lines.count).reversed() where end >= min(earliest, lines.count) {
            let start = max(0, end - Self.kept)
            if greeted.count == end - start, greeted.elementsEqual(lines[start..<end]) { return end }
        }
        return nil
    }

    /// How many of a greeting's lines have been sent, if those are the newest of them; nil otherwise.
    func known(of greeted: [Line]) -> Int? {
        (0...greeted.count).reversed().first { count in
            (count == lines.count || greeted.count == Self.kept && count < lines.count)
                && greeted.prefix(count).elementsEqual(lines.suffix(count))
        }
    }

    mutating func append(_ line: Line) { lines.append(line) }

    func hasDone(_ id: String, of player: String) -> Bool { done.contains(ByteText(player + "/" + id)) }

    /// Remembers a command; false if it was done before.
    mutating func rememberCommand(_ id: String, of player: String) -> Bool {
        done.insert(ByteText(player + "/" + id)).inserted
    }
}

extension String {
    /// Without characters that reverse the text after them.
    var withoutTurns: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { scalar in
                    !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                }))
    }
}
