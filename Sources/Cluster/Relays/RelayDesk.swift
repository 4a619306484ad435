import Games
import JSON
import RoomRules
import Rooms
import WebProtocols

/// The connections to rooms whose homes are other nodes. Passes their clients' messages to the home, and its messages
/// back. It folds nothing and knows no game.
final class RelayDesk {
    private let surroundings: RoomSurroundings
    private let cluster: ServingNodes
    private var rooms: [String: RelayedRoom] = [:]
    private var lastID: RelayedID
    /// Nodes that this one is linked to, whether or not they serve.
    private var linked: Set<NodeName> = []

    /// `loop`: no two loops use the same ids.
    init(_ surroundings: RoomSurroundings, _ cluster: ServingNodes, loop: Int) {
        (self.surroundings, self.cluster) = (surroundings, cluster)
        lastID = RelayedID(loop) << 48
    }

    // MARK: Clients

    /// The room's home as far as its relayed connections show; nil if there are none, or if all are closed and only
    /// wait for their sockets to end, since the home may have changed.
    func home(ofRoom code: String) -> NodeName? {
        guard let room = rooms[code] else { return nil }
        if room.connections.contains(where: { !$0.isClosed }) { return room.node }
        for connection in room.connections { connection.formerHome = room.node }
        rooms[code] = nil
        return nil
    }

    func isLinked(to node: NodeName) -> Bool { linked.contains(node) }

    /// An upgraded connection to the room `code`, whose home is `node`. This node is linked to it.
    func enter(_ channel: any SocketChannel, room code: String, at node: NodeName) -> RelayedConnection {
        lastID += 1
        let connection = RelayedConnection(lastID, channel, room: code, at: self)
        let room = rooms[code] ?? RelayedRoom(at: node)
        rooms[code] = room
        room.connections.append(connection)
        surroundings.counters.members.add(1)
        surroundings.counters.relayedConnections.add(1)
        tell(.opened(connection.id, channel.peer), of: connection, at: node)
        return connection
    }

    /// A text message of the client.
    func messageArrived(_ bytes: RawSpan, from connection: RelayedConnection) {
        guard !connection.isClosed else { return }
        do throws(Rejection) { try connection.allowance.takeMessage(surroundings) } catch {
            surroundings.counters.refused(error)
            guard connection.allowance.refuse(surroundings) else {
                return connection.close(.policyViolation, "you are sending far too fast")
            }
            return connection.answer(HubMessage.error(nil, error), surroundings.counters)
        }
        forward(bytes, from: connection)
    }

    /// Passes a message on unchanged if it cannot contain a token. Any other is read first, and refused here if it
    /// cannot be read.
    private func forward(_ bytes: RawSpan, from connection: RelayedConnection) {
        guard bytes.mayHoldToken else { return say(bytes.array, connection) }
        do throws(ClientMessage.Refusal) {
            switch try ClientMessage.read(bytes) {
            case .hello(let hello): tell(.hello(connection.id, hello), of: connection)
            case .ping(let number): say(JSONWriter.bytes(["type": "ping", "n": .integer(number)]), connection)
            case .command(let id, let type, var fields):
                guard fields["token"] != nil else { return say(bytes.array, connection) }
                (fields["type"], fields["id"], fields["token"]) = (.string(type), .string(id), nil)
                say(JSONWriter.bytes(fields), connection)
            }
        } catch { connection.answer(error.frame(countedBy: surroundings.counters), surroundings.counters) }
    }

    private func say(_ text: [UInt8], _ connection: RelayedConnection) {
        connection.unheard += text.count
        guard connection.unheard <= RelayedConnection.unheardLimit else {
            return connection.close(.tryAgainLater, "you send more than can be taken right now")
        }
        tell(.said(connection.id, text), of: connection)
    }

    /// The socket has sent everything.
    func drained(_ connection: RelayedConnection) {
        if let greeting = connection.fullSince { tell(.drained(connection.id, greeting: greeting), of: connection) }
    }

    func closed(_ connection: RelayedConnection) {
        surroundings.counters.members.add(-1)
        surroundings.counters.relayedConnections.add(-1)
        connection.isClosed = true
        if let node = connection.formerHome { return tell(.closed(connection.id), of: connection, at: node) }
        guard let room = rooms[connection.code], room.remove(connection) else { return }
        tell(.closed(connection.id), of: connection, at: room.node)
        if room.connections.isEmpty { rooms[connection.code] = nil }
    }

