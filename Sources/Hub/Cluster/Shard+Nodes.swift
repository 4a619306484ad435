import Games

// What a loop does about other nodes.
extension Shard {
    /// Other nodes serve than before: rooms of those that have gone can be claimed.
    func nodesChanged() {
        surroundings.cluster?.nodes = surroundings.history.roll.nodes
        relayed?.nodesChanged()
        relays?.nodesChanged()
        claims?.retry()
        singletons?.nodesChanged()
    }

    /// What was said on the link before this one may not have come, either way.
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

    /// This node has joined, and does serve.
    func beginToServe() {
        surroundings.cluster?.mayServe = true
        singletons?.dueRooms.nodesChanged()
        singletons?.dueRooms.wake()
    }

    /// Another run has the room that was this one's.
    func homeLost(_ code: String) {
        claims?.lost(code)
        guard let room = rooms[code] else { return }
        room.giveUp { [rooms] in rooms.letGo(of: room) }
    }

    /// All rooms are given up, and then the first loop is told.
    func leave() {
        guard let claims, let relays, drain == nil else { return }
        surroundings.cluster?.mayServe = false
        claims.retry()
        drain = RoomDrain(
            surroundings, rooms: rooms, claims: claims, relays: relays, loops: shards.count
        ) { [shards] in shards.post(.hasLeft, to: 0) }
        drain?.giveUpSome()
    }
}
