import EventStore
import RoomRules
import Rooms
import WebProtocols

/// One loop of a node: claims rooms for the clients who come here, or relays them to the rooms' homes, and has the
/// members that other nodes relay here.
public final class NodeLoop {
    /// The nodes that serve.
    public let cluster: ServingNodes
    /// Set on a node's first loop.
    public var keeper: NodeKeeper?
    private let surroundings: RoomSurroundings
    private let rooms: AwakeRooms
    private let loops: any NodeLoops
    private let claims: ClaimDesk
    /// Sockets here for rooms at other nodes.
    private let relays: RelayDesk
    /// Members here whose sockets are at other nodes.
    private let relayed: RelayedMembers
    /// Set once this node leaves.
    private(set) var drain: RoomDrain?

    /// For the loop `index` of `loops`, which has `rooms`.
    public init(
        _ cluster: ServingNodes, _ surroundings: RoomSurroundings, rooms: AwakeRooms, members: MemberDesk,
        loops: any NodeLoops, index: Int
    ) {
        (self.cluster, self.surroundings, self.rooms, self.loops) = (cluster, surroundings, rooms, loops)
        let relays = RelayDesk(surroundings, cluster, loop: index)
        let claims = ClaimDesk(surroundings, cluster, rooms: rooms, members: members, relays: relays, loops: loops)
        (self.relays, self.claims) = (relays, claims)
        relayed = RelayedMembers(surroundings, cluster, rooms: rooms, desk: members, claims: claims, loops: loops.count)
        rooms.isAsleep = { [claims] in claims.release($0.code, owed: $0.owedSince) }
        surroundings.homeLost = { [unowned self] in homeLost($0) }
    }

    /// A WebSocket was opened for the room `code`, which is not awake here; nil if it had to be closed at once.
    public func enter(_ channel: any SocketChannel, room code: String) -> (any HubConnection)? {
        if let node = relays.home(ofRoom: code) { return relays.enter(channel, room: code, at: node) }
        return claims.enter(channel, room: code)
    }

    /// The room is due, so it is woken here unless another run has it.
    public func wake(_ code: String) { claims.wake(code) }

    /// Sends a notice of the hub to every client of rooms at other nodes.
    public func tell(_ frame: Frame) { relays.tell(frame) }

    /// One of its own timers fired.
    public func fired(_ timer: LoopTimer) {
        switch timer {
        case .node: keeper?.renewLease()
        case .claims: claims.timerFired()
        case .drain: drain?.giveUpSome()
        default: break
        }
    }

    /// A notice was posted to this loop.
    public func noticeArrived(_ notice: NodeNotice) {
        switch notice {
        case .relay(let message, let code, let node):
            if message.isForHome {
                relayed.relayArrived(message, about: code, from: node)
            } else {
                relays.relayArrived(message, about: code, from: node)
            }
        case .renewal(let result, let moment): keeper?.leaseRenewed(result, sent: moment)
        case .serves: cluster.mayServe = true
        case .leaves: leave()
        case .hasLeft: keeper?.loopHasLeft()
        case .holderIsUnknown(let run): keeper?.watch(run)
        case .othersCannotRead(let types): rooms.othersCannotRead(types)
        // Messages sent on the link before this one may be lost, in both directions.
        case .linkIsBack(let node):
            relayed.forget(node)
            relays.linkIsBack(to: node)
            claims.retry()
        case .linkIsDown(let node):
            relayed.forget(node)
            relays.linkIsDown(to: node)
        case .leaseRuns, .accountChanged: break
        }
    }

    /// A message of the log that it sends by itself.
    public func logSent(_ message: LogMessage) {
        switch message {
        case .claimLost(let stream): if let code = stream.roomCode { homeLost(code) }
        case .claimedAgain(let claim): if let code = claim.stream.roomCode { rooms[code]?.claimAgain(claim) }
        default: break
        }
    }

    /// The set of nodes that serve has changed. Rooms of nodes that have gone can be claimed.
    public func nodesChanged() {
        cluster.nodes = surroundings.history.roll.nodes
        surroundings.nodeCount = cluster.nodes.count
        relayed.nodesChanged()
        relays.nodesChanged()
        claims.retry()
    }

    /// Another run has claimed a room of this one.
    private func homeLost(_ code: String) {
        claims.claimLost(code)
        guard let room = rooms[code] else { return }
        room.giveUp { [rooms] in rooms.release(room) }
    }

    private func leave() {
        guard drain == nil else { return }
        cluster.mayServe = false
        claims.retry()
        drain = RoomDrain(surroundings, rooms: rooms, claims: claims, relays: relays, loops: loops)
        drain?.giveUpSome()
    }
}
