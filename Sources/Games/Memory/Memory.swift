import Cryptography
import JSON

/// Memory (Concentration): cards lie face down, players take turns to turn up two, and two of a kind are won.
///
/// An attempt starts with the first card of a turn and ends with the `match` or the next `turn`. If its player leaves
/// in the middle, it does not count. With `order: free` there are no turns
/// (`Race`), and each attempt counts.
public struct Memory: Game {
    public static let name = "memory"
    public static let titles = ["en": "Memory", "es": "Memoria", "de": "Memory", "zh": "翻牌记忆"]
    public static let seats = 1...8
    public static let isDealt = true
    /// A player is marked away after this many turns in a row that ran out.
    static let expiredTurnsUntilAway = 3

    /// A cell of the board with its card.
    struct Card: Sendable, Equatable {
        enum Side: UInt8, Sendable { case gap, down, up, won }

        static let noFace = UInt8.max

        var side: Side
        /// An index into the theme's faces if the card is up or won, or else `noFace`.
        var face = Card.noFace
        /// The player who won it, as an index into `players`.
        var owner: UInt8 = 0
        /// Whether it has been up and was turned down again. It belongs to the card, not to its face, and moves with
        /// it.
        var isSeen = false
    }

    /// The state of one player.
    struct Player: Sendable, Equatable {
        let seat: Seat
        var score = 0
        /// Attempts, each of which starts with a first card.
        var turns = 0
        var pairs = 0
        /// Turns that ran out since the last one that did not.
        var expiredTurns = 0
        /// Turns without a new card or a pair, since any player's last turn with one.
        var idleTurns = 0
        var isAway = false
        var hasShuffled = false
        /// Time played by a player who left; nil for one who plays.
        var timeUntilLeaving: Milliseconds?

        var isLeft: Bool { timeUntilLeaving != nil }
        /// Whether this player gets turns.
        var isPresent: Bool { !isLeft && !isAway }
    }

    let setup: Setup
    /// The face on each cell, from the seed; empty in a fold of the public log. Only used by `decide` and when events
    /// are read.
    var deck: [UInt8]
    /// The seed's words after the deal, for reshuffles; nil in a fold of the public log.
    var words: RandomWords?
    var cards: [Card]
    /// In the order of turns; never empty.
    var players: [Player]
    /// Whose turn it is, as an index into `players`.
    var current: Int
    /// Whose turn starts next, as an index into `players`; nil during a turn.
    var upNext: Int?
    var turnDeadline: Milliseconds?
    /// The cards of the attempt that are up, in the order in which they were turned.
    var firstUp: Int?
    var secondUp: Int?
    /// When the two cards that are up turn back.
    var revealUntil: Milliseconds?
    /// When the first card of the attempt was shown, by rules with a bonus and while only this card is up.
    var bonusFrom: Milliseconds?
    var hasAttempt = false
    var hasShownNewCard = false
    /// Nil if turns are taken one after another.
    var race: Race?
    var pairsLeft: Int
    var isStalled = false
    /// When the game would have started if the hub had always been running since.
    var startedAt: Milliseconds
    /// When the latest event happened.
    var latest: Milliseconds

    public init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        precondition(!players.isEmpty, "a game needs at least one player")
        let board = setup.board
        self.setup = setup
        (deck, words) = seed.map { Deck.dealt(setup, from: $0) } ?? ([], nil)
        cards = (0..<board.cellCount).map { Card(side: $0 == board.gap ? .gap : .down) }
        self.players = players.map { Player(seat: $0) }
        current = players.firstIndex(of: first) ?? 0
        upNext = current
        race = setup.order == .free ? Race(players: players.count) : nil
        pairsLeft = board.pairs
        startedAt = time
        latest = time
    }

    public static func options(_ asked: Fields) throws(Rejection) -> Fields { try Options(asked).fields }

    public static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> Setup {
        let asked = try Options(options)
        let themes = themes(asked)
        let theme = themes.count > 1 ? themes[draw.number(below: themes.count)] : themes[0]
        return Setup(asked, players: players, theme: theme)
    }

    /// The themes to draw from, or the requested one.
    private static func themes(_ asked: Options) -> [Theme] {
        let name = asked.theme ?? (asked.preset ?? .classic).theme
        if name != Options.randomTheme, let theme = Theme.named(name) { return [theme] }
        return Theme.all.filter { $0.kind != .text }
    }

    /// Nil if the size depends on a theme or a number of pairs that is still to be drawn.
    public static func board(_ options: Fields) -> (columns: Int, rows: Int)? {
        // Options of a room have been checked.
        guard let asked = try? Options(options) else { return nil }
        let setups = themes(asked).map { Setup(asked, players: 1, theme: $0) }
        guard let board = setups.first?.board, setups.allSatisfy({ $0.drawn == nil && $0.board == board }) else {
            return nil
        }
        return (board.columns, board.rows)
    }

    /// Whether only one player is left. Computers count as players.
    var isAlone: Bool { players.count { !$0.isLeft } == 1 }

    func index(of seat: Seat) -> Int? { players.firstIndex { $0.seat == seat } }

    func text(of face: UInt8) -> String { setup.faces.indices.contains(Int(face)) ? setup.faces[Int(face)] : "" }
}
