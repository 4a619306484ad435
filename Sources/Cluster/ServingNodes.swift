import EventStore
import RoomRules

/// The nodes that serve, as one loop knows them, with the way to reach them and the log where rooms are claimed.
public final class ServingNodes {
    /// This node.
    public let node: NodeName
    let log: any SharedEventLog
    /// The nodes that serve, in order.
    var nodes: [NodeName]
    /// Whether this node serves, from when it has joined until it leaves.
    var mayServe = false
    /// Nil if it serves alone.
    private let links: (any NodeLinks)?

    /// `nodes` serve now.
    public init(node: NodeName, log: any SharedEventLog, nodes: [NodeName], links: (any NodeLinks)?) {
        (self.node, self.log, self.nodes, self.links) = (node, log, nodes, links)
    }

    func has(_ node: NodeName) -> Bool { nodes.contains(node) }

    /// Whether this node, of all that serve, does the work that only one node must do for `text`.
    public func isFirst(for text: String) -> Bool { Rendezvous.first(of: nodes, for: text) == node }

    func send(_ message: NodeMessage, to node: NodeName) { links?.send(message, to: node) }

    /// Sends a message to all other nodes that serve.
    public func sendToAll(_ message: NodeMessage) {
        for other in nodes where other != node { links?.send(message, to: other) }
    }
}

/// The links to other nodes. Messages on a link arrive in order, or the link ends and is made again.
public protocol NodeLinks: AnyObject {
    /// Drops the message if there is no link to the node.
    func send(_ message: NodeMessage, to node: NodeName)
}
