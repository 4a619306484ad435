import Games

/// The cluster as the rooms of one loop know it: which node is whose home, and how to tell it something.
final class Cluster {
    /// This one.
    let node: NodeName
    private(set) var membership: Membership
    /// Whether this run of it has joined, as this loop knows it: one before may still be known by the same name.
    var hasJoined: Bool
    /// Whether it does serve rooms then: who joins late leaves at once.
    var mayServe: Bool
    private let links: any NodeLinks
    private var handOver = HandOver()

    init(node: NodeName, membership: Membership, links: any NodeLinks, hasJoined: Bool = true) {
        (self.node, self.membership, self.links) = (node, membership, links)
        (self.hasJoined, mayServe) = (hasJoined, hasJoined)
    }

    /// The node that is the room's home; nil: this one.
    func home(ofRoom code: String) -> NodeName? {
        let home = membership.home(ofRoom: code)
        return home == node ? nil : home
    }

    func has(_ node: NodeName) -> Bool { membership.nodes.contains(node) }
    private var others: some Sequence<NodeName> { membership.nodes.lazy.filter { [node] in $0 != node } }

    func send(_ message: NodeMessage, to node: NodeName) { links.send(message, to: node) }

    func sendToAll(_ message: NodeMessage) { for other in others { links.send(message, to: other) } }

    // MARK: Change

    /// These nodes serve from now on.
    func change(to membership: Membership, at time: Milliseconds) {
        handOver.begin(membership, after: self.membership, at: time)
        self.membership = membership
    }

    func note(_ note: HandOverNote, of node: NodeName) { handOver.note(note, of: node) }

    /// How long each change of homes took that is over since: rooms may be read then that could not be before.
    func finishHandOvers(at time: Milliseconds, hubVersion: Int) -> [Milliseconds] {
        handOver.finish(among: others, at: time, hubVersion: hubVersion)
    }

    /// Changes of homes that are not over.
    var handOversUnderWay: Int { handOver.count }

    /// When rooms may be read at the latest that wait for other nodes; nil: none does.
    var handOverDeadline: Milliseconds? { handOver.deadline }

    /// Whether the room, which has its home here, is judged by no other node any more.
    func isHandedOver(_ room: String) -> Bool {
        hasJoined && mayServe && handOver.isOver(for: room, at: node)
    }

    /// Since when a room belongs here that was another node's until a moment ago; nil of all others.
    func whenMoved(_ room: String, at time: Milliseconds) -> Milliseconds? {
        handOver.whenMoved(room, to: node, at: time)
    }
}

/// The links to other nodes: whatever is sent on one comes in order, or the link ends and is made anew.
protocol NodeLinks: AnyObject {
    func send(_ message: NodeMessage, to node: NodeName)
}
