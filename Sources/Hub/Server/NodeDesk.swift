import EventStore
import Games
import Logging
import RoomRules
import Synchronization
import Threads
import Transport

/// Runs a node on the first loop: links it to the nodes that it needs, and publishes its state.
final class NodeDesk: NodeHost, LinkWatcher {
    /// How often in a row a port that was open must refuse before it counts as closed.
    private static let refusalLimit = 2

    private let loops: [LoopHandle]
    private let links: LoopLinks?
    private let life: NodeLife
    private let metrics: Metrics
    private weak var shard: Shard?

    /// `links` are the first loop's; nil if the node serves alone.
    init(_ loops: [LoopHandle], _ links: LoopLinks?, _ life: NodeLife, _ metrics: Metrics) {
        (self.loops, self.links, self.life, self.metrics) = (loops, links, life, metrics)
        links?.watcher = self
    }

    /// Sets the shard whose keeper is told to leave, and notified of ports that refuse.
    func keeps(_ shard: Shard) { self.shard = shard }

    var canLink: Bool { links != nil }

    var operatorNote: OperatorNote? { life.operatorNote }
    var figures: NodeFigures? { metrics.nodeFigures }

    func nodeJoined() { tellLoops(.serves(true)) }

    func link(to others: [NodeRun]) {
        var places: [NodeName: NodePlace] = [:]
        for other in others {
            // A later release may write an address that this one cannot read. It is not linked, and the node that
            // leaves logs that.
            guard let address = NodeAddress(other.address) else { continue }
            places[other.node] = NodePlace(run: other.run, address: address)
        }
        links?.keep(links: places)
    }

    func nodeLeaves() { tellLoops(.serves(false)) }

    func nodeEnded() {
        tellLoops(.serves(false))
        life.end()
    }

    func leave() {
        nodeLeaves()
        shard?.keeper?.leave()
    }

    func sees(_ sight: LinkSight, of node: NodeName) {
        shard?.keeper?.sees(sight, of: node)
        if sight.refusals >= Self.refusalLimit, sight.wasLinked { shard?.keeper?.nobodyListens(at: sight.run) }
    }

    private func tellLoops(_ post: NodePost) { for loop in loops { loop.post(post) } }
}

/// A message about the node to its loops.
enum NodePost: Sendable {
    /// Whether it serves rooms. Until it has joined and once it leaves, clients are sent elsewhere.
    case serves(Bool)
    /// Makes the node leave. For the first loop.
    case leave
}

/// Notifies the thread that runs a hub of its node's end.
final class NodeLife: Sendable {
    private struct State {
        var isLeaving = false
        var hasEnded = false
        var whenLost: (@Sendable () -> Void)?
        var operatorNote: OperatorNote?
    }

    private let state = Mutex(State())
    private let ended = Latch()

    var operatorNote: OperatorNote? { state.withLock { $0.operatorNote } }

    /// The hub listens for its operator.
    func listens(for note: OperatorNote) { state.withLock { $0.operatorNote = note } }

    /// `whenLost` is called once if the node ends without being told to leave.
    func begin(whenLost: @escaping @Sendable () -> Void) { state.withLock { $0.whenLost = whenLost } }

    var isLost: Bool { state.withLock { $0.hasEnded && !$0.isLeaving } }

    /// The node has left, or was declared lost.
    func end() {
        let whenLost = state.withLock { state in
            state.hasEnded = true
            return state.isLeaving ? nil : state.whenLost
        }
        ended.open()
        whenLost?()
    }

    /// False if it has already ended.
    func beginToLeave() -> Bool {
        state.withLock { state in
            state.isLeaving = true
            return !state.hasEnded
        }
    }

    func waitForEnd(_ limit: Duration) { _ = ended.wait(limit) }
}

/// For a node that serves alone.
final class NoLinks: NodeLinks {
    func send(_ message: NodeMessage, to node: NodeName) {}
}
