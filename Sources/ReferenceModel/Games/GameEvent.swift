/// An event of a running game, all but its version and time.
enum GameEvent: Sendable, Equatable {
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
struct SeatNumber: Sendable, Equatable {
    let seat: Int
    var number: Int

    init(_ seat: Int, _ number: Int) { (self.seat, self.number) = (seat, number) }
}

/// How a game has gone for a seat.
struct GameResult: Sendable, Equatable {
    var seat: Int
    var player: String
    var score: Int
    var place: Int
    var turns: Int?
    var pairs: Int?
    var tournament: Int?
    /// Milliseconds.
    var time: Int
    var hasLeft: Bool
    var wasHelped: Bool
    var isComputer: Bool
}

/// `player-left`.
struct Departure: Sendable, Equatable {
    var seat: Int
    var player: String
    var reason: String
    var game: String
    var mode: String
    var number: Int
    var against: String
    var result: GameResult
}

/// `game-ended`, all but the `commitment` of the next game, which is the table's to know.
struct Ending: Sendable, Equatable {
    var game: String
    var mode: String
    var number: Int
    var results: [GameResult]
    var reason: String
    var isUnplayed = false
    /// Nil where the room had no commitment.
    var reveal: JSON?
}
