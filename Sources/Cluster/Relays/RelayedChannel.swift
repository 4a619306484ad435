import RoomRules
import Rooms
import Transport
import WebProtocols

/// A connection whose socket is at another node, as its room's home sees it.
final class RelayedChannel: MemberChannel {
    let peer: Peer
    private let id: RelayedID
    let group: RelayGroup
    private let window: RelayWindow
    /// Bytes of the client's messages that the relay does not know have arrived.
    private var unheard = 0
    /// The number of the newest greeting; 0 before the first.
    private var greeting = 0
    /// Whether broadcasts after that greeting were not sent to it.
    private(set) var isFull = false
    /// Whether it waits for the window.
    private var isWaiting = false
    var isServedLast = false {
        didSet { if isServedLast != oldValue { group.tell(.servedLast(id, isServedLast)) } }
    }

    init(_ id: RelayedID, of peer: Peer, in group: RelayGroup, _ window: RelayWindow) {
        (self.id, self.peer, self.group, self.window) = (id, peer, group, window)
    }

    /// The home does not know how much is queued at the relay, only whether it is too much.
    var queuedBytes: Int { isFull ? 1 : 0 }

    func send(_ frame: Frame) { group.tell(.answer(id, Array(frame.payload))) }

    func greet(_ frames: [Frame]) -> Bool {
        let texts = frames.map { Array($0.payload) }
        guard window.reserve(texts.reduce(0) { $0 + $1.count }, for: id, isWaiting: isWaiting) else {
            (isFull, isWaiting) = (true, true)
            // Its last greeting may be from a history that is lost.
            if greeting > 0 { pause() }
            return false
        }
        greeting += 1
        (isFull, isWaiting) = (false, false)
        group.tell(.greeting(id, number: greeting, texts))
        return true
    }

    func broadcast(_ frame: Frame, number: UInt64) { group.broadcast(frame, number: number) }

    func pause() { group.tell(.paused(id)) }

    func close(_ code: CloseCode, _ reason: String) { group.tell(.close(id, code, reason)) }

    // MARK: From the relay

    /// A message of this many bytes has arrived from the client.
    func heard(_ bytes: Int) {
        unheard += bytes
        guard unheard >= RelayedConnection.unheardLimit / 8 else { return }
        group.tell(.heard(id, unheard))
        unheard = 0
    }

    /// It no longer waits for the window: it is closed, or will be greeted anyway.
    func stopWaiting() { (isFull, isWaiting) = (false, false) }

    /// False if a greeting is on its way that replaces everything left out.
    func becomesFull(since greeting: Int) -> Bool {
        guard greeting == self.greeting else { return false }
        isFull = true
        return true
    }

    /// False in that case too.
    func drains(since greeting: Int) -> Bool {
        guard isFull, greeting == self.greeting else { return false }
        isFull = false
        return true
    }
}

/// Limits the bytes of greetings on their way to a node. Without it a crowd that reconnects would overflow the link,
/// which would be cut, and the crowd would reconnect again.
final class RelayWindow {
    /// For all loops of this node together. A larger greeting is sent when no other is on its way.
    static let limit = 1 << 20

    /// The connections that wait, in order. Some may have gone.
    private var waiting: [RelayedID] = []
    private let limit: Int
    private var underWay = 0

    init(loops: Int) { limit = Self.limit / loops }

    /// Reserves bytes for a connection. False if they do not fit or others have waited longer. Then it waits too.
    func reserve(_ bytes: Int, for id: RelayedID, isWaiting: Bool) -> Bool {
        let isNext = waiting.isEmpty || waiting.first == id
        guard isNext, underWay == 0 || underWay + bytes <= limit else {
            if !isWaiting { waiting.append(id) }
            return false
        }
        if !waiting.isEmpty { waiting.removeFirst() }
        underWay += bytes
        return true
    }

    /// This many bytes have arrived.
    func acknowledge(_ bytes: Int) { underWay = max(0, underWay - bytes) }

    /// The connection that has waited longest.
    var first: RelayedID? { waiting.first }

    /// The first no longer waits.
    func dropFirst() { waiting.removeFirst() }
}

/// The connections to a room that one node relays. A broadcast to them crosses the link once.
final class RelayGroup {
    let code: String
    /// The edge whose broadcasts it sends. Weak, since the room may sleep before its relay knows.
    private(set) weak var edge: RoomEdge?
    var memberCount = 0
    private let node: NodeName
    private let cluster: ServingNodes
    private var lastBroadcast: UInt64 = 0

    init(of edge: RoomEdge, _ code: String, at node: NodeName, _ cluster: ServingNodes) {
        (self.edge, self.code, self.node, self.cluster) = (edge, code, node, cluster)
    }

    func tell(_ message: RelayMessage) { cluster.send(.relay(code, message), to: node) }

    /// Called for each member that gets the broadcast. Only the first call sends it.
    fileprivate func broadcast(_ frame: Frame, number: UInt64) {
        guard number != lastBroadcast else { return }
        lastBroadcast = number
        tell(.broadcast(Array(frame.payload)))
    }
}
