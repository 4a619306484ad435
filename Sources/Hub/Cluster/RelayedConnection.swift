import Games
import WebProtocols

/// A WebSocket whose room has its home at another node.
final class RelayedConnection: RoomConnection {
    /// Most bytes that a client may have said and its room's home is not known to have heard: the longest message, and
    /// as much again.
    static let unheardLimit = 128 * 1024

    let id: RelayedID
    let channel: any SocketChannel
    let code: String
    var isClosed = false
    /// Where it was a member before it was closed, once others of its room may be members elsewhere.
    var formerHome: NodeName?
    var allowance = Allowance()
    var unheard = 0
    /// Whether it gets what all get.
    var isListening = false
    /// The number of the newest greeting; 0: there was none.
    private(set) var greeting = 0
    /// The greeting since which broadcasts were left out; nil: none were.
    var fullSince: Int?
    /// What is for it alone while it is full.
    private var kept: [Frame] = []

    init(_ id: RelayedID, _ channel: any SocketChannel, room code: String) {
        (self.id, self.channel, self.code) = (id, channel, code)
    }

    func close(_ code: CloseCode, _ reason: String) {
        guard !isClosed else { return }
        isClosed = true
        channel.close(code, reason)
    }

    /// Sends what stands for all that was left out, and then what was kept.
    func greet(_ frames: [Frame], number: Int) {
        (greeting, fullSince, isListening) = (number, nil, true)
        for frame in frames + kept { channel.send(frame) }
        kept = []
    }

    /// For this client alone: after the greeting that stands for what was left out.
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
    /// In the order in which they came, which is that of their ids.
    var connections: [RelayedConnection] = []

    init(at node: NodeName) { self.node = node }

    subscript(id: RelayedID) -> RelayedConnection? { connections.index(of: id) { $0.id }.map { connections[$0] } }

    /// False where it is not among them.
    func remove(_ connection: RelayedConnection) -> Bool {
        guard let index = connections.index(of: connection.id, by: { $0.id }) else { return false }
        connections.remove(at: index)
        return true
    }
}
