import Cryptography
import Games

/// Names a player in logs and messages; which name it bears is no part of a room's log.
public typealias PlayerID = String

/// What has happened in a room. What is a game's own is carried as the game wrote it.
enum RoomEvent: Equatable, Sendable {
    case opened(Opening)
    case seatTaken(Seat, PlayerID)
    /// Between games, or by somebody who does not play in the running one.
    case seatFreed(Seat, PlayerID)
    /// In a running game: for good.
    case playerLeft(Seat, PlayerID, reason: String, result: PlayerResult)
    case optionsChanged(Fields)
    case gameStarted(GameStart)
    /// `span` ms in which the hub was not running do not count; outages up to `until` are in it. The deadline as it is
    /// now.
    case clockExtended(span: Milliseconds, until: Milliseconds, deadline: Milliseconds?)
    case gameEnded(GameEnd)
    case closed(reveal: Reveal?)
    case game(Happening)

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
        let players: [SeatedPlayer]
        let first: Seat
    }

    struct GameEnd: Equatable, Sendable {
        let reason: String
        let results: [NamedResult]
        let reveal: Reveal?
        /// Of the next game.
        let seed: ServerSeed?
    }
}

struct SeatedPlayer: Equatable, Sendable {
    let seat: Seat
    let player: PlayerID
}

/// A result with whose it is.
struct NamedResult: Equatable, Sendable {
    let player: PlayerID
    let result: PlayerResult
}

public enum Visibility: String, Sendable {
    /// In the list of rooms, with a short code.
    case `public`
    /// Only for those who have the link: a code that cannot be guessed.
    case unlisted
}

/// The seed of a game's draw. What is shown of it beforehand is its SHA-256; the bytes are sealed in the log.
enum ServerSeed: Equatable, Sendable {
    /// In the hub, and wherever the sealed bytes of the log can be read.
    case known([UInt8])
    /// In a fold of the public log.
    case committed(Digest)

    /// SHA-256 of the 32 bytes.
    var commitment: Digest {
        switch self {
        case .known(let bytes): SHA256.digest(of: bytes)
        case .committed(let digest): digest
        }
    }

    var bytes: [UInt8]? { if case .known(let bytes) = self { bytes } else { nil } }
}

/// What opens a commitment: with it anyone can deal the deck again.
struct Reveal: Equatable, Sendable {
    let seed: [UInt8]
}
