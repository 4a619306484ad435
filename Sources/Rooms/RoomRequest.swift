import Games
import Records
import RoomRules
import Threads
import WebProtocols

// What a room's edge and its home send each other.

/// A request to a room's home. A class, since it is passed on many times.
final class RoomRequest: Sendable {
    enum Asker: Equatable, Sendable {
        /// A player, by a connection that waits for the answer.
        case member(PlayerID, ReplyAddress)
        /// A player who is back. No connection waits for an answer.
        case player(PlayerID)
        /// A computer that plays for this player, who is not back by it, or that has the seat for itself.
        case computer(ComputerMove, PlayerID)
    }

    let asker: Asker
    let command: RoomCommand
    /// When it reached the hub, by the room's time.
    let time: Milliseconds
    /// The id of its commit; nil if no client may send it again.
    let commit: CommitID?
    /// When it was read, by the steady clock of the loop that read it; nil if no connection waits for it.
    let read: Nanoseconds?

    init(_ asker: Asker, _ command: RoomCommand, at time: Milliseconds, read: Nanoseconds? = nil) {
        (self.asker, self.command, self.time, self.read) = (asker, command, time, read)
        if case .member(let player, let address) = asker { commit = .command(player, address.id) } else { commit = nil }
    }

    /// Whether it only says that a player is back.
    var isReturn: Bool { if case .player = asker { true } else { false } }
}

extension RoomRequest.Asker {
    var player: PlayerID {
        switch self {
        case .member(let player, _), .player(let player), .computer(_, let player): player
        }
    }

    /// Nil for people.
    var move: ComputerMove? { if case .computer(let move, _) = self { move } else { nil } }
}

/// Which member waits for an answer.
struct ReplyAddress: Equatable, Sendable {
    let member: MemberID
    /// The client's id of the command.
    let id: String
}

/// A home's answer to a request.
enum RoomAnswer {
    /// Done, or there was nothing to do. Has the room's version then.
    case done(version: Int)
    case refused(Rejection)

    /// As it is sent to the client that gave the command this id.
    func frame(id: String) -> Frame {
        switch self {
        case .done(let version): HubMessage.ok(id, version: version)
        case .refused(let rejection): HubMessage.error(id, rejection)
        }
    }
}
