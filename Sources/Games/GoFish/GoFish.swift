import Cryptography
import JSON

/// Go Fish: players ask each other for cards of a rank that they hold, and lay down books of a rank. A player who asks
/// in vain draws a card from the pond. The player with the most books wins.
///
/// Each hand is known only to its player. A fold of the public log, which has no seed, knows how many cards each player
/// has. A player who resigns, leaves or lets three turns in a row run out is out and keeps the books; the hand goes
/// under the pond.
public struct GoFish: EliminationGame {
    public static let name = "go-fish"
    public static let titles = ["en": "Go Fish", "es": "A pescar", "de": "Go Fish", "zh": "钓鱼"]
    public static let seats = 2...6
    public static let isDealt = true
    /// A player is out after this many turns in a row that ran out.
    static let mostLateTurns = 3
    /// With an empty pond the game ends after this many turns for each player in which nothing changed.
    static let idleRounds = 10

    /// The newest question.
    struct Question: Sendable, Equatable {
        let asker: Seat
        let asked: Seat
        let rank: Rank
        /// The cards that the asker got.
        let count: Int
        /// Whether the asker drew a card because of it.
        var hasDrawn = false
        /// Whether that card was of the same rank.
        var isLucky = false
    }

    struct Book: Sendable, Equatable {
        let seat: Seat
        let rank: Rank
    }

    enum Stage: Sendable, Equatable {
        /// `mover` is to ask.
        case asking
        /// `mover` has asked in vain and draws.
        case fishing
        /// Books, cards for empty hands and the next turn follow. `mover` may have another turn.
        case settling(again: Bool)
    }

    let setup: Setup
    let players: [Seat]
    /// The cards themselves; nil in a fold of the public log. Only used by `decide`, `hand` and when events are read.
    var deck: Deck?
    /// How many cards each player has.
    var counts: [Seat: Int]
    /// How many cards the pond has.
    var pond: Int
    var stage = Stage.settling(again: true)
    /// Whose turn it is, or was last.
    var mover: Seat
    /// Books and cards for empty hands follow the order of turns from this player on.
    var origin: Seat
    /// In the order in which they were laid down.
    var books: [Book] = []
    var last: Question?
    /// Turns in a row that ran out, of each player who is not out; no zeros.
    var late: [Seat: Int] = [:]
    /// Turns that ended since a card moved or a book was laid down.
    var idleTurns = 0
    var isStalled = false
    var exits: [Exit] = []
    var left: Set<Seat> = []
    var clock: GameClock

    public init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        precondition(players.count > 1, "go fish has two players or more")
        self.setup = setup
        self.players = players
        (mover, origin) = (first, players[0])
        let size = Deck.handSize(players: players.count)
        counts = Dictionary(uniqueKeysWithValues: players.map { ($0, size) })
        pond = Deck.size - size * players.count
        deck = seed.map { Deck(players: players, seed: $0) }
        clock = GameClock(at: time)
    }

    public static func options(_ asked: Fields) throws(Rejection) -> Fields {
        _ = try Setup(asked)
        return asked
    }

    public static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> Setup {
        try Setup(options)
    }

    var isOver: Bool { isEndedEarly || isStalled || isFinished }
    /// All books are laid down.
    private var isFinished: Bool { pond == 0 && counts.values.allSatisfy { $0 == 0 } }

    public var awaited: Set<Seat> { stage == .asking && !isOver ? [mover] : [] }

    func count(of seat: Seat) -> Int { counts[seat] ?? 0 }
    func score(of seat: Seat) -> Int { books.count { $0.seat == seat } }
    /// How many cards of a rank are not in books.
    func cardsLeft(of rank: Rank) -> Int { 4 - setup.books.size * books.count { $0.rank == rank } }
}
