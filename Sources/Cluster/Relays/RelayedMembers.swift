import RoomRules
import Rooms
import Transport
import WebProtocols

/// The members of a loop's rooms whose sockets are at other nodes.
final class RelayedMembers {
    private let surroundings: RoomSurroundings
    private let cluster: ServingNodes
    private let rooms: AwakeRooms
    private let desk: MemberDesk
    private let claims: ClaimDesk
    private let loops: Int
    /// By the node that relays them.
    private var relays: [NodeName: Relay] = [:]
    /// Messages about rooms that are still being looked for, in order. The limits of each connection bound them.
    private var early: [String: [(message: RelayMessage, node: NodeName)]] = [:]

    private final class Relay {
        let window: GreetingWindow
        var members: [RelayedID: Member] = [:]
        /// By room, while members of it are here.
        var groups: [String: RelayGroup] = [:]

        init(window: GreetingWindow) { self.window = window }

        func add(_ member: Member, _ id: RelayedID, to group: RelayGroup) {
            members[id] = member
            groups[group.code] = group
            group.memberCount += 1
        }

        func remove(_ id: RelayedID, of group: RelayGroup) {
            members[id] = nil
            group.memberCount -= 1
            if group.memberCount == 0, groups[group.code] === group { groups[group.code] = nil }
        }
    }

    init(
        _ surroundings: RoomSurroundings, _ cluster: ServingNodes, rooms: AwakeRooms, desk: MemberDesk,
        claims: ClaimDesk, loops: Int
    ) {
        (self.surroundings, self.cluster, self.rooms) = (surroundings, cluster, rooms)
        (self.desk, self.claims, self.loops) = (desk, claims, loops)
    }

    /// A relay's message about a connection to the room `code`.
    func relayArrived(_ message: RelayMessage, about code: String, from node: NodeName) {
        if case .taken(let bytes) = message { return bytesTaken(bytes, from: node) }
        guard early[code] == nil else { return early[code, default: []].append((message, node)) }
        switch message {
        case .opened(let id, let peer): open(id, of: peer, to: code, from: node)
        default: if let id = message.connection { relayArrived(message, of: id, from: node) }
        }
    }

    private func relayArrived(_ message: RelayMessage, of id: RelayedID, from node: NodeName) {
        // The home may have closed it.
        guard let member = relays[node]?.members[id], let channel = member.channel as? RelayedChannel else { return }
        switch message {
        case .hello(_, let hello): desk.relayed(.hello(hello), from: member)
        case .said(_, let text):
            channel.heard(text.count)
            desk.relayed(text.span.bytes, from: member)
        case .full(_, let greeting):
            if member.isLive, channel.becomesFull(since: greeting) {
                member.fallBehind(now: member.room.stream.now)
            }
        case .drained(_, let greeting): if channel.drains(since: greeting) { member.drained() }
        case .closed:
            relays[node]?.remove(id, of: channel.group)
            surroundings.relayedMembers -= 1
            member.closed()
        case .opened, .taken, .greeting, .answer, .replaceable, .broadcast, .paused, .servedLast, .close, .heard: break
        }
    }

    /// Greetings have arrived at the relay, so members that wait for the window are greeted.
    private func bytesTaken(_ bytes: Int, from node: NodeName) {
        guard let relay = relays[node] else { return }
        relay.window.acknowledge(bytes)
        while let id = relay.window.first {
            guard let member = relay.members[id], member.isLive, member.behindSince != nil else {
                (relay.members[id]?.channel as? RelayedChannel)?.stopWaiting()
                relay.window.dropFirst()
                continue
            }
            member.drained()
            // It does not fit yet.
            if relay.window.first == id { return }
        }
    }

    private func open(_ id: RelayedID, of peer: Peer, to code: String, from node: NodeName) {
        guard let room = rooms[code] else {
            // The answer to this node's claim may be on its way, or its release may have failed.
            early[code] = [(.opened(id, peer), node)]
            claims.wake(code) { [self] in roomIsKnown(code) }
            return
        }
        let relay = relays[node] ?? Relay(window: GreetingWindow(loops: loops))
        // A room that has woken again counts its broadcasts from the start, so an earlier group is of no use.
        let known = relay.groups[code].flatMap { $0.edge === room.edge ? $0 : nil }
        let group = known ?? RelayGroup(of: room.edge, code, at: node, cluster)
        let channel = RelayedChannel(id, of: peer, in: group, relay.window)
        guard let member = desk.add(channel, room: code) else { return }
        relays[node] = relay
        relay.add(member, id, to: group)
        surroundings.relayedMembers += 1
    }

    private func roomIsKnown(_ code: String) {
        for (message, node) in early.removeValue(forKey: code) ?? [] {
            if rooms[code] != nil {
                relayArrived(message, about: code, from: node)
            } else if case .opened(let id, _) = message {
                cluster.send(.relay(code, .close(id, .serviceRestart, AwakeRooms.elsewhere)), to: node)
            }
        }
    }

    /// The link is down: removes all members whose sockets are there.
    func forget(_ node: NodeName) {
        for code in early.keys { early[code]?.removeAll { $0.node == node } }
        guard let gone = relays.removeValue(forKey: node) else { return }
        surroundings.relayedMembers -= gone.members.count
        for (_, member) in gone.members.sorted(by: { $0.key < $1.key }) { member.closed() }
    }

    /// Members at nodes that no longer serve have gone, or reconnect.
    func nodesChanged() {
        for node in relays.keys.sorted() where !cluster.has(node) {
            let gone = (relays[node]?.members ?? [:]).sorted { $0.key < $1.key }
            for (_, member) in gone { member.close(.serviceRestart, AwakeRooms.elsewhere) }
            forget(node)
        }
    }
}
