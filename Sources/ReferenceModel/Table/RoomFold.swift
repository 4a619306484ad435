/// A room at one version: the fold of its events up to there (ProtocolEvents.md, "The fold"). Copies are independent.
struct RoomFold: Sendable {
    enum Status: String { case waiting, dealing, running, ended, closed }

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
        var fields: JSON
        var awaited: [Int]
        var deadline: Int
    }

    let code: String
    var version = 0
    var time = 0
    var game = ""
    /// As asked for.
    var options: JSON = .object([])
    var visibility = ""
    var host = ""
    var status = Status.waiting
    var seats: [Seat] = []
    var gameNumber = 0
    var commitment: String?
    /// The 32 bytes of the seed that `commitment` commits to.
    var serverSeed: [UInt8]?
    var muted: [String] = []
    var banned: [String] = []
    var dealing: Dealing?
    /// The players of the newest game, in the order of turns, as in `game-started`.
    var players: [JSON] = []
    var first: Int?
    var results: JSON?
    var reason: String?
    var reveal: JSON?
    var proposal: Proposal?
    var wins: [JSON.Member] = []
    var winsUntil: Int?
    /// The newest game, also after its end.
    var running: (any GameModel)?
    /// By player, until when a failed proposal forbids another.
    var pauses: [String: Int] = [:]
    /// When anything last happened, moved on by time that did not count.
    var usedAt = 0
    /// Up to when outages have been counted.
    var extendedUntil = 0

    init(code: String) { self.code = code }

    func seat(of player: String) -> Int? { seats.firstIndex { $0.player == player } }

    /// Whether a seat plays in the running game.
    func plays(_ seat: Int) -> Bool {
        guard status == .running, let running else { return false }
        return running.seats.contains(seat) && !running.left.contains(seat)
    }

    /// Whether the reason decides the game, so that there is a winner.
    static func isDecided(_ reason: String) -> Bool { ["finished", "time", "resigned"].contains(reason) }

    /// The number of a room's seats, by its options.
    static func seatCount(game: String, options: JSON) -> Int {
        options["seats"]?.number ?? (game == "memory" ? 8 : 2)
    }
}
