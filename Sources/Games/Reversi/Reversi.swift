import Cryptography
import JSON

/// Reversi (Othello): a disc must enclose some of the other player's, which turn over. Black, the game's first seat,
/// begins, and the player with more discs at the end wins.
public struct Reversi: Game {
    public static let name = "reversi"
    public static let titles = ["en": "Reversi", "es": "Reversi", "de": "Reversi", "zh": "黑白棋"]
    public static let seats = 2...2
    public static let isDealt = false

    let setup: BoardSetup
    /// Both in order of seats; both play to the end.
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
    var clock: GameClock

    public init(setup: BoardSetup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        precondition(players.count == 2, "Reversi has two players")
        self.setup = setup
        self.players = players
        black = first
        mover = first
        clock = GameClock(at: time)
    }

    public static func options(_ asked: Fields) throws(Rejection) -> Fields {
        _ = try BoardSetup(asked, columns: 8, rows: 8)
        return asked
    }

    public static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> BoardSetup {
        try BoardSetup(options, columns: 8, rows: 8)
    }

    func other(than seat: Seat) -> Seat { players.first { $0 != seat } ?? seat }

    func discs(of seat: Seat) -> UInt64 { seat == mover ? position.own : position.other }

    var isOver: Bool { end != nil || position.isOver }
}
