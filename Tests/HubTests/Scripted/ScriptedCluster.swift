import EventStore
import Games
import Records
import Synchronization

@testable import Cluster
@testable import Hub
@testable import RoomRules
@testable import Rooms

/// Several hubs on one log, with links that lose nothing unless told to. Without keepers, the test says which nodes
/// join and which are lost, and all leases are renewed automatically.
final class ScriptedCluster {
    let nodes: [ScriptedHub]
    let disk: ScriptedStorage
    private let names: [NodeName]
    /// What each keeper reports; nil without keepers.
    let hosts: [ScriptedNodeHost]?
    private let links: [ScriptedLinks]
    /// What each says with its lease, if it has no keeper.
    private var presence: [PresenceExchange]
    private var untilRenewal: Milliseconds = 0
    /// All messages that have crossed links.
    private(set) var messages: [NodeMessage] = []
    private var isSettling = false
    /// The nodes that serve rooms, according to the log.
    private var serving: Set<Int> = []
    /// Nodes that have died or left.
    private(set) var dead: Set<Int> = []
    /// Nodes whose process is blocked.
    private var frozen: Set<Int> = []
    /// Which messages between nodes are lost from now on.
    var loses: (NodeMessage) -> Bool = { _ in false }
    /// The database's clock.
    let clock: ScriptedTime

    /// - Parameter serving: how many of them serve rooms at first; ignored with keepers, where all do.
    init(
        seed: UInt64 = 1, count: Int = 3, serving: Int = 3, limits: HubLimits = HubLimits(), hasKeepers: Bool = false
    ) {
        names = (0..<count).map { NodeName("node-\($0)") }
        let clock = ScriptedTime()
        let disk = hasKeepers ? ScriptedStorage { clock.read().wall / 1_000_000 } : ScriptedStorage()
        (self.clock, self.disk) = (clock, disk)
        links = names.map { _ in ScriptedLinks() }
        let hosts = hasKeepers ? names.map { _ in ScriptedNodeHost() } : nil
        self.hosts = hosts
        nodes = zip(names, links).enumerated().map { index, node in
            ScriptedHub(
                seed: seed + UInt64(index), on: disk,
                as: ScriptedNode(name: node.0, links: node.1, host: hosts?[index]), limits: limits)
        }
        presence = nodes.map { PresenceExchange(run: $0.run, counts: $0.shard.surroundings.presence) }
        for node in nodes { node.hasSettled = { [unowned self] in settle() } }
        mendLinks()
        if hasKeepers { pass(8_000) } else { serve(nodes.prefix(serving)) }
    }

    // MARK: Homes

    /// The node whose run has claimed the room; nil if no live node has.
    func holder(of code: String) -> ScriptedHub? {
        let holder = disk.log.claims(since: -1)?.holders[.room(code)]
        return living.first { $0.run == holder }
    }

    /// The room's home or, if it has none, the node that looks after it while it sleeps.
    func home(of code: String) -> ScriptedHub {
        if let holder = holder(of: code) { return holder }
        let first = Rendezvous.first(of: serving.map { names[$0] }.sorted(), for: code)
        return nodes.indices.first { names[$0] == first }.map { nodes[$0] } ?? nodes[0]
    }

    /// The same node, then the others.
    func nodes(of code: String) -> [ScriptedHub] {
        let home = place(of: home(of: code)) ?? 0
        return (0..<nodes.count).map { nodes[(home + $0) % nodes.count] }
    }

    // MARK: Nodes

    var living: [ScriptedHub] { nodes.indices.filter { !dead.contains($0) }.map { nodes[$0] } }

    /// All live nodes that have not joined do so.
    func serveByAll() { serve(living.filter { node in !serving.contains { nodes[$0] === node } }) }

    private func serve(_ new: some Sequence<ScriptedHub>) {
        for node in new {
            guard let index = place(of: node) else { continue }
            serving.insert(index)
            record(.joined(NodeRun(node: names[index], run: node.run, address: names[index].text), at: node.now))
        }
        tellAll()
    }

