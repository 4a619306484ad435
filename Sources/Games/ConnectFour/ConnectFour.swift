import Cryptography
import JSON

/// Connect four: discs fall into the columns of an upright board of 7 by 6, and four in a row win. The game's first
/// seat begins.
public struct ConnectFour: BoardGame {
    public static let name = "connect-four"
    public static let titles = ["en": "Connect four", "es": "Cuatro en línea", "de": "Vier gewinnt", "zh": "四子棋"]
    static let (columns, rows) = (Board.columns, Board.rows)

    let setup: BoardSetup
    let players: [Seat]
    /// The seat that dropped the first disc.
    let first: Seat
    var board = Board()
    /// The column of every disc, in order: the game's record.
    var drops: [UInt8] = []
    var end: EarlyEnd?
    var hasTurn = false
    var clock: GameClock

    public init(setup: BoardSetup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        precondition(players.count == 2, "connect four has two players")
        self.setup = setup
        self.players = players
        self.first = first
        clock = GameClock(at: time)
    }

    /// The player who drops the next disc, or would if the game was not over.
    var mover: Seat { drops.count.isMultiple(of: 2) ? first : other(than: first) }

    var isDecided: Bool { board.isOver }
}
