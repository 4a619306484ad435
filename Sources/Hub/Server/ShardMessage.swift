import EventStore
import Games
import RoomRules

/// What other threads tell a shard.
enum ShardMessage: Sendable {
    /// From the log, in its order.
    case log([LogMessage])
    case readModels(ReadModelAnswer)
    /// From another shard, about a room of this one.
    case question(RoomQuestion, code: String, asker: Int, number: UInt64)
    case reply(RoomReply, number: UInt64)
    /// These rooms have something to do soon.
    case wake(codes: [String])
    /// A computer player of a room of this shard has thought of something.
    case computerReply(ComputerReply)
    /// To the first shard: an account is to be changed.
    case account(AccountDesk.Order, asker: Int, number: UInt64)
    /// From another node, about connections to a room of this shard.
    case relay(RelayMessage, about: String, from: NodeName)
    /// To the first shard: what came of telling other nodes, at this time, that this one is there.
    case renewal(Result<LeaseRenewal, EventLogError>, sent: NodeKeeper.Moment)
    /// This node serves rooms from now on.
    case serves
    /// It is about to leave: rooms are given up.
    case leaves
    /// To the first shard: one of them has given up all of its rooms.
    case hasLeft
    /// To the first shard: this run has claimed a room, and does not serve by the stream `hub`.
    case holderIsUnknown(run: String)
    /// The other nodes take this one to be there until then, if it knows the stream `hub` up to this version.
    case leaseRuns(until: Milliseconds, hubVersion: Int)
    /// Events that a node which serves beside this one cannot read: they are not to be written.
    case othersCannotRead(Set<String>)
    /// The link to another node was made anew: what was sent before may not have come, either way.
    case linkIsBack(NodeName)
    /// It was lost.
    case linkIsDown(NodeName)
    case accountSettled(AccountDesk.Answer, number: UInt64)
    /// This account has another name or fewer devices, or is gone.
    case accountChanged(PlayerID)
    /// Rows have seen all names that there are: some of those who were asked for before may be called otherwise.
    case namesCaughtUp
    /// The hub is about to stop: clients are told.
    case draining
}

/// What may be asked about a room, awake or not.
enum RoomQuestion: Sendable {
    /// Whether there is such a room.
    case exists
    /// What `GET /api/rooms/{code}` answers.
    case description
    /// Its row for the read models.
    case row
}

enum RoomReply: Sendable {
    case exists
    case description([UInt8])
    case row(RoomRow)
    /// There is no such room.
    case absent
    /// It is there, but its log cannot be read.
    case broken
    /// The log is down, and the room is not awake, or may have gone back with it.
    case unread
    /// Too many rooms are being read.
    case busy
}

/// The shards of a hub, one a loop, by their index.
protocol ShardDirectory: AnyObject {
    var count: Int { get }
    func post(_ message: ShardMessage, to shard: Int)
}
