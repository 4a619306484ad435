import EventStore
import Games

@testable import Hub

/// Several hubs on one log, with links between them that lose nothing.
final class ScriptedCluster {
    let nodes: [ScriptedHub]
    private let names: [NodeName]
    private var membership: Membership
    private let links: [ScriptedLinks]
    /// Messages that have gone over links, as text for who looks for something in them.
    private(set) var messages: [NodeMessage] = []
    private var isSettling = false
    /// Nodes that have died.
    private var dead: Set<Int> = []
    /// Messages that nodes lose from now on, by what they are.
    var loses: (NodeMessage) -> Bool = { _ in false }

    /// - Parameter serving: how many of them serve rooms at first.
    init(seed: UInt64 = 1, count: Int = 3, serving: Int = 3) {
        names = (0..<count).map { NodeName("node-\($0)") }
        membership = Membership(epoch: 1, nodes: names.prefix(serving))
        let disk = ScriptedStorage()
        links = names.map { _ in ScriptedLinks() }
        nodes = zip(names, links).enumerated().map { [membership] index, node in
            ScriptedHub(
                seed: seed + UInt64(index), on: disk,
                in: Cluster(node: node.0, membership: membership, links: node.1))
        }
        for node in nodes { node.hasSettled = { [unowned self] in settle() } }
    }

    /// The node that is the room's home, then the others.
    func nodes(of code: String) -> [ScriptedHub] {
        let home = names.firstIndex(of: membership.home(ofRoom: code)) ?? 0
        return (0..<nodes.count).map { nodes[(home + $0) % nodes.count] }
    }

    private var living: [ScriptedHub] { nodes.indices.filter { !dead.contains($0) }.map { nodes[$0] } }

    /// Which of the nodes is the room's home.
    func home(of code: String) -> ScriptedHub { nodes(of: code)[0] }

    /// The node dies: its clients hear nothing more, and the others know of it at once.
    func kill(_ node: ScriptedHub) {
        guard let index = nodes.firstIndex(where: { $0 === node }) else { return }
        dead.insert(index)
        node.log.crash()
        serve(by: membership.nodes.filter { $0 != names[index] })
    }

    /// All nodes that were made serve rooms, but dead ones.
    func serveByAll() { serve(by: names.indices.filter { !dead.contains($0) }.map { names[$0] }) }

    private func serve(by serving: [NodeName]) {
        membership = Membership(epoch: membership.epoch + 1, nodes: serving)
        for node in living {
            node.shard.turnBegan(node.turn, stoodStillSince: nil)
            node.shard.received(.nodes(membership))
        }
        for node in living { node.settle() }
    }

    /// What was lost before is lost; from now on nothing is, and all know that it may have been.
    func mendLinks() {
        loses = { _ in false }
        for node in living { for name in names { node.shard.received(.linkIsBack(name)) } }
        for node in living { node.settle() }
    }

    /// What goes over links when a node has come to rest, and all that comes of it.
    private func settle() {
        guard !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        for _ in 0..<10_000 {
            var isIdle = true
            for (index, link) in links.enumerated() {
                for (bytes, target) in link.take() {
                    isIdle = false
                    guard let to = names.firstIndex(of: target), let message = try? NodeMessage(bytes) else {
                        report("a message to \(target.text) that nobody can read")
                        continue
                    }
                    guard !dead.contains(to), !dead.contains(index), !loses(message) else { continue }
                    messages.append(message)
                    nodes[to].shard.turnBegan(nodes[to].turn, stoodStillSince: nil)
                    nodes[to].deliver(message, from: names[index])
                }
            }
            if isIdle { return }
            for node in living { node.settle() }
        }
        report("the cluster does not come to rest")
    }

    /// Time passes, everywhere alike.
    func pass(_ span: Milliseconds) {
        var left = span
        while left > 0 {
            for node in living { node.pass(min(left, 100)) }
            left -= 100
        }
    }
}

/// What a node sends, until it is taken.
private final class ScriptedLinks: NodeLinks {
    private var sent: [([UInt8], NodeName)] = []

    func send(_ message: NodeMessage, to node: NodeName) { sent.append((message.bytes, node)) }

    func take() -> [([UInt8], NodeName)] {
        defer { sent = [] }
        return sent
    }
}
