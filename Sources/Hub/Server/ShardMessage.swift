import EventStore
import Games
import RoomRules
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
    /// From another node, about connections to a room of this shard.
    case relay(RelayMessage, about: String, from: NodeName)
    /// For the first shard: the result of a renewal that was sent at this time.
    case renewal(Result<LeaseRenewal, EventLogError>, sent: NodeKeeper.Moment)
    /// This node serves rooms from now on.
    case serves
    /// This node leaves, so rooms are given up.
    case leaves
    /// For the first shard: a shard has given up all its rooms.
    case hasLeft
    /// For the first shard: this run has claimed a room, but the stream `hub` does not list it as serving.
    case holderIsUnknown(run: String)
    /// Other nodes count on this one until then, once it has read the stream `hub` up to this version.
    case leaseRuns(until: Milliseconds, hubVersion: Int)
    /// Events that another serving node cannot read, and which must not be written.
    case othersCannotRead(Set<String>)
    /// The link to another node was made again. Earlier messages may be lost in either direction.
    case linkIsBack(NodeName)
    /// The link to another node was lost.
    case linkIsDown(NodeName)
    case accountSettled(AccountDesk.Answer, number: UInt64)
    /// This account has another name or fewer devices, or is gone.
    case accountChanged(PlayerID)
    /// The rows have all current names. Players may have other names than earlier answers said.
    case namesCaughtUp
    /// The hub is about to stop, so clients are notified.
    case draining
}

/// A question about a room, awake or not.
enum RoomQuestion: Sendable {
    /// Whether the room exists.
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
protocol ShardDirectory: AnyObject {
    var count: Int { get }
    func post(_ message: ShardMessage, to shard: Int)
}