    /// The node dies, and its clients get nothing more. Without keepers, the others know of it at once if `isKnown`.
    func kill(_ node: ScriptedHub, isKnown: Bool = true) {
        guard let index = place(of: node) else { return }
        dead.insert(index)
        serving.remove(index)
        node.log.crash()
        guard hosts == nil, isKnown else { return }
        record(.lost(run: node.run, settled: node.now, at: node.now))
        if serving.isEmpty { serveByAll() } else { tellAll() }
    }

    /// The node is stopped: it gives up its rooms and leaves.
    func stop(_ node: ScriptedHub) {
        guard let index = place(of: node) else { return }
        serving.remove(index)
        if let keeper = node.shard.keeper { keeper.leave() } else { node.shard.handle(.leaves) }
        node.settle()
        while !node.shard.rooms.all.isEmpty { pass(50) }
        if hosts == nil {
            record(.left(run: node.run, settled: node.counters.lastPlayed.value, at: node.now))
            tellAll()
            // Clients that it relays are closed.
            hear(node)
        }
        dead.insert(index)
        node.log.crash()
    }

    /// A node that has died or been stopped starts again with a new run, and joins.
    func restart(_ node: ScriptedHub, downtime: Milliseconds = 0) {
        guard let index = place(of: node) else { return }
        node.crash(downtime: downtime)
        dead.remove(index)
        presence[index] = PresenceExchange(run: node.run, counts: node.shard.surroundings.presence)
        for other in nodes.indices where other != index { renewLink(index, other) }
        if hosts == nil { serve([node]) }
    }

    /// The process of the node is blocked, or runs again.
    func freeze(_ node: ScriptedHub, _ isFrozen: Bool = true) {
        guard let index = place(of: node) else { return }
        if isFrozen { frozen.insert(index) } else { frozen.remove(index) }
    }

    func record(_ change: NodeRecord) {
        let commit = change.commit(expecting: disk.log.end(of: .hub))
        InMemoryLog(storage: disk.log).append(commit, ticket: 0, answer: AppendAnswers())
    }

    private func tellAll() {
        guard !isSlow else { return }
        for node in living { hear(node) }
    }

    /// The node reads what others have written.
    func hear(_ node: ScriptedHub) {
        node.log.poll()
        node.settle()
        guard hosts == nil, let index = place(of: node) else { return }
        let (roll, loop) = (node.shard.surroundings.history.roll, node.shard.node)
        presence[index].forget { !roll.has(run: $0) }
        guard roll.has(run: node.run), let loop, !loop.cluster.mayServe, loop.drain == nil else { return }
        node.shard.handle(.serves)
        node.settle()
    }

    /// Each node reports its members and learns of the others', with its lease renewals, as its keeper does.
    private func renew() {
        for index in nodes.indices where !dead.contains(index) {
            let leases = InMemoryLeaseStore(storage: disk.log, run: nodes[index].run) { 0 }
            let answer = Mutex<Result<LeaseRenewal, EventLogError>?>(nil)
            let silences = SilenceReport(isServing: true)
            leases.renew([], presence: presence[index].report(), silences: silences) { result in
                answer.withLock { $0 = result }
            }
            guard let result = answer.withLock({ $0 }) else { return report("a lease is not renewed at once") }
            let roll = nodes[index].shard.surroundings.history.roll
            presence[index].leasesRead(result) { roll.has(run: $0) }
        }
    }

    // MARK: Links

    /// From now on messages between nodes are lost, and all of them know.
    func cutLinks() {
        loses = { _ in true }
        tellLinks(areUp: false)
    }

    /// From now on no messages are lost, and all know that earlier ones may have been.
    func mendLinks() {
        loses = { _ in false }
        tellLinks(areUp: true)
    }

