import EventStore
import Games
import Records
import Synchronization

@testable import Hub

/// Several hubs on one log, with links between them that lose nothing unless they are told to. Unless they have
/// keepers, the test says who joins and who is lost, and all leases are renewed by themselves.
final class ScriptedCluster {
    let nodes: [ScriptedHub]
    let disk: ScriptedStorage
    private let names: [NodeName]
    /// What the keeper of each tells; nil: there are none.
    let hosts: [ScriptedNodeHost]?
    private let links: [ScriptedLinks]
    /// What each says with its lease, where it has no keeper.
    private var presence: [PresenceExchange]
    private var untilRenewal: Milliseconds = 0
    /// All that has come over links.
    private(set) var messages: [NodeMessage] = []
    private var isSettling = false
    /// Those that the log says serve rooms.
    private var serving: Set<Int> = []
    /// Nodes that have died, or have left.
    private(set) var dead: Set<Int> = []
    /// Those whose process stands still.
    private var frozen: Set<Int> = []
    /// Messages that nodes lose from now on, by what they are.
    var loses: (NodeMessage) -> Bool = { _ in false }
    /// The database's clock.
    let clock: ScriptedTime

    /// - Parameter serving: how many of them serve rooms at first; all of those that have keepers.
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

    /// The node whose run has claimed the room; nil: none that is alive has.
    func holder(of code: String) -> ScriptedHub? {
        let holder = disk.log.claims(since: -1)?.holders[.room(code)]
        return living.first { $0.run == holder }
    }

    /// The node that is the room's home or, where none is, looks after it while it sleeps.
    func home(of code: String) -> ScriptedHub {
        if let holder = holder(of: code) { return holder }
        let first = Rendezvous.first(of: serving.map { names[$0] }.sorted(), for: code)
        return nodes.indices.first { names[$0] == first }.map { nodes[$0] } ?? nodes[0]
    }

    /// The same, then the others.
    func nodes(of code: String) -> [ScriptedHub] {
        let home = place(of: home(of: code)) ?? 0
        return (0..<nodes.count).map { nodes[(home + $0) % nodes.count] }
    }

    // MARK: Nodes

    var living: [ScriptedHub] { nodes.indices.filter { !dead.contains($0) }.map { nodes[$0] } }

    /// Those that have not joined, and are alive, do.
    func serveByAll() { serve(living.filter { node in !serving.contains { nodes[$0] === node } }) }

    private func serve(_ new: some Sequence<ScriptedHub>) {
        for node in new {
            guard let index = place(of: node) else { continue }
            serving.insert(index)
            record(.joined(NodeRun(node: names[index], run: node.run, address: names[index].text), at: node.now))
        }
        tellAll()
    }

    /// The node dies: its clients hear nothing more. Unless the nodes have keepers, the others know of it at once,
    /// where `isKnown`.
    func kill(_ node: ScriptedHub, isKnown: Bool = true) {
        guard let index = place(of: node) else { return }
        dead.insert(index)
        serving.remove(index)
        node.log.crash()
        guard hosts == nil, isKnown else { return }
        record(.lost(run: node.run, settled: node.now, at: node.now))
        if serving.isEmpty { serveByAll() } else { tellAll() }
    }

    /// The node is stopped: gives up its rooms, and is gone.
    func stop(_ node: ScriptedHub) {
        guard let index = place(of: node) else { return }
        serving.remove(index)
        if let keeper = node.shard.keeper { keeper.leave() } else { node.shard.received(.leaves) }
        node.settle()
        while !node.shard.rooms.all.isEmpty { pass(50) }
        if hosts == nil {
            record(.left(run: node.run, settled: node.counters.lastPlayed.value, at: node.now))
            tellAll()
            // Who is relayed by it is closed.
            hear(node)
        }
        dead.insert(index)
        node.log.crash()
    }

    /// A node that has died or been stopped is started again, in a run of its own, and joins.
    func restart(_ node: ScriptedHub, downtime: Milliseconds = 0) {
        guard let index = place(of: node) else { return }
        node.crash(downtime: downtime)
        dead.remove(index)
        presence[index] = PresenceExchange(run: node.run, counts: node.shard.surroundings.presence)
        for other in nodes.indices where other != index { renewLink(index, other) }
        if hosts == nil { serve([node]) }
    }

    /// The process of the node stands still, or runs again.
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
        let (roll, cluster) = (node.shard.surroundings.history.roll, node.shard.surroundings.cluster)
        presence[index].forget { !roll.has(run: $0) }
        guard roll.has(run: node.run), cluster?.mayServe == false, node.shard.drain == nil else { return }
        node.shard.received(.serves)
        node.settle()
    }

    /// Each node says who is with it, and hears the others: with the renewals of its lease, as its keeper does.
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
            presence[index].received(result) { roll.has(run: $0) }
        }
    }

    // MARK: Links

    /// What nodes send each other is lost from now on, and all of them know.
    func cutLinks() {
        loses = { _ in true }
        tellLinks(areUp: false)
    }

    /// What was lost before is lost; from now on nothing is, and all know that it may have been.
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
        node.shard.received(isUp ? .linkIsBack(name) : .linkIsDown(name))
        node.shard.keeper?.sees(LinkSight(run: nodes[other].run, isLinked: isUp, since: node.now), of: name)
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

    /// Whether nothing is delivered, and nobody told of other nodes, but by calls for that.
    var isSlow = false

    /// All that is under way from one node to another arrives there.
    func deliver(from one: ScriptedHub, to other: ScriptedHub, settling: Bool = true) {
        guard let from = place(of: one), let to = place(of: other) else { return }
        while links[from].targets.contains(names[to]) { deliverNext(from: from, to: to, settling: settling) }
    }

    func place(of node: ScriptedHub) -> Int? { nodes.firstIndex { $0 === node } }

    /// What is under way between two nodes is lost with their link, which is made again. `node` hears of it first;
    /// `meanwhile` comes before the other one does.
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
