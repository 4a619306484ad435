import EventStore
import Games
import RoomRules

/// What the loops of a node and its keeper, on the first loop, tell each other.
public enum NodeNotice: Sendable {
    /// From another node, about connections to a room of this loop.
    case relay(RelayMessage, about: String, from: NodeName)
    /// This account has another name or fewer devices, or is gone. Nil if any account may differ from earlier answers.
    case accountChanged(PlayerID?)
    /// For the first loop: the result of a renewal that was sent at this time.
    case renewal(Result<LeaseRenewal, EventLogError>, sent: NodeKeeper.Moment)
    /// This node serves rooms from now on.
    case serves
    /// This node leaves, so rooms are given up.
    case leaves
    /// For the first loop: a loop has given up all its rooms.
    case hasLeft
    /// For the first loop: this run has claimed a room, but the stream `hub` does not list it as serving.
    case holderIsUnknown(run: String)
    /// The lease lasts until then. It counts once the stream `hub` has been read up to this version.
    case leaseRuns(until: Milliseconds, hubVersion: Int)
    /// Events that another serving node cannot read, and which must not be written.
    case othersCannotRead(Set<String>)
    /// The link to another node was made again. Earlier messages may be lost in either direction.
    case linkIsBack(NodeName)
    /// The link to another node was lost.
    case linkIsDown(NodeName)
}

/// The loops of a node, by index.
public protocol NodeLoops: AnyObject {
    /// How many there are.
    var count: Int { get }
    /// From any of the loops, or from outside of them on any thread.
    func post(_ notice: NodeNotice, to loop: Int)
}

extension NodeLoops {
    /// Posts it to each loop.
    public func postToAll(_ notice: NodeNotice) { for loop in 0..<count { post(notice, to: loop) } }

    /// Passes a message from another node to the loops that it is for.
    public func deliver(_ message: NodeMessage, from node: NodeName) {
        switch message {
        case .relay(let code, let message):
            post(.relay(message, about: code, from: node), to: shardIndex(ofRoom: code, count: count))
        case .accountChanged(let player): postToAll(.accountChanged(player))
        }
    }
}
