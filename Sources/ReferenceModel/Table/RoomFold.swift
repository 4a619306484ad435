import Games
import JSON

/// A room at one version: the fold of its events up to there (ProtocolEvents.md, "The fold"). Copies are independent.
struct RoomFold: Sendable {
    struct Seat: Equatable {
        var player: String?
        /// The level of a computer.
        var bot: String?
        /// The level of the computer that plays for the player.
        var helped: String?
        /// The version with which that computer began.
        var helpedSince = 0
        var commitment: String?
        /// The version with which its player took it.
        var since = 0
    }

    /// The question to the table.
    struct Proposal: Equatable {
        let version: Int
        let what: String
        var seat: Int
        let player: String
        var asked: [Int]
        var agreed: [Int]
        var deadline: Int
    }

    /// A draw that waits for nonces.
    struct Dealing: Equatable {
        /// The event without `v`, `t` and `type`, and with the nonces opened so far.
        var fields: Fields
        var awaited: [Int]
        var deadline: Int
    }

    let code: String
    var version = 0
    var time = 0
    var game = ""
    /// As asked for.
    var options: Fields = [:]
    var visibility = ""
    var host = ""
    var status = RoomSight.Status.waiting
    var seats: [Seat] = []
    var gameNumber = 0
    var commitment: String?
    /// The 32 bytes of the seed that `commitment` commits to.
    var serverSeed: [UInt8]?
    var muted: [String] = []
    var banned: [String] = []
    var dealing: Dealing?
    /// The players of the newest game, in the order of turns, as in `game-started`.
    var players: [Value] = []
    var first: Int?
    var results: Value?
    var reason: String?
    var reveal: Value?
    var proposal: Proposal?
    var wins: Fields = [:]
    var winsUntil: Int?
    /// The newest game, also when it is over; nil where the model does not know the game.
    var running: GameFold?
    /// By player, until when a failed proposal forbids another.
    var pauses: [String: Int] = [:]
    /// When anything last happened, moved on by time that did not count.
    var usedAt = 0
    /// Up to when outages have been counted.
    var extendedUntil = 0

    init(code: String) { self.code = code }

    /// What nobody may see before it is revealed, as hexadecimal digits.
    var secrets: [String] {
        let seals = status == .running ? running?.seals ?? [] : []
        return [serverSeed?.hex].compactMap(\.self) + seals.compactMap { $0["sealed"]?.string }
    }

    func seat(of player: String) -> Int? { seats.firstIndex { $0.player == player } }

    /// Whether a seat plays in the running game.
    func plays(_ seat: Int) -> Bool { status == .running && running?.plays(seat) == true }

    /// The players of the running game who have not given up their seats, in the order of seats.
    var playersWithGame: [String] {
        seats.indices.compactMap { seat in plays(seat) ? seats[seat].player : nil }
    }

    /// Whether the reason decides the game, so that there is a winner.
    static func isDecided(_ reason: String) -> Bool { ["finished", "time", "resigned"].contains(reason) }

    /// What `Games` has by the name of the room's game.
    var kind: (any Game.Type)? { GameList.all.first { $0.name == game } }

    /// Seats that a room with these options has.
    func seatCount(_ options: Fields) -> Int { kind?.seatCount(options) ?? options["seats"]?.integer ?? 0 }
}
