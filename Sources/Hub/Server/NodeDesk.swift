import Cluster
import JSON
import RoomRules
import Synchronization
import Threads
import Transport

/// Runs a node on the first loop: links it to the nodes that it needs, and publishes its state.
final class NodeDesk: NodeHost {
    private let loops: [LoopHandle]
    private let links: LoopLinks?
    private let life: NodeLife
    private let metrics: Metrics
    /// Set once there is one.
    weak var keeper: NodeKeeper? { didSet { links?.watcher = keeper } }

    /// `links` are the first loop's; nil if the node serves alone.
    init(_ loops: [LoopHandle], _ links: LoopLinks?, _ life: NodeLife, _ metrics: Metrics) {
        (self.loops, self.links, self.life, self.metrics) = (loops, links, life, metrics)
    }

    var operatorDoor: Fields? { life.operatorNote.map { OperatorDoor(note: $0).fields } }
    var figures: Fields? { metrics.nodeFigures.fields }

    func nodeServes(_ serves: Bool) { tellLoops(.serves(serves)) }

    func link(to others: [NodeRun]) { links?.keep(links: others) }

    func nodeEnded() {
        nodeServes(false)
        life.nodeEnded()
    }

    func leave() {
        nodeServes(false)
        keeper?.leave()
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
    func watchForLoss(whenLost: @escaping @Sendable () -> Void) { state.withLock { $0.whenLost = whenLost } }

    var isLost: Bool { state.withLock { $0.hasEnded && !$0.isLeaving } }

    /// The node has left, or was declared lost.
    func nodeEnded() {
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
