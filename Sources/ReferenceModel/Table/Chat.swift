/// The chat of a room while it is awake.
struct Chat {
    struct Line: Equatable {
        let from: String
        let text: String
        let time: Int

        init?(_ json: JSON) {
            guard let from = json["from"]?.text, let text = json["text"]?.text, let time = json["t"]?.number else {
                return nil
            }
            (self.from, self.text, self.time) = (from, text, time)
        }

        /// Whether they are the same words of the same player, whenever.
        func isSame(as other: Line) -> Bool { from == other.from && text.hasSameBytes(as: other.text) }

        static func == (one: Line, other: Line) -> Bool { one.isSame(as: other) && one.time == other.time }
    }

    /// Lines that a greeting brings at most.
    static let kept = 50

    /// In the order in which they were first told.
    private(set) var lines: [Line] = []
    /// The commands that have led to a line or a reaction, by who said it and the id.
    private var done: Set<ByteText> = []

    /// Where in `lines` a greeting's end; nil: nowhere.
    func end(of greeted: [Line], from earliest: Int) -> Int? {
        for end in (0...lines.count).reversed() where end >= min(earliest, lines.count) {
            let start = max(0, end - Self.kept)
            if greeted.count == end - start, greeted.elementsEqual(lines[start..<end]) { return end }
        }
        return nil
    }

    /// How many of the lines of a greeting have been told, if those are the newest of them; nil: they are not.
    func known(of greeted: [Line]) -> Int? {
        (0...greeted.count).reversed().first { count in
            (count == lines.count || greeted.count == Self.kept && count < lines.count)
                && greeted.prefix(count).elementsEqual(lines.suffix(count))
        }
    }

    mutating func append(_ line: Line) { lines.append(line) }

    /// Whether a command is remembered.
    func hasDone(_ id: String, of player: String) -> Bool { done.contains(ByteText(player + "/" + id)) }

    /// A command has been done; false: it has been before.
    mutating func take(_ id: String, of player: String) -> Bool { done.insert(ByteText(player + "/" + id)).inserted }
}

extension String {
    /// Without what would turn round the text behind it.
    var withoutTurns: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { scalar in
                    !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                }))
    }
}
