import Games

// What a loop says and waits for where homes move.
extension Shard {
    /// Rooms go to their homes of now.
    func moveRooms() {
        moving = rooms.nodesChanged()
        surroundings.cluster?.sendToAll(.handOver(handOverNote(isSettled: false)))
        if moving.isEmpty { tellSettled() }
        readRooms()
    }

    /// A turn ends: what was on its way may have come to its end, here and at other nodes.
    func settle() {
        guard let cluster = surroundings.cluster else { return }
        if !moving.isEmpty {
            moving.removeAll { $0.hasGone || $0.life == .broken }
            if moving.isEmpty { tellSettled() }
        } else if owesOutages, !surroundings.isOutageUnrecorded {
            tellSettled()
        }
        if cluster.handOversUnderWay > 0 { readRooms() }
    }

    private func tellSettled() {
        owesOutages = surroundings.isOutageUnrecorded
        surroundings.cluster?.sendToAll(.handOver(handOverNote(isSettled: true)))
    }

    /// What was told before may not have come there.
    func tellHandOver(to node: NodeName) {
        owesOutages = owesOutages || surroundings.isOutageUnrecorded
        surroundings.cluster?.send(.handOver(handOverNote(isSettled: moving.isEmpty)), to: node)
    }

    private func handOverNote(isSettled: Bool) -> HandOverNote {
        HandOverNote(
            epoch: surroundings.cluster?.membership.epoch ?? 0, isSettled: isSettled,
            hubVersion: surroundings.isOutageUnrecorded ? nil : outages.hubVersion, loop: index, loops: shards.count)
    }

    /// Another node says how far it is.
    func received(_ note: HandOverNote, from node: NodeName) {
        guard let cluster = surroundings.cluster else { return }
        // It has read what this one has not.
        if note.hubVersion ?? 0 > outages.hubVersion || note.epoch > cluster.membership.epoch {
            surroundings.log.refresh()
        }
        cluster.note(note, of: node)
        readRooms()
    }

    func linkIsDown(to node: NodeName) {
        relayed?.forget(node)
        relays?.linkIsDown(to: node)
    }

    /// This node has joined, and does serve.
    func beginToServe() {
        surroundings.cluster?.mayServe = true
        for room in rooms.all { room.isHandedOver() }
    }

    /// Reads the rooms that nobody else judges any more.
    func readRooms() {
        guard let cluster = surroundings.cluster else { return }
        let spans = cluster.finishHandOvers(at: surroundings.now, hubVersion: outages.hubVersion)
        if !spans.isEmpty { for room in rooms.all { room.isHandedOver() } }
        count(handOvers: spans, underWay: cluster.handOversUnderWay)
        guard let deadline = cluster.handOverDeadline else { return surroundings.timers.cancel(HandOver.timer) }
        surroundings.timers.arm(HandOver.timer, at: deadline)
    }

    /// Once for the node: all of its loops wait for the same others.
    private func count(handOvers spans: [Milliseconds], underWay: Int) {
        guard index == 0 else { return }
        for span in spans { surroundings.counters.handOvers.add(span * 1_000_000) }
        surroundings.counters.handOversUnderWay.set(underWay)
    }
}
