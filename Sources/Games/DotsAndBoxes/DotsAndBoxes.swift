import Cryptography
import JSON

/// Dots and boxes: players draw lines between neighbouring dots of a square grid. A line that completes a box wins it,
/// and its player draws another one. The player with the most boxes wins.
///
/// A player who resigns, leaves or runs out of time is out and keeps the boxes. The others play on, and the game ends
/// early once only one of them is left.
public struct DotsAndBoxes: EliminationGame {
    public static let name = "dots-and-boxes"
    public static let titles = ["en": "Dots and boxes", "es": "Puntos y cajas", "de": "Käsekästchen", "zh": "点格棋"]
    public static let seats = 2...4
    public static let isDealt = false

    let setup: Setup
    let players: [Seat]
    /// Whose turn it is, or would be if the game was not over.
    var mover: Seat
    /// The lines that are drawn, with a bit for each.
    var drawn: UInt64 = 0
    /// The seat that drew each line; nil for a free one.
    var lines: [Seat?]
    /// The seat that completed each box; nil for an open one.
    var boxes: [Seat?]
    var last: Int?
    var exits: [Exit] = []
    var left: Set<Seat> = []
    /// Whether the mover's `turn` has come and the move has not. Until then nothing else is read from a log.
    var hasTurn = false
    var clock: GameClock

    public init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        precondition(players.count > 1, "dots and boxes has two players or more")
        self.setup = setup
        self.players = players
        mover = first
        lines = Array(repeating: nil, count: setup.grid.lineCount)
        boxes = Array(repeating: nil, count: setup.grid.boxCount)
        clock = GameClock(at: time)
    }

    public static func options(_ asked: Fields) throws(Rejection) -> Fields {
        _ = try Setup(asked)
        return asked
    }

    public static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> Setup {
        try Setup(options)
    }

    /// In dots, as players call it.
    public static func board(_ options: Fields) -> (columns: Int, rows: Int)? {
        // Options of a room have been checked.
        (try? Setup(options)).map { ($0.grid.size, $0.grid.size) }
    }

    var grid: Grid { setup.grid }
    var isOver: Bool { drawn == grid.all || isEndedEarly }

    func score(of seat: Seat) -> Int { boxes.count { $0 == seat } }

    public var awaited: Set<Seat> { isOver ? [] : [mover] }
}
