import EventStore
import Games

// A room that has its home here, or on another node, by which nodes there are.
extension Room {
    /// What another node says of the room.
    func receive(_ message: RoomMessage, in session: NodeSession, from node: NodeName) {
        guard message.isForHome else {
            if let remote, remote.node == node { remote.receive(message, in: session) }
            return
        }
        if case .detach = message {
            expected.remove(node)
            // Who has asked to be known before has gone meanwhile.
            visitors.removeAll { ($0 as? AttachVisit)?.node == node }
            return home?.detach(node, session) ?? ()
        }
        guard let home, home.whenLeft == nil else { return refuse(.notHome, session, message, to: node) }
        if case .attach(let attachment) = message { return whenKnown(AttachVisit(node, session, attachment)) }
        // It was forgotten since, or another home knew it.
        guard home.outposts.session(of: node) == session else { return refuse(.unknown, session, message, to: node) }
        home.receive(message, from: node)
    }

    fileprivate func refuse(
        _ refusal: RoomMessage.Refusal, _ session: NodeSession, _ message: RoomMessage, to node: NodeName
    ) {
        surroundings.cluster?.send(.room(code, session, .refused(refusal)), to: node)
    }

    /// There are other nodes than before: one that is gone has no members here, and the room's home may be another.
    func nodesChanged() {
        guard let cluster = surroundings.cluster else { return }
        for node in home?.outposts.nodes ?? [] where !cluster.has(node) { home?.forget(node) }
        forgetVisits { !cluster.has($0) }
        // Where it is leaving it looks once more when it has left.
        guard home?.whenLeft == nil, life != .absent, cluster.home(ofRoom: code) != remote?.node else { return }
        renewHome()
    }

    /// Among the rooms that are at home here, or elsewhere.
    func count(_ amount: Int) {
        (home == nil ? surroundings.counters.roomsElsewhere : surroundings.counters.roomsAtHome).add(amount)
    }

    /// The link to a node is none any more: it was heard last at `since`.
    func linkIsDown(to node: NodeName, since: Milliseconds) {
        forgetVisits { $0 == node }
        if remote?.node == node { remote?.linkIsDown(since: since) }
        home?.linkIsDown(to: node, since: since)
    }

    /// Where a node is there after all, it asks again.
    private func forgetVisits(where isGone: (NodeName) -> Bool) {
        let visits = visitors.compactMap { $0 as? AttachVisit }.filter { isGone($0.node) }
        visitors.removeAll { visitor in visits.contains { $0 === visitor } }
        for visit in visits { visit.end(in: self) }
    }

    /// The link to a node was made anew.
    func linkIsBack(to node: NodeName) { if remote?.node == node { remote?.linkIsBack() } }

    /// The node, which is the room's home, knows so by now.
    func homeKnows(at node: NodeName) { if remote?.node == node, waitsForHome { remote?.homeKnows() } }

    /// Whether anybody is here, or has been, whom a home on another node is to hear of.
    var waitsForHome: Bool { !edge.members.isEmpty || remote?.maySleep == false }

    /// Whether the room is where it belongs by now, and who is here is known there.
    var isSettled: Bool {
        if let home { return home.whenLeft == nil }
        switch life {
        case .absent, .broken, .unread: return true
        case .loading, .naming, .awake: return !waitsForHome || remote?.isKnownAtHome ?? true
        }
    }

    /// The log could not be read here, where the home is elsewhere.
    func couldNotReadBehindHome(_ error: EventLogError) {
        guard case .chainBroken = error else { return askHomeLater() }
        // Of a log that has gone back all can be read from its beginning: of one that is damaged not.
        if stream.readVersion > 0 { streamHasGoneBack() } else { streamFailed(error.sentence) }
    }
}

/// A node that waits for the room to be known.
private final class AttachVisit: RoomVisitor {
    let node: NodeName
    private let session: NodeSession
    private let attachment: Attachment

    init(_ node: NodeName, _ session: NodeSession, _ attachment: Attachment) {
        (self.node, self.session, self.attachment) = (node, session, attachment)
    }

    func end(in room: Room) { room.refuse(.unknown, session, .attach(attachment), to: node) }

    func roomIsKnown(_ room: Room) {
        let attach = RoomMessage.attach(attachment)
        guard let home = room.home, home.whenLeft == nil else {
            return room.refuse(.notHome, session, attach, to: node)
        }
        switch room.life {
        case .awake:
            home.attach(node, session, attachment)
            // One of the two may have read what the log has lost.
            if attachment.end != room.stream.readEnd { room.compareWithLog() }
        case .broken: room.refuse(.broken, session, attach, to: node)
        // The node has read of it: this one's log is behind, or cannot be read.
        case .absent, .unread, .loading, .naming: room.refuse(.unknown, session, attach, to: node)
        }
    }
}
