/// Memory: cards in pairs, face down; who turns up two of a kind wins them.
struct MemoryModel: GameModel {
    /// What a player has, beside what `players` knows.
    struct Hand: Sendable {
        var turns = 0
        var won = 0
        /// Turns in a row that ran out.
        var expired = 0
        /// Turns since a new card or a pair was last seen.
        var idle = 0
        var hasShuffled = false
        var isAway = false
    }

    /// A cell's side; won by the player of index n: `won` + n.
    enum Side {
        static let down: UInt8 = 0
        static let up: UInt8 = 1
        static let gap: UInt8 = 2
        static let won: UInt8 = 3
    }

    let started: JSON
    let board: MemoryBoard
    let rule: MemoryRule
    let isAlternating: Bool
    /// Milliseconds.
    let reveal: Int
    /// Milliseconds; 0: no limit.
    let turnTime: Int
    let faces: [String]
    let serverSeed: [UInt8]

    var players: Players
    var draw: Draw
    /// By cell: which of `faces` its card has.
    var cards: [UInt8]
    var sides: [UInt8]
    /// By cell: its card has been up, and was turned down again.
    var isKnown: [Bool]
    /// The cards that are up; -1: none.
    var (first, second) = (-1, -1)
    /// In the order of turns, as `hands`.
    var scores: [SeatNumber]
    var hands: [Hand]
    /// Whose turn it is, in that order.
    var current: Int
    var deadline: Int?
    var revealUntil: Int?
    var bonusFrom: Int?
    var pairsLeft: Int
    /// A first card has been shown since the last turn or match.
    var isAttempting = false
    /// A card that was not known has been shown since the last turn or match.
    var hasShownNew = false
    var hasMoved = false
    var isStalled = false
    var isOver = false
    /// Moved on by time that did not count.
    var startedAt: Int

    init(_ started: JSON, _ deal: Deal) throws(BrokenPromise) {
        self.started = started
        players = try Players(started)
        guard let serverSeed = deal.serverSeed else {
            throw BrokenPromise(beginning, "a game of Memory without a seed")
        }
        self.serverSeed = serverSeed
        guard let time = started["t"]?.number else { throw BrokenPromise(beginning, "it has no time: \(started)") }
        faces = try Self.faces(of: started)
        var draw: Draw? = Draw(serverSeed: serverSeed, nonces: players.nonces)
        board = try MemoryBoard.check(
            started, asked: deal.asked, people: players.humans, faces: faces.count, draw: &draw)
        let options = started["options"] ?? .null
        guard let rule = options["rule"]?.text.flatMap({ MemoryRule(rawValue: $0) }),
            let reveal = options["reveal"]?.number, let turnTime = options["turnTime"]?.number,
            players.count <= options["seats"]?.number ?? 0
        else { throw BrokenPromise(beginning, "its options are none, or it has more players than seats: \(started)") }
        (self.rule, self.reveal, self.turnTime) = (rule, reveal, turnTime * 1_000)
        isAlternating = options["turnRule"] == "alternate"

        var words = draw ?? Draw(serverSeed: serverSeed, nonces: players.nonces)
        (cards, sides) = Self.deal(board, faces: faces.count, &words)
        self.draw = words
        isKnown = [Bool](repeating: false, count: board.cells)
        hands = players.all.map { _ in Hand() }
        scores = players.all.map { SeatNumber($0.seat, 0) }
        current = started["first"]?.number.flatMap { [players] in players.index(of: $0) } ?? 0
        pairsLeft = board.pairs
        startedAt = time
    }

    /// What `dealing` fixes before the seed is known.
    static func check(_ dealing: JSON, asked: JSON) throws(BrokenPromise) {
        let (players, faces) = (try Players(dealing), try faces(of: dealing))
        var draw: Draw?
        _ = try MemoryBoard.check(dealing, asked: asked, people: players.humans, faces: faces.count, draw: &draw)
    }

    private static func faces(of started: JSON) throws(BrokenPromise) -> [String] {
        let theme = started["theme"]?["faces"]?.list ?? []
        let faces = theme.compactMap(\.text)
        guard faces.count == theme.count, (3...255).contains(faces.count), Set(faces).count == faces.count else {
            throw BrokenPromise(beginning, "its theme has no 3 to 255 faces: \(started)")
        }
        return faces
    }

    /// The card and the side of each cell.
    private static func deal(_ board: MemoryBoard, faces: Int, _ draw: inout Draw) -> (cards: [UInt8], sides: [UInt8]) {
        var order = (0..<faces).map { UInt8($0) }
        draw.shuffle(&order)
        var deck = order.prefix(board.pairs).flatMap { [$0, $0] }
        draw.shuffle(&deck)
        var sides = [UInt8](repeating: Side.down, count: board.cells)
        if let gap = board.gap {
            deck.insert(UInt8.max, at: gap)
            sides[gap] = Side.gap
        }
        return (deck, sides)
    }

    var game: String { "memory" }

    var mode: String { "\(rule.rawValue)-\(board.columns)x\(board.rows)" }

    var seats: [Int] { players.seats }
    var turn: Int { players[current].seat }
    var waitsForMove: Bool { !isOver && revealUntil == nil }
    var due: Int? { isOver ? nil : revealUntil ?? deadline }
    var away: [Int] { seats.indices.filter { hands[$0].isAway }.map { seats[$0] } }
    var left: [Int] { players.all.filter { $0.playedFor != nil }.map(\.seat) }

    var view: JSON {
        func bySeat(_ number: (Hand) -> Int) -> JSON {
            .bySeat(hands.indices.map { SeatNumber(players[$0].seat, number(hands[$0])) })
        }
        let theme = started["theme"]?.members?.filter { $0.name != "faces" } ?? []
        var members: [JSON.Member] = [
            .init("columns", .number(board.columns)), .init("rows", .number(board.rows)),
            .init("pairs", .number(board.pairs)), .init("theme", .object(theme)),
            .init("options", started["options"] ?? .null), .init("cells", .list(sides.indices.map(cell))),
            .init("up", .numbers([first, second].filter { $0 >= 0 })), .init("seats", .numbers(seats)),
            .init("away", .numbers(away)), .init("left", .numbers(left)),
            .init("shuffled", .numbers(seats.indices.filter { hands[$0].hasShuffled }.map { seats[$0] })),
            .init("turn", .number(turn)), .init("scores", .bySeat(scores)), .init("turns", bySeat(\.turns)),
            .init("won", bySeat(\.won)), .init("pairsLeft", .number(pairsLeft)),
        ]
        for (name, value) in [
            ("gap", board.gap), ("deadline", deadline), ("revealUntil", revealUntil), ("bonusFrom", bonusFrom),
        ] {
            if let value { members.append(.init(name, .number(value))) }
        }
        return .object(members)
    }

    private func cell(_ cell: Int) -> JSON {
        switch sides[cell] {
        case Side.down: ["state": "down"]
        case Side.up: ["state": "up", "face": .text(face(cell))]
        case Side.gap: ["state": "gap"]
        case let side:
            ["state": "won", "face": .text(face(cell)), "by": .number(players[Int(side - Side.won)].seat)]
        }
    }

    func face(_ cell: Int) -> String { faces[Int(cards[cell])] }
}

private let beginning = "a game begins as its room and its rules say"
