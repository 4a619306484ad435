/// The board of a game of Memory, and the options that it was made from.
struct MemoryBoard: Sendable, Equatable {
    let columns: Int
    let rows: Int

    var cells: Int { columns * rows }
    var pairs: Int { cells / 2 }
    /// The cell without a card, of an odd number of cells.
    var gap: Int? { cells % 2 == 0 ? nil : cells / 2 }

    init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

    /// The board for so many pairs: the next lower number that fits one, rather without a gap, then as square as it can
    /// be, then not wider than high.
    init(fitting pairs: Int) {
        for count in stride(from: min(pairs, 48), through: 3, by: -1) {
            for cells in [2 * count, 2 * count + 1] {
                let boards = (2...8).filter { cells % $0 == 0 && (3...12).contains(cells / $0) }
                    .map { MemoryBoard(columns: $0, rows: cells / $0) }
                let best = boards.min { ($0.lengthening, $0.columns) < ($1.lengthening, $1.columns) }
                if let best {
                    self = best
                    return
                }
            }
        }
        self.init(columns: 2, rows: 3)
    }

    private var lengthening: Int { abs(columns - rows) }

    /// The board that `game-started` shows, which must be, as its options, what was asked for. `draw`: from which a
    /// number of pairs is drawn, if it is; nil: that is still to come, and the largest that may come of it is shown.
    static func check(
        _ started: JSON, asked: JSON, people: Int, faces: Int, draw: inout Draw?
    ) throws(BrokenPromise) -> MemoryBoard {
        guard let options = started["options"], let shown = started["board"] else {
            throw BrokenPromise(rule, "it has no options, or no board: \(started)")
        }
        let isShaped = ["columns", "rows", "pairs"].contains { asked[$0] != nil }
        let preset = asked["preset"]?.text ?? (isShaped ? "custom" : "classic")
        var range: JSON?
        let most = min(faces, 48)
        let board: MemoryBoard
        if let size = size(asked, preset: preset) {
            board = size.pairs <= most && asked["pairs"] == nil ? size : MemoryBoard(fitting: min(size.pairs, most))
        } else if let drawn = shown["drawn"] {
            guard let ends = drawn.list?.compactMap(\.number), ends.count == 2, 3 <= ends[0], ends[0] <= ends[1],
                ends[1] <= most
            else { throw BrokenPromise(rule, "pairs are drawn from \(drawn), of \(faces) faces") }
            range = drawn
            board = MemoryBoard(fitting: draw?.number(in: ends[0]...ends[1]) ?? ends[1])
        } else {
            // The theme says how many, and its file is not the protocol's.
            guard let pairs = shown["pairs"]?.number, (3...most).contains(pairs) else {
                throw BrokenPromise(rule, "\(faces) faces make no such board: \(shown)")
            }
            board = MemoryBoard(fitting: pairs)
        }
        try compare("board", shown, board.json(drawn: range))
        let theme = asked["theme"]?.text ?? (preset == "memorize" ? "random" : "animals")
        guard let name = started["theme"]?["name"]?.text, theme == "random" || theme == name else {
            throw BrokenPromise(rule, "the theme is not \(theme): \(started)")
        }
        let isHarder = ["easy", "medium", "hard"].contains(preset)
        let rules = ["easy": "easy", "medium": "medium", "hard": "hard", "memorize": "memorize"]
        let resolved: JSON = [
            "seats": asked["seats"] ?? 8, "turnTime": .number(RoomOptions.turnTime(asked, people: people)),
            "preset": .text(preset), "columns": .number(board.columns), "rows": .number(board.rows),
            "pairs": .number(board.pairs), "theme": .text(name),
            "rule": asked["rule"] ?? .text(rules[preset] ?? "pairs"), "turnRule": asked["turnRule"] ?? "again",
            "reveal": asked["reveal"] ?? 1_000, "matched": asked["matched"] ?? (isHarder ? "vanish" : "stay"),
        ]
        try compare("options", options, resolved)
        return board
    }

    /// Nil: the theme says how many pairs there are.
    private static func size(_ asked: JSON, preset: String) -> MemoryBoard? {
        if let pairs = asked["pairs"]?.number { return MemoryBoard(fitting: pairs) }
        let usual: MemoryBoard? =
            switch preset {
            case "classic", "custom": MemoryBoard(columns: 4, rows: 4)
            case "easy": MemoryBoard(columns: 2, rows: 5)
            case "medium": MemoryBoard(columns: 2, rows: 7)
            case "hard": MemoryBoard(columns: 4, rows: 5)
            default: nil
            }
        let (columns, rows) = (asked["columns"]?.number, asked["rows"]?.number)
        guard let usual else {
            return columns ?? rows == nil ? nil : MemoryBoard(columns: columns ?? 4, rows: rows ?? 4)
        }
        return MemoryBoard(columns: columns ?? usual.columns, rows: rows ?? usual.rows)
    }

    private func json(drawn: JSON?) -> JSON {
        var members: [JSON.Member] = [
            .init("columns", .number(columns)), .init("rows", .number(rows)), .init("pairs", .number(pairs)),
        ]
        if let gap { members.append(.init("gap", .number(gap))) }
        if let drawn { members.append(.init("drawn", drawn)) }
        return .object(members)
    }

    private static func compare(_ what: String, _ found: JSON, _ expected: JSON) throws(BrokenPromise) {
        guard let difference = expected.difference(from: found) else { return }
        throw BrokenPromise(rule, "of its \(what), \(difference)")
    }
}

private let rule = "a game begins as its room and its rules say"
