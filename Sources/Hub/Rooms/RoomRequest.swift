import EventStore
import Games
import Records
import Threads
import WebProtocols

// What a room's edge and its home say to each other.

/// Something that is asked of a room's home. An object, since it goes through many hands.
final class RoomRequest: Sendable {
    enum Asker: Equatable, Sendable {
        /// A player, by a connection that waits for the answer.
        case member(PlayerID, ReplyAddress)
        /// A player who is there again: nobody waits for an answer.
        case player(PlayerID)
        /// A computer that plays for this player, who is not back by it, or has the seat for itself.
        case computer(ComputerMove, PlayerID)
    }

    let asker: Asker
    let command: RoomCommand
    /// When it reached the hub, by the room's time.
    let time: Milliseconds
    /// What its commit is called; nil where no client may ask for it again.
    let commit: CommitID?
    /// When it was read, by the steady clock of whoever did; nil where nobody waits for it.
    let read: Nanoseconds?

    init(_ asker: Asker, _ command: RoomCommand, at time: Milliseconds, read: Nanoseconds? = nil) {
        (self.asker, self.command, self.time, self.read) = (asker, command, time, read)
        if case .member(let player, let address) = asker { commit = .command(player, address.id) } else { commit = nil }
    }

    /// Whether it says no more than that a player is there again.
    var isReturn: Bool { if case .player = asker { true } else { false } }
}

extension RoomRequest.Asker {
    var player: PlayerID {
        switch self {
        case .member(let player, _), .player(let player), .computer(_, let player): player
        }
    }

    /// Nil of people.
    var move: ComputerMove? { if case .computer(let move, _) = self { move } else { nil } }
}

/// Which member waits for an answer.
struct ReplyAddress: Equatable, Sendable {
    let member: MemberID
    /// As the client named the command.
    let id: String
}

/// What a home answers to a request.
struct RoomAnswer: Equatable, Sendable {
    enum Result: Equatable, Sendable {
        /// Done, or so already: the room's version then.
        case done(version: Int)
        case refused(Rejection)
    }

    let address: ReplyAddress
    let result: Result

    /// As the client is told it.
    var frame: Frame {
        switch result {
        case .done(let version): HubMessage.ok(address.id, version: version)
        case .refused(let rejection): HubMessage.error(address.id, rejection)
        }
    }
}

/// What an edge tells the home of those who are connected to it.
enum AttendanceReport: Sendable {
    /// A connection, of whomever.
    case opened, closed
    /// A connection is this player's from now on, or is so no more.
    case came(PlayerID), went(PlayerID)
    /// The player has said hello.
    case greeted(PlayerID)
    /// The player has done something that is no command.
    case spoke(PlayerID)
}

// What commits are called in a room's stream, each once for ever.
extension CommitID {
    /// No player's id begins so.
    private static let ownPrefix = "hub/"

    /// A player's command, under the id that the client gave it.
    static func command(_ player: PlayerID, _ id: String) -> CommitID { "\(player)/\(id)" }

    /// What the room does by itself, behind a version. It bears the run: another one may have meant something else.
    static func room(behind version: Int, run: String) -> CommitID { "\(ownPrefix)\(run)/\(version)" }

    /// What a computer does, or what is done for it, at a version of the room.
    static func computer(_ move: ComputerMove, run: String) -> CommitID {
        "\(ownPrefix)\(run)/computer/\(move.seat.rawValue)/\(move.version)"
    }

    /// Whether it is a player's command: these alone may be asked for again.
    var isCommand: Bool { !text.hasPrefix(Self.ownPrefix) }
}
