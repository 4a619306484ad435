import Games
import RoomRules
import Rooms
import WebProtocols

/// A WebSocket whose room has its home at another node.
final class RelayedConnection: HubConnection {
    /// Most bytes of a client's messages on their way to the home: the longest message, twice.
    static let unheardLimit = 128 * 1024

    let id: RelayedID
    let channel: any SocketChannel
    let code: String
    private unowned let desk: RelayDesk
    var isClosed = false
    /// The node that it was a member at when it was closed, if the room's home may have changed since.
    var formerHome: NodeName?
    var allowance = Allowance()
    var unheard = 0
    /// Whether it gets broadcasts.
    var isListening = false
    /// The number of the newest greeting; 0 before the first.
    private(set) var greeting = 0
    /// The greeting after which broadcasts were left out; nil if none were.
    var fullSince: Int?
    /// Messages for it alone that came while its queue was full.
    private var kept: [Frame] = []

    init(_ id: RelayedID, _ channel: any SocketChannel, room code: String, at desk: RelayDesk) {
        (self.id, self.channel, self.code, self.desk) = (id, channel, code, desk)
    }

    func messageArrived(_ bytes: RawSpan) { desk.messageArrived(bytes, from: self) }
    func drained() { desk.drained(self) }
    func closed() { desk.closed(self) }

    func close(_ code: CloseCode, _ reason: String) {
        guard !isClosed else { return }
        isClosed = true
        channel.close(code, reason)
    }

    /// Sends a greeting, which replaces everything left out, and then what was kept.
    func greet(_ frames: [Frame], number: Int) {
        (greeting, fullSince, isListening) = (number, nil, true)
        for frame in frames + kept { channel.send(frame) }
        kept = []
    }

    /// Sends a message for this client alone, after the greeting that replaces what was left out.
    func answer(_ frame: Frame, _ counters: HubCounters) {
        guard !isClosed else { return }
        guard fullSince != nil else { return channel.send(frame) }
        guard kept.count < Member.owedLimit else {
            counters.hit(.owedAnswers)
            return close(.tryAgainLater, "you send but do not read")
        }
        kept.append(frame)
    }
}

/// The connections to one room that has its home at another node.
final class RelayedRoom {
    let node: NodeName
    /// Ordered by id, which is the order in which they came.
    var connections: [RelayedConnection] = []

    init(at node: NodeName) { self.node = node }

    subscript(id: RelayedID) -> RelayedConnection? { connections.index(of: id) { $0.id }.map { connections[$0] } }

    /// False if it is not one of them.
    func remove(_ connection: RelayedConnection) -> Bool {
        guard let index = connections.index(of: connection.id, by: { $0.id }) else { return false }
        connections.remove(at: index)
        return true
    }
}
