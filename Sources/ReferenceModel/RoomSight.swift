/// What somebody in a room can see of it, for who has to choose what to do there.
public struct RoomSight: Sendable {
    /// What a room is about.
    public enum Status: Int, CaseIterable, Sendable {
        case waiting, dealing, running, ended, closed
    }

    /// A seat that is taken.
    public struct Seat: Sendable {
        /// From 0 on.
        public let number: Int
        /// The id of who has it.
        public let player: String
        /// Whether a computer has the seat for itself.
        public let isComputer: Bool
        /// Whether a computer plays for its player.
        public let isHelped: Bool
        /// Of the nonce that its player has promised.
        public let commitment: String?
    }

    /// A game that runs.
    public struct Game: Sendable {
        let model: any GameModel

        /// The seat whose move it waits for.
        public var turn: Int { model.turn }
        /// Seats that have let their time run out, in the order of turns.
        public var away: [Int] { model.away }

        /// A legal move of the seat whose turn it is, any by another `choice`; nil where it can do nothing just now.
        public func someMove(_ choice: Int) -> GameCommand? { model.someMove(choice) }

        /// A move of somebody who forgets nothing and looks ahead a little, where there is one that is plainly good.
        public func goodMove(_ choice: Int) -> GameCommand? { model.goodMove(choice) }
    }

    /// Of the last event that was shown.
    public internal(set) var version: Int
    /// The kind: `memory`, `reversi`, `connect-four`.
    public internal(set) var game: String
    public internal(set) var status: Status
    /// The host's id.
    public internal(set) var host: String
    /// Who may not speak.
    public internal(set) var muted: [String]
    /// Who may do nothing.
    public internal(set) var banned: [String]
    /// Those that are taken.
    public internal(set) var seats: [Seat]
    /// How many there are.
    public internal(set) var seatCount: Int
    /// Nil: none runs.
    public internal(set) var running: Game?
    /// What is proposed: at which version, and who is still to answer.
    public internal(set) var proposal: (version: Int, asked: [Int])?
    /// Seats whose nonces a game that is being dealt waits for.
    public internal(set) var awaited: [Int]
    /// Seats of the running game whose players have been gone for so long that others may decide for them.
    public internal(set) var absent: [Int] = []
}
