import EventStore
import Foundation
import Games
import Logging
import Synchronization
import Transport

/// Runs a node on the first loop: has it linked to those that it needs links to, and says what becomes of it.
final class NodeDesk: NodeHost, LinkWatcher {
    /// So often in a row a port that was listened on refuses, until nobody is taken to listen there any more.
    private static let refusalLimit = 2

    private let loops: [LoopHandle]
    private let links: LoopLinks?
    private let life: NodeLife
    private let metrics: Metrics
    private weak var shard: Shard?

    /// `links`: the first loop's; nil where it serves alone.
    init(_ loops: [LoopHandle], _ links: LoopLinks?, _ life: NodeLife, _ metrics: Metrics) {
        (self.loops, self.links, self.life, self.metrics) = (loops, links, life, metrics)
        links?.watcher = self
    }

    /// Whose keeper is told to leave, and of ports that refuse.
    func keeps(_ shard: Shard) { self.shard = shard }

    var canLink: Bool { links != nil }

    var operatorNote: OperatorNote? { life.operatorNote }
    var figures: NodeFigures? { metrics.nodeFigures }

    func nodeJoined() { tellLoops(.serves(true)) }

    func link(to others: [NodeRun]) {
        var places: [NodeName: NodePlace] = [:]
        for other in others {
            // What a later release may have written there: it is not linked, and said to be so by whoever leaves.
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

/// What the loops of a node are told about it.
enum NodePost: Sendable {
    /// Whether it serves rooms: until it has joined, and from when it leaves, clients are sent elsewhere.
    case serves(Bool)
    /// To the first: it is to leave.
    case leave
}

/// Where the thread that runs a hub hears what becomes of its node.
final class NodeLife: Sendable {
    private struct State {
        var isLeaving = false
        var hasEnded = false
        var whenLost: (@Sendable () -> Void)?
        var operatorNote: OperatorNote?
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    var operatorNote: OperatorNote? { state.withLock { $0.operatorNote } }

    /// From when the hub listens for its operator.
    func listens(for note: OperatorNote) { state.withLock { $0.operatorNote = note } }

    /// `whenLost` is called once if it ends without having been told to leave.
    func begin(whenLost: @escaping @Sendable () -> Void) { state.withLock { $0.whenLost = whenLost } }

    var isLost: Bool { state.withLock { $0.hasEnded && !$0.isLeaving } }

    /// It has left, or others have taken it for lost.
    func end() {
        let whenLost = state.withLock { state in
            state.hasEnded = true
            return state.isLeaving ? nil : state.whenLost
        }
        ended.signal()
        whenLost?()
    }

    /// False where it has ended already.
    func beginToLeave() -> Bool {
        state.withLock { state in
            state.isLeaving = true
            return !state.hasEnded
        }
    }

    func waitForEnd(_ limit: DispatchTimeInterval) { _ = ended.wait(timeout: .now() + limit) }
}

/// Of a node that serves alone.
final class NoLinks: NodeLinks {
    func send(_ message: NodeMessage, to node: NodeName) {}
}
