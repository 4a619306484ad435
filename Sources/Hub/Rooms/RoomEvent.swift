import Cryptography
import Games

/// Names a player in logs and messages; which name it bears is no part of a room's log.
public typealias PlayerID = String

/// What has happened in a room. What is a game's own is carried as the game wrote it.
enum RoomEvent: Equatable, Sendable {
    case opened(Opening)
    /// Also of somebody who sits there already, with another commitment. Without a nonce.
    case seatTaken(SeatedPlayer)
    /// Between games, or of somebody who does not play in the running one.
    case seatFreed(Seat, PlayerID, DepartureReason)
    /// In a running game: for good.
    case playerLeft(Leaving)
    /// A computer plays for somebody who is away or absent.
    case seatHelped(Seat, level: String)
    /// The player is back.
    case seatReturned(Seat)
    case hostChanged(PlayerID)
    case playerMuted(PlayerID, isMuted: Bool)
    case playerBanned(PlayerID, isBanned: Bool)
    case optionsChanged(Fields)
    /// Everything of the next game is fixed; ends in `gameStarted`, or in `gameEnded` if the game has a fault.
    case dealing(Dealing)
    /// A seat opens its nonce, and may commit to the one for the game after.
    case ready(Seat, Nonce, next: Digest?)
    case gameStarted(GameStart)
    /// `span` ms in which the hub was not running do not count; outages up to `until` are in it. The deadline as it is
    /// now.
    case clockExtended(span: Milliseconds, until: Milliseconds, deadline: Milliseconds?)
    case gameEnded(GameEnd)
    case closed(reveal: Reveal?)
    case game(GameStep)

    struct Opening: Equatable, Sendable {
        let game: String
        let options: Fields
        let visibility: Visibility
        let host: PlayerID
        /// Of the first game; nil for games that are not dealt.
        let seed: ServerSeed?
    }

    struct GameStart: Equatable, Sendable {
        /// 1 for the room's first game.
        let number: Int
        let options: Fields
        /// The game's own (Memory: `theme`, `board`).
        let gameFields: Fields
        /// In the order of turns.
        var players: [SeatedPlayer]
        let first: Seat
    }

    struct Leaving: Equatable, Sendable {
        let seat: Seat
        let player: PlayerID
        let departure: DepartureReason
        /// Which game it was.
        let game: PlayedGame
        let result: NamedResult
    }

    struct GameEnd: Equatable, Sendable {
        let game: PlayedGame
        let reason: GameEndReason
        let results: [NamedResult]
        let reveal: Reveal?
        /// Of the next game.
        let seed: ServerSeed?
    }
}

/// Why somebody has a seat no longer.
enum DepartureReason: String, Equatable, Sendable {
    case left
    /// By the host.
    case freed
    case banned
}

/// Why a game is over.
enum GameEndReason: Equatable, Sendable {
    /// By its own rules, or because everybody has left it.
    case game(Outcome.Reason)
    /// Its room was closed.
    case closed
    /// It did what no log can hold: it has no results.
    case fault

    /// Whether the game was left undecided: where everybody has gone, or will not go on, nobody has won.
    var isUndecided: Bool {
        switch self {
        case .game(.left), .game(.restart), .game(.stalled), .closed, .fault: true
        case .game(.finished), .game(.time), .game(.resigned): false
        }
    }
}

/// Which game a result belongs to: so that a record of the log says all that a list of results needs.
struct PlayedGame: Equatable, Sendable {
    let name: String
    /// As `GameSetup.mode`.
    let mode: String
    /// The room's first is 1.
    let number: Int
}

/// A result with whose it is.
struct NamedResult: Equatable, Sendable {
    let player: PlayerID
    let result: PlayerResult
    /// Whether a computer has the seat for itself.
    var isComputer = false
    /// Whether a computer played for the player for some time.
    var isHelped = false
    /// 1 for the winner; those who are equal share a place.
    var place = 1
}

public enum Visibility: String, Sendable {
    /// In the list of rooms, with a short code.
    case `public`
    /// Only for those who have the link: a code that cannot be guessed.
    case unlisted
}
