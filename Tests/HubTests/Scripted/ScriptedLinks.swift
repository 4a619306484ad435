import Games

@testable import Cluster
@testable import RoomRules

/// What a node sends, until it is taken.
final class ScriptedLinks: NodeLinks {
    private var sent: [(bytes: [UInt8], target: NodeName)] = []

    func send(_ message: NodeMessage, to node: NodeName) { sent.append((message.bytes, node)) }

    /// The nodes with messages under way to them.
    var targets: [NodeName] { Set(sent.map(\.target)).sorted() }

    func takeFirst(to node: NodeName) -> [UInt8]? {
        sent.firstIndex { $0.target == node }.map { sent.remove(at: $0).bytes }
    }
}
