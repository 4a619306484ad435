/// What a participant can see of a room, for choosing an action.
public struct RoomSight: Sendable {
    /// The state of a room.
    public enum Status: Int, CaseIterable, Sendable {
        case waiting, dealing, running, ended, closed

        /// As messages have it.
        var name: String { "\(self)" }
    }

    /// A seat that is taken.
    public struct Seat: Sendable {
        /// From 0 on.
        public let number: Int
        /// The player's id.
        public let player: String
        /// Whether a computer has the seat for itself.
        public let isComputer: Bool
        /// Whether a computer plays for its player.
        public let isHelped: Bool
        /// The commitment to its player's nonce.
        public let commitment: String?
    }

    /// A running game.
    public struct Game: Sendable {
        let fold: GameFold

        /// The seats that it waits for, in order.
        public var awaited: [Int] { fold.awaited }
        /// Seats that have let their time run out, in the order of turns.
        public var away: [Int] { fold.players.map(\.seat).filter(fold.isAway) }
        /// Whether its players have a command of this name.
        public func hasCommand(_ type: String) -> Bool { fold.kind.hasCommand(type) }
    }

    /// A command of a game.
    public struct Move: Sendable {
        /// As a client sends it: `flip`.
        public let type: String
        /// Its other fields as JSON, each after a comma.
        public let fields: String
    }

    /// The version of the last event that was shown.
    public internal(set) var version: Int
    /// The kind: `memory`.
    public internal(set) var game: String
    public internal(set) var status: Status
    /// The host's id.
    public internal(set) var host: String
    /// Players who may not speak.
    public internal(set) var muted: [String]
    /// Players who may do nothing.
    public internal(set) var banned: [String]
    /// Those that are taken.
    public internal(set) var seats: [Seat]
    /// The number of all seats.
    public internal(set) var seatCount: Int
    /// Nil if none is running.
    public internal(set) var running: Game?
    /// The version of the present proposal, and the seats that have not answered.
    public internal(set) var proposal: (version: Int, asked: [Int])?
    /// Seats whose nonces a game that is being dealt waits for.
    public internal(set) var awaited: [Int]
    /// Seats of the running game whose players have been absent long enough for others to decide for them.
    public internal(set) var absent: [Int] = []
}
