import Games
import RoomRules

// How a loop reacts to other nodes.
extension Shard {
    /// The set of nodes that serve has changed. Rooms of nodes that have gone can be claimed.
    func nodesChanged() {
        let nodes = surroundings.history.roll.nodes
        cluster?.nodes = nodes
        surroundings.nodeCount = nodes.count
        relayed?.nodesChanged()
        relays?.nodesChanged()
        claims?.retry()
        singletons?.nodesChanged()
    }

    /// Messages sent on the link before this one may be lost, in both directions.
    func linkIsBack(to node: NodeName) {
        relayed?.forget(node)
        relays?.linkIsBack(to: node)
        claims?.retry()
        namesCaughtUp()
    }

    func linkIsDown(to node: NodeName) {
        relayed?.forget(node)
        relays?.linkIsDown(to: node)
    }

    /// This node has joined and serves.
    func beginToServe() {
        cluster?.mayServe = true
        singletons?.dueRooms.nodesChanged()
        singletons?.dueRooms.wake()
    }

    /// Another run has claimed a room of this one.
    func homeLost(_ code: String) {
        claims?.claimLost(code)
        guard let room = rooms[code] else { return }
        room.giveUp { [rooms] in rooms.release(room) }
    }

    /// Gives up all rooms, then notifies the first loop.
    func leave() {
        guard let claims, let relays, drain == nil else { return }
        cluster?.mayServe = false
        claims.retry()
        drain = RoomDrain(
            surroundings, rooms: rooms, claims: claims, relays: relays, loops: shards.count
        ) { [shards] in shards.post(.hasLeft, to: 0) }
        drain?.giveUpSome()
    }
}
