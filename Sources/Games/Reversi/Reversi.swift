import Cryptography
import JSON

/// Reversi (Othello): a disc must enclose some of the other player's, which turn over. Black, the game's first seat,
/// begins, and the player with more discs at the end wins.
public struct Reversi: BoardGame {
    public static let name = "reversi"
    public static let titles = ["en": "Reversi", "es": "Reversi", "de": "Reversi", "zh": "黑白棋"]
    static let (columns, rows) = (8, 8)

    let setup: BoardSetup
    let players: [Seat]
    let black: Seat
    /// As the player to move sees it.
    var position = Position.start
    var mover: Seat
    /// Every disc placed, in order: the game's record.
    var placed: [UInt8] = []
    /// The discs that the newest one flipped.
    var flipped: UInt64 = 0
    var end: EarlyEnd?
    var hasTurn = false
    var clock: GameClock

    public init(setup: BoardSetup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        precondition(players.count == 2, "Reversi has two players")
        self.setup = setup
        self.players = players
        black = first
        mover = first
        clock = GameClock(at: time)
    }

    func discs(of seat: Seat) -> UInt64 { seat == mover ? position.own : position.other }

    var isDecided: Bool { position.isOver }
}