    private func tell(_ message: RelayMessage, of connection: RelayedConnection, at node: NodeName? = nil) {
        guard let node = node ?? rooms[connection.code]?.node else { return }
        cluster.send(.relay(connection.code, message), to: node)
    }

    // MARK: From the home

    func relayArrived(_ message: RelayMessage, about code: String, from node: NodeName) {
        if case .greeting(_, _, let texts) = message {
            cluster.send(.relay(code, .taken(texts.reduce(0) { $0 + $1.count })), to: node)
        }
        guard let room = rooms[code], room.node == node else { return }
        guard let id = message.connection else {
            if case .broadcast(let text) = message { broadcast(.text(text), in: room) }
            return
        }
        guard let connection = room[id], !connection.isClosed else { return }
        switch message {
        case .greeting(_, let number, let texts): connection.greet(texts.map { .text($0) }, number: number)
        case .heard(_, let bytes): connection.unheard = max(0, connection.unheard - bytes)
        case .answer(_, let text): connection.answer(.text(text), surroundings.counters)
        case .replaceable(_, let text):
            if connection.isListening, connection.fullSince == nil { connection.channel.send(.text(text)) }
        case .paused: connection.isListening = false
        case .servedLast(_, let isLast): connection.channel.isServedLast = isLast
        case .close(_, let code, let reason): connection.close(code, reason)
        case .opened, .hello, .said, .full, .drained, .closed, .taken, .broadcast: break
        }
    }

    private func broadcast(_ frame: Frame, in room: RelayedRoom) {
        for connection in room.connections where connection.isListening && !connection.isClosed {
            if connection.fullSince == nil, connection.channel.queuedBytes > Member.queueLimitBytes {
                connection.fullSince = connection.greeting
                tell(.full(connection.id, greeting: connection.greeting), of: connection, at: room.node)
            }
            if connection.fullSince == nil {
                connection.channel.send(frame)
            } else {
                surroundings.counters.leftOut.add()
            }
        }
    }

    /// Sends a notice of the hub to every client.
    func tell(_ frame: Frame) {
        for (_, room) in inOrder {
            for connection in room.connections { connection.answer(frame, surroundings.counters) }
        }
    }

    // MARK: Nodes

    /// The link to a node was made again. Connections relayed over the link before are closed.
    func linkIsBack(to node: NodeName) {
        closeAll { $0 == node }
        linked.insert(node)
    }

    /// The link to a node is down. Its rooms' clients reconnect, here or elsewhere.
    func linkIsDown(to node: NodeName) {
        linked.remove(node)
        closeAll { $0 == node }
    }

    /// The set of nodes that serve has changed. Clients of rooms of nodes that have gone reconnect. If this node no
    /// longer serves, all do, since no home keeps members of such a node.
    func nodesChanged() {
        let serves = cluster.has(cluster.node)
        closeAll { !serves || !cluster.has($0) }
    }

    /// Closes up to `limit` relayed connections because this node leaves. Returns how many it has closed.
    func sendAway(_ limit: Int) -> Int {
        let open = inOrder.lazy.flatMap(\.1.connections).filter { !$0.isClosed }
        let some = Array(open.prefix(max(0, limit)))
        for connection in some { connection.close(.serviceRestart, AwakeRooms.elsewhere) }
        return some.count
    }

    /// Whether no relayed connection is open.
    var isEmpty: Bool { rooms.values.allSatisfy { $0.connections.allSatisfy(\.isClosed) } }

    private func closeAll(_ isAt: (NodeName) -> Bool) {
        for (code, room) in inOrder where isAt(room.node) {
            rooms[code] = nil
            for connection in room.connections {
                tell(.closed(connection.id), of: connection, at: room.node)
                connection.close(.serviceRestart, AwakeRooms.elsewhere)
            }
        }
    }

    private var inOrder: [(String, RelayedRoom)] { rooms.sorted { $0.key < $1.key } }
}

extension RawSpan {
    var array: [UInt8] { withUnsafeBytes { Array($0) } }

    private static let wordsOfHello = [Array("hello".utf8), Array("token".utf8)]

    /// Whether a message may contain a token. One with a backslash may, since JSON can escape any character.
    fileprivate var mayHoldToken: Bool {
        withUnsafeBytes { bytes in
            for index in bytes.indices {
                switch bytes[index] {
                case UInt8(ascii: "\\"): return true
                case UInt8(ascii: "h"), UInt8(ascii: "t"):
                    for word in Self.wordsOfHello where bytes[index...].starts(with: word) { return true }
                default: break
                }
            }
            return false
        }
    }
}
