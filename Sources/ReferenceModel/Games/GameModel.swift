/// A running game as the protocol and its rules have it. It says what a command, the clock or somebody's leaving must
/// lead to; `apply` takes what has been recorded, which whoever asks has held against that.
///
/// A value: a copy stays as it is. Times are milliseconds since 1970, seats are numbers from 0.
protocol GameModel: Sendable {
    /// Makes the game that `started` (an event `game-started`, whole) begins at its `t`, and deals it from what is
    /// secret. Throws what of `started` is not as the room and the rules have it.
    init(_ started: JSON, _ deal: Deal) throws(BrokenPromise)

    /// `memory`, `reversi`, `connect-four`: as events name it.
    var game: String { get }
    /// Rule and board, as results are compared.
    var mode: String { get }
    /// Who plays, in the order of turns; those who have left stay in it.
    var seats: [Int] { get }
    var turn: Int { get }
    /// Whether it waits for a move of `turn`: not while two cards are shown.
    var waitsForMove: Bool { get }
    /// When the time of this turn is up; nil where it has no limit just now.
    var deadline: Int? { get }
    /// When `lapse` must be asked next: `deadline`, or the end of a reveal. Nil: nothing happens by itself.
    var due: Int? { get }
    /// In the order of turns.
    var away: [Int] { get }
    /// In the order of turns.
    var left: [Int] { get }
    /// Nothing is played any more: what ended it has been applied.
    var isOver: Bool { get }
    /// Whether anybody has made a move: a restart before that has no results.
    var hasMoved: Bool { get }
    /// What a `welcome` shows; slow.
    var view: JSON { get }

    /// Whether a computer has played for this seat.
    func wasHelped(_ seat: Int) -> Bool

    /// What stands behind `game-started` in its commit.
    func opening(at time: Int) -> [GameEvent]
    /// What a command of a seat that plays leads to at `time`, once what was due before it is recorded. Who
    /// is marked away is back first: by what `here` leads to, in a commit of its own.
    func verdict(on command: GameCommand, by seat: Int, at time: Int, gone: [Absence]) -> Verdict
    /// What must be recorded at `time` because it is due; empty where nothing is.
    func lapse(at time: Int, gone: [Absence]) -> [GameEvent]
    /// What it leads to that a seat is given up: `player-left` and what stands beside it. `reason`: `left`, `freed` or
    /// `banned`.
    func leaving(_ seat: Int, reason: String, at time: Int, gone: [Absence]) -> [GameEvent]
    /// The end that the room decides: `left`, `restart`, `closed` or `fault`.
    func ending(reason: String, at time: Int, gone: [Absence]) -> GameEvent

    /// The fold. It expects what the methods above have said, and `clockExtended`, `seatHelped`, `seatReturned`.
    mutating func apply(_ event: GameEvent, at time: Int)

    /// A legal move of the seat whose turn it is, any by another `choice`; nil where it can do nothing just now.
    func someMove(_ choice: Int) -> GameCommand?
    /// A move of somebody who forgets nothing and looks ahead a little, where there is one that is plainly good.
    func goodMove(_ choice: Int) -> GameCommand?
}

/// What a game is dealt from beside what `game-started` shows.
struct Deal: Sendable {
    /// The 32 bytes that the room's `commitment` is the digest of; nil where the room has none.
    let serverSeed: [UInt8]?
    /// The room's options as asked for.
    let asked: JSON

    init(serverSeed: [UInt8]?, asked: JSON) { (self.serverSeed, self.asked) = (serverSeed, asked) }
}

/// A player without a connection, for 60 s or more: who has left a game of several that the others have played to its
/// end. Whether it counts is the game's to say; since when is the table's.
struct Absence: Sendable, Equatable {
    let seat: Int
    /// The last moment of the connection.
    let since: Int

    init(seat: Int, since: Int) { (self.seat, self.since) = (seat, since) }
}

/// What somebody may ask a game for.
public enum GameCommand: Sendable, Equatable {
    case flip(cell: Int)
    case shuffle
    case place(cell: Int)
    case drop(column: Int)
    case resign
    case here
}

/// What a command must lead to.
enum Verdict: Sendable, Equatable {
    /// Answered by `error` with this code and, beside it, these values.
    case refused(code: String, values: [JSON.Member])
    /// One commit of these events; with none there is nothing to do, and it is answered by `ok` all the same.
    case events([GameEvent])
}

/// The model of the game that a room of this kind begins; nil: the protocol describes none of this name.
func beginGame(_ game: String, _ started: JSON, _ deal: Deal) throws(BrokenPromise) -> (any GameModel)? {
    switch game {
    case "memory": try MemoryModel(started, deal)
    case "reversi": try ReversiModel(started, deal)
    case "connect-four": try ConnectFourModel(started, deal)
    default: nil
    }
}

/// Holds what an event `dealing` fixes against the room's options as asked for: theme, board, options and seats. Of a
/// number of pairs that is still to be drawn it shows the largest.
func checkDealing(_ game: String, _ dealing: JSON, asked: JSON) throws(BrokenPromise) {
    // No other game draws anything.
    if game == "memory" { try MemoryModel.check(dealing, asked: asked) }
}