    private func tellLinks(areUp: Bool) {
        for one in nodes.indices {
            for other in nodes.indices where other != one { tellLink(one, to: other, isUp: areUp) }
        }
        for node in living { node.settle() }
    }

    private func tellLink(_ index: Int, to other: Int, isUp: Bool = true) {
        guard !dead.contains(index) else { return }
        let (node, name) = (nodes[index], names[other])
        node.shard.turnBegan(node.turn, stoodStillSince: nil)
        node.shard.handle(isUp ? .linkIsBack(name) : .linkIsDown(name))
        node.shard.keeper?.sees(LinkSight(run: nodes[other].run, isLinked: isUp, since: node.now), of: name)
    }

    /// The messages in `messages` about connections to a room.
    func relayed(_ code: String) -> [RelayMessage] {
        messages.compactMap { if case .relay(code, let message) = $0 { message } else { nil } }
    }

    func forgetMessages() { messages = [] }

    /// Delivers the messages of nodes that have come to rest, with all consequences.
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

    /// Links with messages under way, by the indices of their nodes.
    var busyLinks: [(from: Int, to: Int)] {
        links.indices.flatMap { from in
            links[from].targets.compactMap { to in names.firstIndex(of: to).map { (from, $0) } }
        }
    }

    func deliverNext(from: Int, to: Int, settling: Bool = true) {
        guard let bytes = links[from].takeFirst(to: names[to]) else { return }
        guard let message = try? NodeMessage(bytes) else { return report("a message that nobody can read") }
        guard !dead.contains(to), !dead.contains(from), !loses(message) else { return }
        messages.append(message)
        nodes[to].shard.turnBegan(nodes[to].turn, stoodStillSince: nil)
        nodes[to].deliver(message, from: names[from])
        if settling { nodes[to].settle() }
    }

    /// Whether messages and news of other nodes are only delivered by explicit calls.
    var isSlow = false

    /// All messages under way from one node to another arrive.
    func deliver(from one: ScriptedHub, to other: ScriptedHub, settling: Bool = true) {
        guard let from = place(of: one), let to = place(of: other) else { return }
        while links[from].targets.contains(names[to]) { deliverNext(from: from, to: to, settling: settling) }
    }

    func place(of node: ScriptedHub) -> Int? { nodes.firstIndex { $0 === node } }

    /// The messages between two nodes are lost with their link, which is made again. `node` learns of it first;
    /// `meanwhile` is called before the other one does.
    func renewLink(of node: ScriptedHub, to other: ScriptedHub, meanwhile: () -> Void = {}) {
        if let one = place(of: node), let two = place(of: other) { renewLink(one, two, meanwhile) }
    }

    func renewLink(_ one: Int, _ other: Int, _ meanwhile: () -> Void = {}) {
        for (from, to) in [(one, other), (other, one)] { loseAll(from: from, to: to) }
        let areAlive = dead.isDisjoint(with: [one, other])
        func tell(_ index: Int, _ other: Int) {
            guard areAlive else { return }
            tellLink(index, to: other)
            nodes[index].settle()
        }
        tell(one, other)
        meanwhile()
        // By the link before.
        loseAll(from: other, to: one)
        tell(other, one)
    }

    private func loseAll(from: Int, to: Int) { while links[from].takeFirst(to: names[to]) != nil {} }

    /// Time passes, everywhere alike.
    func pass(_ span: Milliseconds) {
        var left = span
        while left > 0 {
            if untilRenewal <= 0, hosts == nil {
                renew()
                untilRenewal = NodeKeeper.pause
            }
            let step = min(left, 500)
            untilRenewal -= step
            clock.pass(step)
            for (index, node) in nodes.enumerated() where !dead.contains(index) {
                if frozen.contains(index) {
                    node.time.pass(step)
                } else {
                    hear(node)
                    node.pass(step)
                }
            }
            left -= step
        }
    }
}
