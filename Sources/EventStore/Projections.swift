import Cryptography

/// What must be found without waking every room, beside the log: rows that follow from the log alone, in a second file
/// that can be dropped and is rebuilt. Whoever folds the log gives the rows; this keeps them, with the position
/// reached, in one transaction. What it holds may lag behind the log, never lead it.
public protocol Projections: AnyObject, Sendable {
    /// Writes `changes` in order and notes that everything up to `position` is in; nil leaves the position. Reads asked
    /// for later see them.
    func apply(_ changes: [RowChange], reached position: Int?)
    /// Answered by `reached`; 0 for new or dropped projections.
    func position(ticket: Ticket, answer: any LogInbox)
    /// Answered by `players`; ids that nobody bears are left out.
    func players(ids: [String], ticket: Ticket, answer: any LogInbox)
    /// The player whose token has this SHA-256 (hex): one row or none. Answered by `players`.
    func player(tokenHash: String, ticket: Ticket, answer: any LogInbox)
    /// Rooms whose deadline is at `start` or later and before `end`, the earliest first. Answered by `rooms`.
    func rooms(dueFrom start: Int, before end: Int, limit: Int, ticket: Ticket, answer: any LogInbox)
    /// Open public rooms, the last changed first. Answered by `rooms`.
    func openRooms(limit: Int, ticket: Ticket, answer: any LogInbox)
    /// Rooms that this player has opened since `start`, the newest first, closed or not: how many there may be is the
    /// hub's to limit. Answered by `rooms`.
    func rooms(openedBy player: String, since start: Int, limit: Int, ticket: Ticket, answer: any LogInbox)
    /// Results, as asked for. Answered by `results`.
    func results(_ query: ResultsQuery, ticket: Ticket, answer: any LogInbox)
    func close()
}

/// A player that has a name.
public struct PlayerRow: Sendable, Equatable {
    public let id: String
    public let name: String
    /// The name as names are compared; its stream is `player/<folded>`.
    public let folded: String
    /// SHA-256 of the player's token, in hex.
    public let tokenHash: String
    /// The head of the player's stream: by this an erasure knows the row.
    public let head: Digest

    public init(id: String, name: String, folded: String, tokenHash: String, head: Digest) {
        self.id = id
        self.name = name
        self.folded = folded
        self.tokenHash = tokenHash
        self.head = head
    }
}

/// A room, as far as it must be found while it sleeps.
public struct RoomRow: Sendable, Equatable {
    public let code: String
    /// The version of the room that the row shows.
    public let version: Int
    /// The id of the player who opened it, whoever is its host by now.
    public let opener: String
    /// When, in ms since 1970.
    public let opened: Int
    public let isPublic: Bool
    public let isOpen: Bool
    /// When it must be woken, in ms since 1970; nil if nothing runs.
    public let deadline: Int?
    /// The time of its last event, ms since 1970.
    public let changed: Int
    /// What lists show of it: JSON, opaque here.
    public let summary: [UInt8]

    public init(
        code: String, version: Int, opener: String, opened: Int, isPublic: Bool, isOpen: Bool, deadline: Int?,
        changed: Int, summary: [UInt8]
    ) {
        self.code = code
        self.version = version
        self.opener = opener
        self.opened = opened
        self.isPublic = isPublic
        self.isOpen = isOpen
        self.deadline = deadline
        self.changed = changed
        self.summary = summary
    }
}

/// One change to the projections.
public enum RowChange: Sendable, Equatable {
    case player(PlayerRow)
    /// The player whose stream ended at this head was forgotten; whoever bears the name since then stays.
    case playerErased(head: Digest)
    /// Replaces the row of the same room, game and seat.
    case result(ResultRow)
    /// Replaces the room's row unless that is of a later version.
    case room(RoomRow)
}
