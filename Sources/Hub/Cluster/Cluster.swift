/// The cluster as the rooms of one loop know it: which node is whose home, and how to tell it something.
final class Cluster {
    /// This one.
    let node: NodeName
    var membership: Membership
    private let links: any NodeLinks

    init(node: NodeName, membership: Membership, links: any NodeLinks) {
        (self.node, self.membership, self.links) = (node, membership, links)
    }

    /// The node that is the room's home; nil: this one.
    func home(ofRoom code: String) -> NodeName? {
        let home = membership.home(ofRoom: code)
        return home == node ? nil : home
    }

    func has(_ node: NodeName) -> Bool { membership.nodes.contains(node) }

    func send(_ message: NodeMessage, to node: NodeName) { links.send(message, to: node) }

    func sendToAll(_ message: NodeMessage) {
        for other in membership.nodes where other != node { links.send(message, to: other) }
    }
}

/// The links to other nodes: whatever is sent on one comes in order, or the link ends and is made anew.
protocol NodeLinks: AnyObject {
    func send(_ message: NodeMessage, to node: NodeName)
}
