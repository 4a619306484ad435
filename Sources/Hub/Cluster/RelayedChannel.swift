import Transport
import WebProtocols

/// A connection whose socket is at another node, as its room's home sees it.
final class RelayedChannel: MemberChannel {
    let peer: Peer
    private let id: RelayedID
    private let group: RelayGroup
    private let window: RelayWindow
    /// Bytes that the client has said and its relay does not know to have come.
    private var unheard = 0
    /// Of the newest greeting; 0: there was none.
    private var greeting = 0
    /// Whether broadcasts since that greeting were left out for it.
    private(set) var isFull = false
    /// Whether the way there is waited for.
    private var isWaiting = false
    var isServedLast = false {
        didSet { if isServedLast != oldValue { group.tell(.servedLast(id, isServedLast)) } }
    }

    init(_ id: RelayedID, of peer: Peer, in group: RelayGroup, _ window: RelayWindow) {
        (self.id, self.peer, self.group, self.window) = (id, peer, group, window)
    }

    /// What is queued there is not known here: only whether it has been too much.
    var queuedBytes: Int { isFull ? 1 : 0 }

    func send(_ frame: Frame) { group.tell(.answer(id, Array(frame.payload))) }

    func greet(_ frames: [Frame]) -> Bool {
        let texts = frames.map { Array($0.payload) }
        guard window.reserve(texts.reduce(0) { $0 + $1.count }, for: id, isWaiting: isWaiting) else {
            (isFull, isWaiting) = (true, true)
            // What it has been greeted with before may not hold any longer.
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

    // MARK: What the relay says

    /// The client has said something of so many bytes.
    func heard(_ bytes: Int) {
        unheard += bytes
        guard unheard >= RelayedConnection.unheardLimit / 8 else { return }
        group.tell(.heard(id, unheard))
        unheard = 0
    }

    /// It does not wait for the window: it is closed, or about to be greeted anyway.
    func stopWaiting() { (isFull, isWaiting) = (false, false) }

    /// False where a greeting is on its way already that stands for all that was left out.
    func becomesFull(since greeting: Int) -> Bool {
        guard greeting == self.greeting else { return false }
        isFull = true
        return true
    }

    /// False likewise.
    func drains(since greeting: Int) -> Bool {
        guard isFull, greeting == self.greeting else { return false }
        isFull = false
        return true
    }
}

/// How many bytes of greetings may be on their way to a node. A crowd that comes back would have the link be cut, come
/// back again, and so on.
final class RelayWindow {
    /// For all loops of this node together. What is larger goes when nothing else is on its way.
    static let limit = 1 << 20

    /// Who waits for it, in order; some of them may have gone.
    private var waiting: [RelayedID] = []
    private let limit: Int
    private var underWay = 0

    init(loops: Int) { limit = Self.limit / loops }

    /// Takes so many bytes for a connection. False if they do not fit, or others have waited for longer: then it waits.
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

    /// So many have come.
    func acknowledge(_ bytes: Int) { underWay = max(0, underWay - bytes) }

    /// Who has waited longest.
    var first: RelayedID? { waiting.first }

    /// The first does not wait any longer.
    func dropFirst() { waiting.removeFirst() }
}

/// The connections to a room that one node relays: a broadcast to them crosses the link once.
final class RelayGroup {
    private let node: NodeName
    private let code: String
    private let cluster: Cluster
    private var lastBroadcast: UInt64 = 0

    init(of code: String, at node: NodeName, _ cluster: Cluster) {
        (self.code, self.node, self.cluster) = (code, node, cluster)
    }

    func tell(_ message: RelayMessage) { cluster.send(.relay(code, message), to: node) }

    /// Asked for each of them that is to get it.
    fileprivate func broadcast(_ frame: Frame, number: UInt64) {
        guard number != lastBroadcast else { return }
        lastBroadcast = number
        tell(.broadcast(Array(frame.payload)))
    }
}
