import Cryptography
import JSON

extension Memory {
    /// What is fixed when a game starts.
    ///
    /// `options` has every option resolved: `theme` is the drawn one, `rule` the one in use, and `columns`, `rows` and
    /// `pairs` are the board's (so the object cannot be sent as a request). `order` is only there if it is `free`.
    /// `fields` has `theme` {name, faces in order, colour: a list of names, more than one for a gradient, kind?:
    /// `emoji`, `pictures` or `text`} and `board` {columns, rows, pairs, gap? (the cell without a card), drawn?
    /// ([least, most] if the number of pairs was drawn from the game's seed)}.
    public struct Setup: GameSetup {
        let seats: Int
        let turnTime: TurnTime
        let preset: Preset
        let themeName: String
        let faces: [String]
        let colour: [String]
        /// Nil if the game's log does not say.
        let kind: Theme.Kind?
        let rule: Rule
        let order: Order
        let turnRule: TurnRule
        let reveal: Milliseconds
        let matched: Matched
        /// If the number of pairs is drawn, this is the largest possible board until the game is dealt.
        private(set) var board: Board
        /// The range of the number of pairs, which is drawn before anything else from the game's seed; nil if it is
        /// fixed.
        let drawn: ClosedRange<Int>?

        init(_ asked: Options, players: Int, theme: Theme) {
            let isShaped = asked.columns != nil || asked.rows != nil || asked.pairs != nil
            let preset = asked.preset ?? (isShaped ? .custom : .classic)
            (board, drawn) = Setup.board(asked, preset: preset, theme: theme)
            self.preset = preset
            seats = asked.seats ?? Memory.seats.upperBound
            order = asked.order ?? .turns
            turnTime = TurnTime(seconds: asked.turnTime ?? Setup.turnTime(order, players: players))
            themeName = theme.name
            faces = theme.faces
            colour = theme.colour
            kind = theme.kind
            rule = asked.rule ?? preset.rule
            turnRule = asked.turnRule ?? .again
            reveal = asked.reveal ?? Options.defaultReveal
            matched = asked.matched ?? preset.matched
        }

        /// Includes a drawn number of pairs, since more pairs are worth more and take longer.
        public var mode: String {
            "\(order == .free ? "free-" : "")\(rule.rawValue)-\(board.columns)x\(board.rows)"
        }

        private static func turnTime(_ order: Order, players: Int) -> Int {
            switch order {
            // A single player keeps no one waiting.
            case .turns: players > 1 ? TurnTime.usual : 0
            case .free: Options.defaultSecondCardTime
            }
        }

        public func dealt(from seed: Digest) -> Setup {
            guard let drawn else { return self }
            var words = RandomWords(seed: seed)
            var dealt = self
            dealt.board = Board(pairs: Deck.pairCount(drawn, &words))
            return dealt
        }

        private static func board(_ asked: Options, preset: Preset, theme: Theme) -> (Board, ClosedRange<Int>?) {
            let most = min(theme.faces.count, Board.pairRange.upperBound)
            if let pairs = asked.pairs { return (Board(pairs: min(pairs, most)), nil) }
            if let sides = preset.sides ?? (asked.columns != nil || asked.rows != nil ? Preset.custom.sides : nil) {
                let board = Board(columns: asked.columns ?? sides.columns, rows: asked.rows ?? sides.rows)
                if let board, board.pairs <= most { return (board, nil) }
                return (Board(pairs: most), nil)
            }
            switch theme.pairs {
            case .all: return (Board(pairs: most), nil)
            case .fixed(let pairs): return (Board(pairs: min(pairs, most)), nil)
            case .drawn(let range):
                let range = range.clamped(to: Board.pairRange.lowerBound...most)
                return (Board(pairs: range.upperBound), range)
            }
        }
    }
}

extension Memory.Setup {
    public var options: Fields {
        var options: Fields = [
            "seats": .integer(seats), "turnTime": turnTime.value, "preset": .string(preset.rawValue),
            "columns": .integer(board.columns), "rows": .integer(board.rows), "pairs": .integer(board.pairs),
            "theme": .string(themeName), "rule": .string(rule.rawValue), "turnRule": .string(turnRule.rawValue),
            "reveal": .integer(reveal), "matched": .string(matched.rawValue),
        ]
        if order == .free { options["order"] = .string(order.rawValue) }
        return options
    }

    public var fields: Fields {
        var shape: Fields = [
            "columns": .integer(board.columns), "rows": .integer(board.rows), "pairs": .integer(board.pairs),
        ]
        shape["gap"] = board.gap.map { .integer($0) }
        shape["drawn"] = drawn.map { .integers([$0.lowerBound, $0.upperBound]) }
        var theme: Fields = ["name": .string(themeName), "faces": .strings(faces), "colour": .strings(colour)]
        theme["kind"] = kind.map { .string($0.rawValue) }
        return ["theme": .object(theme), "board": .object(shape)]
    }

    public init?(options: Fields, fields: Fields) {
        guard let seats = options["seats"]?.integer, Memory.seats.contains(seats),
            let order = Memory.Order(rawValue: options["order"]?.string ?? Memory.Order.turns.rawValue),
            options["order"] == nil || order == .free, let turnTime = options["turnTime"]?.integer,
            (0...(order == .free ? Memory.Options.secondCardRange : TurnTime.range).upperBound)
                .contains(turnTime),
            let preset = options["preset"]?.string.flatMap({ Memory.Preset(rawValue: $0) }),
            let rule = options["rule"]?.string.flatMap({ Memory.Rule(rawValue: $0) }),
            let turnRule = options["turnRule"]?.string.flatMap({ Memory.TurnRule(rawValue: $0) }),
            let reveal = options["reveal"]?.integer, Memory.Options.revealRange.contains(reveal),
            let matched = options["matched"]?.string.flatMap({ Memory.Matched(rawValue: $0) }),
            let theme = fields["theme"]?.object, let themeName = theme["name"]?.string,
            let faces = theme["faces"]?.strings, let colour = theme["colour"]?.strings,
            let shape = fields["board"]?.object, let columns = shape["columns"]?.integer,
            let rows = shape["rows"]?.integer, let board = Memory.Board(columns: columns, rows: rows),
            faces.count >= board.pairs, faces.count <= Theme.mostFaces, Set(faces).count == faces.count
        else { return nil }
        self.seats = seats
        self.turnTime = TurnTime(seconds: turnTime)
        self.preset = preset
        self.themeName = themeName
        self.faces = faces
        self.colour = colour
        kind = theme["kind"]?.string.flatMap { Theme.Kind(rawValue: $0) }
        self.rule = rule
        self.order = order
        self.turnRule = turnRule
        self.reveal = reveal
        self.matched = matched
        self.board = board
        switch shape["drawn"] {
        case nil: drawn = nil
        case let range?:
            guard let ends = range.integers, ends.count == 2, ends[0] >= Memory.Board.pairRange.lowerBound,
                ends[0] <= ends[1], ends[1] <= faces.count
            else { return nil }
            drawn = ends[0]...ends[1]
        }
    }
}
