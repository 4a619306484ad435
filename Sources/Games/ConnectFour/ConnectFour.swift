import Cryptography
import JSON

/// Connect four: discs fall into the columns of an upright board of 7 by 6, and four in a row win. The game's first
/// seat begins.
public struct ConnectFour: Game {
    public static let name = "connect-four"
    public static let titles = ["en": "Connect four", "es": "Cuatro en línea", "de": "Vier gewinnt", "zh": "四子棋"]
    public static let seats = 2...2
    public static let isDealt = false

    let setup: BoardSetup
    /// Both in order of seats; both play to the end.
    let players: [Seat]
    /// The seat that dropped the first disc.
    let first: Seat
    var board = Board()
    /// The column of every disc, in order: the game's record.
    var drops: [UInt8] = []
    var end: EarlyEnd?
    var clock: GameClock

    public init(setup: BoardSetup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        precondition(players.count == 2, "connect four has two players")
        self.setup = setup
        self.players = players
        self.first = first
        clock = GameClock(at: time)
    }

    public static func options(_ asked: Fields) throws(Rejection) -> Fields {
        _ = try BoardSetup(asked, columns: Board.columns, rows: Board.rows)
        return asked
    }

    public static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> BoardSetup {
        try BoardSetup(options, columns: Board.columns, rows: Board.rows)
    }

    func other(than seat: Seat) -> Seat { players.first { $0 != seat } ?? seat }

    /// The player who drops the next disc, or would if the game was not over.
    var mover: Seat { drops.count.isMultiple(of: 2) ? first : other(than: first) }

    var isOver: Bool { end != nil || board.isOver }
}
