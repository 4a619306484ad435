/// What somebody in a room can see of it, for who has to choose what to do there.
public struct RoomSight: Sendable {
    public enum Status: Int, CaseIterable, Sendable {
        case waiting, dealing, running, ended, closed
    }

    public struct Seat: Sendable {
        public let number: Int
        public let player: String
        /// Whether a computer has the seat for itself.
        public let isComputer: Bool
        /// Whether a computer plays for its player.
        public let isHelped: Bool
        /// Of the nonce that its player has promised.
        public let commitment: String?

        public init(number: Int, player: String, isComputer: Bool, isHelped: Bool, commitment: String?) {
            (self.number, self.player, self.commitment) = (number, player, commitment)
            (self.isComputer, self.isHelped) = (isComputer, isHelped)
        }
    }

    public var version: Int
    public var game: String
    public var status: Status
    public var host: String
    /// Who may not speak.
    public var muted: [String]
    /// Who may do nothing.
    public var banned: [String]
    /// Those that are taken.
    public var seats: [Seat]
    /// How many there are.
    public var seatCount: Int
    public var running: (any GameModel)?
    /// What is proposed: at which version, and who is still to answer.
    public var proposal: (version: Int, asked: [Int])?
    /// Seats whose nonces a game that is being dealt waits for.
    public var awaited: [Int]
    /// Seats of the running game whose players have been gone for so long that others may decide for them.
    public var absent: [Int] = []

    public init(
        version: Int, game: String, status: Status, host: String, muted: [String], banned: [String], seats: [Seat],
        seatCount: Int,
        running: (any GameModel)?, proposal: (version: Int, asked: [Int])?, awaited: [Int]
    ) {
        (self.version, self.game, self.status, self.host) = (version, game, status, host)
        (self.muted, self.banned) = (muted, banned)
        (self.seats, self.seatCount, self.running) = (seats, seatCount, running)
        (self.proposal, self.awaited) = (proposal, awaited)
    }
}
