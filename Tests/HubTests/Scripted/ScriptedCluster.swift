import EventStore
import Games
import Synchronization

@testable import Hub

/// Several hubs on one log, with links between them that lose nothing unless they are told to.
final class ScriptedCluster {
    let nodes: [ScriptedHub]
    private let names: [NodeName]
    /// All that there were, in order.
    private var memberships: [Membership]
    private var membership: Membership { memberships[memberships.count - 1] }
    /// Of how many of them each node has heard.
    private var heard: [Int]
    private let links: [ScriptedLinks]
    private let leases: [InMemoryLeaseStore]
    private var presence: [PresenceExchange]
    private var untilRenewal: Milliseconds = 0
    /// All that has come over links.
    private(set) var messages: [NodeMessage] = []
    private var isSettling = false
    /// Nodes that have died.
    private var dead: Set<Int> = []
    /// Messages that nodes lose from now on, by what they are.
    var loses: (NodeMessage) -> Bool = { _ in false }

    /// - Parameter serving: how many of them serve rooms at first.
    init(seed: UInt64 = 1, count: Int = 3, serving: Int = 3, limits: HubLimits = HubLimits()) {
        names = (0..<count).map { NodeName("node-\($0)") }
        let first = Membership(epoch: 1, nodes: names.prefix(serving))
        (memberships, heard) = ([first], names.map { _ in 1 })
        let disk = ScriptedStorage()
        links = names.map { _ in ScriptedLinks() }
        nodes = zip(names, links).enumerated().map { index, node in
            ScriptedHub(
                seed: seed + UInt64(index), on: disk,
                in: Cluster(node: node.0, membership: first, links: node.1), limits: limits)
        }
        leases = names.map { InMemoryLeaseStore(storage: disk.log, run: $0.text) { 0 } }
        presence = zip(names, nodes).map { PresenceExchange(run: $0.text, counts: $1.shard.surroundings.presence) }
        for node in nodes { node.hasSettled = { [unowned self] in settle() } }
        mendLinks()
    }

    /// The node that is the room's home, then the others.
    func nodes(of code: String) -> [ScriptedHub] {
        let home = names.firstIndex(of: membership.home(ofRoom: code)) ?? 0
        return (0..<nodes.count).map { nodes[(home + $0) % nodes.count] }
    }

    var living: [ScriptedHub] { nodes.indices.filter { !dead.contains($0) }.map { nodes[$0] } }

    /// Which of the nodes is the room's home.
    func home(of code: String) -> ScriptedHub { nodes(of: code)[0] }

    /// The node dies: its clients hear nothing more, and the others know of it at once.
    func kill(_ node: ScriptedHub) {
        guard let index = nodes.firstIndex(where: { $0 === node }) else { return }
        dead.insert(index)
        node.log.crash()
        let left = membership.nodes.filter { $0 != names[index] }
        if left.isEmpty { serveByAll() } else { serve(by: left) }
    }

    /// All nodes that were made serve rooms, but dead ones. `told`: who hears of it now; nil: everybody.
    func serveByAll(telling told: [ScriptedHub]? = nil) {
        serve(by: names.indices.filter { !dead.contains($0) }.map { names[$0] }, telling: told)
    }

    /// Which would be the room's home then.
    func homeIfAllServe(of code: String) -> ScriptedHub {
        let home = Membership(epoch: 0, nodes: names).home(ofRoom: code)
        return nodes[names.firstIndex(of: home) ?? 0]
    }

    /// Some of the living serve rooms, the others have sockets alone.
    func serveBySome(_ random: SeededRandom) {
        let some = names.indices.filter { !dead.contains($0) && random.number(below: 2) == 0 }
        if !some.isEmpty { serve(by: some.map { names[$0] }) }
    }

    private func serve(by serving: [NodeName], telling told: [ScriptedHub]? = nil) {
        // Told one after the other they hear of the same.
        if serving.sorted() != membership.nodes || told == nil {
            let before = membership.nodes
            memberships.append(Membership(epoch: membership.epoch + 1, nodes: serving))
            // Who has left has recorded it, and lets go before anybody hears of it.
            for index in names.indices
            where before.contains(names[index]) && !serving.contains(names[index]) && !dead.contains(index) {
                tell(nodes[index])
                nodes[index].settle()
            }
        }
        guard !isSlow else { return }
        for node in told ?? living { tell(node) }
        for node in living { node.settle() }
    }

    /// The node hears of all changes that it has not heard of, in order, as it reads them.
    private func tell(_ node: ScriptedHub) {
        guard let index = nodes.firstIndex(where: { $0 === node }) else { return }
        for membership in memberships[heard[index]...] {
            node.shard.turnBegan(node.turn, stoodStillSince: nil)
            node.shard.serve(by: membership)
        }
        heard[index] = memberships.count
        presence[index].forget { [membership] in !membership.nodes.contains(NodeName($0)) }
    }

    /// Each node says who is with it, and hears the others: with the renewals of its lease, as its keeper does.
    private func renew() {
        for index in nodes.indices where !dead.contains(index) {
            let answer = Mutex<Result<LeaseRenewal, EventLogError>?>(nil)
            let silences = SilenceReport(isServing: true)
            leases[index].renew([], presence: presence[index].report(), silences: silences) { result in
                answer.withLock { $0 = result }
            }
            guard let result = answer.withLock({ $0 }) else { return report("a lease is not renewed at once") }
            presence[index].received(result) { [membership] in membership.nodes.contains(NodeName($0)) }
        }
    }

