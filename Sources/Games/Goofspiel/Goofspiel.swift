import Cryptography
import JSON

/// Goofspiel, also called the Game of Pure Strategy: prizes are turned up one after another, and all players bid for
/// each at once with a card of their own. The highest bid that no other player has made too wins what is at stake.
///
/// A bid is sealed until all have bid. A fold of the public log knows who has bid, but not which card. A player who
/// resigns, leaves or lets three bids in a row run out of time is out and keeps the prizes.
public struct Goofspiel: EliminationGame {
    public static let name = "goofspiel"
    public static let titles = ["en": "Goofspiel", "es": "Goofspiel", "de": "Goofspiel", "zh": "Goofspiel"]
    public static let seats = 2...5
    public static let isDealt = true
    /// A player is out after this many bids in a row that ran out of time.
    static let mostLateBids = 3

    /// A bid that everyone has seen.
    public struct Bid: Sendable, Equatable {
        let seat: Seat
        let card: Int
        /// Whether the game made it, since the player's time ran out.
        let isLate: Bool
    }

    struct Round: Sendable, Equatable {
        let prize: Int
        /// The sum of this prize and of those that no one won before it.
        let stake: Int
        /// In the order of turns.
        let bids: [Bid]
        /// Nil if each of the bids was made twice or more.
        let winner: Seat?
    }

    /// A bid that is still sealed, or that the game will make.
    enum PendingBid: Sendable, Equatable {
        /// The card is nil in a fold of the public log.
        case sealed(card: Int?)
        case late
    }

    let setup: Setup
    let players: [Seat]
    /// All prizes in the order in which they are turned up; nil in a fold of the public log. Only used to decide, and
    /// when events are read.
    let prizes: [Int]?
    /// The prizes that were not turned up yet.
    var prizesLeft: Cards
    /// The one that all bid for; nil between rounds, before the first and after the last.
    var prize: Int?
    /// The sum of `prize` and of those that no one won before it.
    var stake = 0
    /// The cards that each player has not shown yet.
    var hands: [Seat: Cards]
    var pending: [Seat: PendingBid] = [:]
    var rounds: [Round] = []
    /// Bids in a row that ran out of time, of each player who is not out; no zeros.
    var late: [Seat: Int] = [:]
    public internal(set) var hasMoves = false
    var exits: [Exit] = []
    var left: Set<Seat> = []
    var clock: GameClock

    public init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        precondition(players.count > 1, "goofspiel has two players or more")
        self.setup = setup
        self.players = players
        prizes = seed.map { Self.prizes(setup.cards, seed: $0) }
        prizesLeft = Cards(upTo: setup.cards)
        hands = Dictionary(uniqueKeysWithValues: players.map { ($0, Cards(upTo: setup.cards)) })
        clock = GameClock(at: time)
    }

    /// The prizes in the order in which they are turned up. The seed's words shuffle them in ascending order.
    static func prizes(_ count: Int, seed: Digest) -> [Int] {
        var words = RandomWords(seed: seed)
        var prizes = Array(1...count)
        words.shuffle(&prizes)
        return prizes
    }

    public static func options(_ asked: Fields) throws(Rejection) -> Fields {
        _ = try Setup(asked)
        return asked
    }

    public static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> Setup {
        try Setup(options)
    }

    var isOver: Bool { rounds.count == setup.cards || isEndedEarly }

    func score(of seat: Seat) -> Int { rounds.reduce(0) { $1.winner == seat ? $0 + $1.stake : $0 } }

    /// Also those who are late, until the game shows what it bids for them.
    public var awaited: Set<Seat> { prize == nil || isOver ? [] : Set(playing.filter { !hasBid($0) }) }

    /// Who may still bid, in the order of turns.
    var undecided: [Seat] { prize == nil || isOver ? [] : playing.filter { pending[$0] == nil } }

    /// Whether the player of `seat` has a sealed bid in this round.
    func hasBid(_ seat: Seat) -> Bool { if case .sealed = pending[seat] { true } else { false } }

    func cards(of seat: Seat) -> Cards { hands[seat] ?? Cards() }
}
