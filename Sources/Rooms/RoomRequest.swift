import EventStore
import Games
import Records
import RoomRules
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
