import JSON

extension Memory {
    /// Bundles of options with familiar names. Every option can be combined with a preset.
    enum Preset: String, CaseIterable, Sendable {
        case classic, easy, medium, hard, memorize, custom

        /// The rule that fits its name.
        var rule: Rule {
            switch self {
            case .classic, .custom: .pairs
            case .easy: .easy
            case .medium: .medium
            case .hard: .hard
            case .memorize: .memorize
            }
        }

        /// Nil if the theme decides the number of pairs.
        var sides: (columns: Int, rows: Int)? {
            switch self {
            case .classic, .custom: (4, 4)
            case .easy: (2, 5)
            case .medium: (2, 7)
            case .hard: (4, 5)
            case .memorize: nil
            }
        }

        var theme: String { self == .memorize ? Options.randomTheme : Options.defaultTheme }

        var matched: Matched {
            switch self {
            case .easy, .medium, .hard: .vanish
            case .classic, .memorize, .custom: .stay
            }
        }
    }

    /// Who has the next turn after a match.
    enum TurnRule: String, CaseIterable, Sendable { case again, alternate }

    /// Whether matched cards stay face up or leave the board.
    enum Matched: String, CaseIterable, Sendable { case stay, vanish }

    /// The requested options of a room; nil for those that were not requested.
    struct Options: Equatable {
        var seats: Int?
        /// Seconds; 0 is off.
        var turnTime: Int?
        var preset: Preset?
        var columns: Int?
        var rows: Int?
        var pairs: Int?
        var theme: String?
        var rule: Rule?
        var turnRule: TurnRule?
        var reveal: Milliseconds?
        var matched: Matched?
        var order: Order?

        static let names = [
            "seats", "turnTime", "preset", "columns", "rows", "pairs", "theme", "rule", "turnRule", "reveal", "matched",
            "order",
        ]
        /// In seconds, what a player has for the second card if everybody turns at once.
        static let secondCardRange = 5...60
        static let defaultSecondCardTime = 5
        static let revealRange = 200...10_000
        static let defaultReveal: Milliseconds = 1_000
        static let defaultTheme = "animals"
        /// Stands for a theme drawn for each game.
        static let randomTheme = "random"

        init(_ asked: Fields) throws(Rejection) {
            let reader = try OptionReader(asked, known: Options.names)
            seats = try reader.integer("seats", in: Memory.seats)
            order = try reader.choice("order", of: Order.self)
            turnTime =
                order == .free
                ? try reader.integer(
                    "turnTime", in: Options.secondCardRange, off: 0, unit: " seconds if order is free")
                : try reader.integer("turnTime", in: TurnTime.range, off: 0, unit: " seconds")
            preset = try reader.choice("preset", of: Preset.self)
            columns = try reader.integer("columns", in: Board.columnRange)
            rows = try reader.integer("rows", in: Board.rowRange)
            pairs = try reader.integer("pairs", in: Board.pairRange)
            theme = try reader.choice("theme", of: Theme.all.map(\.name) + [Options.randomTheme])
            rule = try reader.choice("rule", of: Rule.self)
            turnRule = try reader.choice("turnRule", of: TurnRule.self)
            reveal = try reader.integer("reveal", in: Options.revealRange, unit: " milliseconds")
            matched = try reader.choice("matched", of: Matched.self)
            try reader.refuse("pairs", beside: ["columns", "rows"])
            if order == .free { try reader.refuse("turnRule", beside: ["order"]) }
        }

        /// The requested options, in the order of `names`.
        var fields: Fields {
            var fields = Fields()
            fields["seats"] = seats.map { .integer($0) }
            fields["turnTime"] = turnTime.map { .integer($0) }
            fields["preset"] = preset.map { .string($0.rawValue) }
            fields["columns"] = columns.map { .integer($0) }
            fields["rows"] = rows.map { .integer($0) }
            fields["pairs"] = pairs.map { .integer($0) }
            fields["theme"] = theme.map { .string($0) }
            fields["rule"] = rule.map { .string($0.rawValue) }
            fields["turnRule"] = turnRule.map { .string($0.rawValue) }
            fields["reveal"] = reveal.map { .integer($0) }
            fields["matched"] = matched.map { .string($0.rawValue) }
            fields["order"] = order.map { .string($0.rawValue) }
            return fields
        }
    }
}
