import Cluster
import EventStore
import Rooms

/// Messages to a shard from other threads.
enum ShardMessage: Sendable {
    /// From the log, in its order.
    case log([LogMessage])
    case readModels(ReadModelAnswer)
    /// Another shard asks about a room of this one.
    case question(RoomQuestion, code: String, asker: Int, number: UInt64)
    case reply(RoomReply, number: UInt64)
    /// These rooms have deadlines soon.
    case wake(codes: [String])
    /// A computer player in a room of this shard has a move.
    case computerReply(ComputerReply)
    /// For the first shard: changes an account.
    case account(AccountDesk.Order, asker: Int, number: UInt64)
    /// About this node and others.
    case node(NodeNotice)
    case accountSettled(AccountDesk.Answer, number: UInt64)
    /// The hub is about to stop, so clients are notified.
    case draining
}

/// A question about a room, awake or not.
enum RoomQuestion: Sendable {
    case exists
    /// The answer of `GET /api/rooms/{code}`.
    case description
    /// Its row for the read models.
    case row
}

enum RoomReply: Sendable {
    case exists
    case description([UInt8])
    case row(RoomRow)
    case absent
    /// The room exists, but its log cannot be read.
    case broken
    /// The log is down, and the room is not awake or may have gone back with the log.
    case unread
    /// Too many rooms are being read.
    case busy
}

/// The shards of a hub, one for each loop, by index.
protocol ShardDirectory: NodeLoops {
    func post(_ message: ShardMessage, to shard: Int)
}

extension ShardDirectory {
    func post(_ notice: NodeNotice, to shard: Int) { post(.node(notice), to: shard) }
}
