import Games
import JSON

@testable import Cluster
@testable import Hub
@testable import RoomRules

/// The loops of a node, as its keeper sees them.
final class ScriptedLoops {
    /// When a blocked one last turned; nil while all of them turn.
    var standSince: Milliseconds?
    /// Since when the rooms of one could not be played; nil while all can.
    var owesSince: Milliseconds?
}

/// A scripted hub's part in a cluster.
struct ScriptedNode {
    let name: NodeName
    let links: any NodeLinks
    /// If it has a keeper.
    var host: ScriptedNodeHost?

    /// Others find it at the address of its name.
    var options: NodeOptions {
        guard let address = NodeAddress("http://\(name.text):1"), let key = ClusterKey(Array(repeating: 7, count: 32))
        else { return NodeOptions(name: name.text) }
        return NodeOptions(name: name.text, links: NodeLinkOptions(address: address, key: key))
    }
}

/// What a node's keeper tells it.
final class ScriptedNodeHost: NodeHost {
    private(set) var told: [String] = []
    var operatorDoor: Fields? { nil }
    var figures: Fields? { nil }
    func nodeServes(_ serves: Bool) { told.append(serves ? "joined" : "leaves") }
    private(set) var links: [String] = []
    func link(to others: [NodeRun]) { links = others.map(\.node.text) }
    func nodeEnded() { told.append("ended") }
}

extension Shard {
    func handle(_ notice: NodeNotice) { handle(.node(notice)) }
}