    /// What nodes send each other is lost from now on, and all of them know.
    func cutLinks() {
        loses = { _ in true }
        tellLinks { .linkIsDown($0) }
        for node in living { node.settle() }
    }

    /// What was lost before is lost; from now on nothing is, and all know that it may have been.
    func mendLinks() {
        loses = { _ in false }
        tellLinks { .linkIsBack($0) }
        for node in living { node.settle() }
    }

    private func tellLinks(_ message: (NodeName) -> ShardMessage) {
        for index in nodes.indices where !dead.contains(index) {
            for name in names where name != names[index] { nodes[index].shard.received(message(name)) }
        }
    }

    /// What of `messages` was said of connections to a room.
    func relayed(_ code: String) -> [RelayMessage] {
        messages.compactMap { if case .relay(code, let message) = $0 { message } else { nil } }
    }

    func forgetMessages() { messages = [] }

    /// What goes over links when a node has come to rest, and all that comes of it.
    private func settle() {
        guard !isSettling, !isSlow else { return }
        isSettling = true
        defer { isSettling = false }
        for _ in 0..<100_000 {
            guard let (from, to) = busyLinks.first else { return }
            deliverNext(from: from, to: to)
        }
        report("the cluster does not come to rest")
    }

    /// Links on which something is under way, by the places of their nodes.
    private var busyLinks: [(from: Int, to: Int)] {
        links.indices.flatMap { from in
            links[from].targets.compactMap { to in names.firstIndex(of: to).map { (from, $0) } }
        }
    }

    private func deliverNext(from: Int, to: Int, settling: Bool = true) {
        guard let bytes = links[from].takeFirst(to: names[to]) else { return }
        guard let message = try? NodeMessage(bytes) else { return report("a message that nobody can read") }
        guard !dead.contains(to), !dead.contains(from), !loses(message) else { return }
        messages.append(message)
        nodes[to].shard.turnBegan(nodes[to].turn, stoodStillSince: nil)
        nodes[to].deliver(message, from: names[from])
        if settling { nodes[to].settle() }
    }

    // MARK: Chance

    /// Whether nothing is delivered, and nobody told of other nodes, but by the calls below.
    var isSlow = false

    /// The next message of some link arrives; false where none is under way.
    func deliverSome(_ random: SeededRandom) -> Bool {
        let busy = busyLinks
        guard !busy.isEmpty else { return false }
        let link = busy[random.number(below: busy.count)]
        deliverNext(from: link.from, to: link.to)
        return true
    }

    /// All that is under way from one node to another arrives there.
    func deliver(from one: ScriptedHub, to other: ScriptedHub, settling: Bool = true) {
        guard let from = place(of: one), let to = place(of: other) else { return }
        while links[from].targets.contains(names[to]) { deliverNext(from: from, to: to, settling: settling) }
    }

    private func place(of node: ScriptedHub) -> Int? { nodes.firstIndex { $0 === node } }

    /// What is under way between two nodes is lost with their link, which is made anew. `node` hears of it first;
    /// `meanwhile` comes before the other one does.
    func renewLink(of node: ScriptedHub, to other: ScriptedHub, meanwhile: () -> Void = {}) {
        if let one = place(of: node), let two = place(of: other) { renewLink(one, two, meanwhile) }
    }

    private func renewLink(_ one: Int, _ other: Int, _ meanwhile: () -> Void = {}) {
        for (from, to) in [(one, other), (other, one)] { loseAll(from: from, to: to) }
        if isAlive(one, other) { tellLinkIsBack(one, to: other) }
        meanwhile()
        // By the link before.
        loseAll(from: other, to: one)
        if isAlive(one, other) { tellLinkIsBack(other, to: one) }
    }

    private func isAlive(_ one: Int, _ other: Int) -> Bool { !dead.contains(one) && !dead.contains(other) }

    private func loseAll(from: Int, to: Int) { while links[from].takeFirst(to: names[to]) != nil {} }

    private func tellLinkIsBack(_ node: Int, to other: Int) {
        nodes[node].shard.turnBegan(nodes[node].turn, stoodStillSince: nil)
        nodes[node].shard.received(.linkIsBack(names[other]))
        nodes[node].settle()
    }

    /// Some link is lost with all that is under way on it, and made anew.
    func breakSomeLink(_ random: SeededRandom) {
        let (one, other) = (random.number(below: nodes.count), random.number(below: nodes.count))
        if one != other { renewLink(one, other) }
    }

    /// Some node hears which nodes there are by now.
    func tellSomeone(_ random: SeededRandom) {
        let node = living[random.number(below: living.count)]
        tell(node)
        node.settle()
    }

    /// Nothing is slow any more, and everybody hears of everything.
    func heal() {
        isSlow = false
        serve(by: membership.nodes)
    }

    /// Time passes, everywhere alike.
    func pass(_ span: Milliseconds) {
        var left = span
        while left > 0 {
            if untilRenewal <= 0 {
                renew()
                untilRenewal = NodeKeeper.pause
            }
            untilRenewal -= min(left, 500)
            for node in living {
                node.log.poll()
                node.pass(min(left, 500))
            }
            left -= 500
        }
    }
}

/// What a node sends, until it is taken.
private final class ScriptedLinks: NodeLinks {
    private var sent: [(bytes: [UInt8], target: NodeName)] = []

    func send(_ message: NodeMessage, to node: NodeName) { sent.append((message.bytes, node)) }

    /// Whom something is under way to.
    var targets: [NodeName] { Set(sent.map(\.target)).sorted() }

    func takeFirst(to node: NodeName) -> [UInt8]? {
        sent.firstIndex { $0.target == node }.map { sent.remove(at: $0).bytes }
    }
}
