/// An event of a running game, all but its version and time.
public enum GameEvent: Sendable, Equatable {
    case turn(seat: Int, deadline: Int?)
    case turnExpired(seat: Int)
    case away(seat: Int)
    case back(seat: Int)
    case showCard(cell: Int, face: String, seat: Int, bonus: Int?)
    case match(first: Int, second: Int, seat: Int, scores: [SeatNumber])
    case hideCard(first: Int, second: Int?, scores: [SeatNumber])
    /// `moves`: from, to, from, to ...
    case cardsShuffled(seat: Int, moves: [Int])
    case placeDisc(cell: Int, seat: Int, flips: [Int])
    case pass(seat: Int)
    case dropDisc(cell: Int, seat: Int, line: [Int]?)
    case resigned(seat: Int)
    indirect case playerLeft(Departure)
    indirect case gameEnded(Ending)
    /// `deadline`: the game's; the table has others, too.
    case clockExtended(ms: Int)
    case seatHelped(seat: Int)
    case seatReturned(seat: Int)
}

/// One member of `scores`.
public struct SeatNumber: Sendable, Equatable {
    public let seat: Int
    public var number: Int

    public init(_ seat: Int, _ number: Int) { (self.seat, self.number) = (seat, number) }
}

/// How a game has gone for a seat.
public struct GameResult: Sendable, Equatable {
    public var seat: Int
    public var player: String
    public var score: Int
    public var place: Int
    public var turns: Int?
    public var pairs: Int?
    public var tournament: Int?
    /// Milliseconds.
    public var time: Int
    public var hasLeft: Bool
    public var wasHelped: Bool
    public var isComputer: Bool
}

/// `player-left`.
public struct Departure: Sendable, Equatable {
    public var seat: Int
    public var player: String
    public var reason: String
    public var game: String
    public var mode: String
    public var number: Int
    public var against: String
    public var result: GameResult
}

/// `game-ended`, all but the `commitment` of the next game, which is the table's to know.
public struct Ending: Sendable, Equatable {
    public var game: String
    public var mode: String
    public var number: Int
    public var results: [GameResult]
    public var reason: String
    /// Nil where the room had no commitment.
    public var reveal: JSON?
}
