import Hub

/// The links between nodes: whatever goes over one arrives in order, until it is cut.
final class NodeLines {
    private unowned let world: World
    /// By the places of two nodes, the lesser first.
    private var lines: [Pair: Line] = [:]

    struct Pair: Hashable {
        let one: Int
        let other: Int

        init(_ one: Int, _ other: Int) { (self.one, self.other) = (min(one, other), max(one, other)) }

        /// On the agenda.
        var index: Int { one << 8 | other }
    }

    private struct Line {
        /// How often it was made: what was sent before is lost.
        var number = 0
        var isUp = false
        var isAwaited = false
        /// When the last message of each direction arrives.
        var lastArrival: [Int: Int] = [:]
    }

    init(in world: World) { self.world = world }

    /// Whether some link that is wanted is not there.
    var isHindered: Bool {
        world.processes.contains { process in
            world.nodes.contains { process.others[$0.name] != nil && !isUp(Pair($0.index, process.node.index)) }
        }
    }

    private func isUp(_ pair: Pair) -> Bool { lines[pair]?.isUp ?? false }

    /// A process knows the nodes that it needs links to, and has none to others.
    func wanted(by process: HubProcess) {
        for node in world.nodes where node !== process.node {
            let pair = Pair(node.index, process.node.index)
            if node.process.map(process.wants) != true { cut(pair, for: 100_000) }
            if process.others[node.name] != nil { retry(pair, after: world.delays.number(in: 100...20_000)) }
        }
    }

    private func retry(_ pair: Pair, after span: Int) {
        guard lines[pair]?.isUp != true, lines[pair]?.isAwaited != true else { return }
        lines[pair, default: Line()].isAwaited = true
        world.schedule(.line, after: span, index: pair.index)
    }

    /// A link is tried.
    func heal(_ index: Int) {
        let pair = Pair(index >> 8, index & 0xFF)
        lines[pair]?.isAwaited = false
        guard let one = world.nodes[pair.one].process, let other = world.nodes[pair.other].process,
            one.wants(other), other.wants(one), !isUp(pair)
        else {
            let isWanted = [pair.one, pair.other].contains { place in
                let name = world.nodes[place == pair.one ? pair.other : pair.one].name
                return world.nodes[place].process?.others[name] != nil
            }
            if isWanted { retry(pair, after: 500_000) }
            return
        }
        lines[pair, default: Line()].number += 1
        lines[pair]?.isUp = true
        world.trace("nodes \(pair.one) and \(pair.other) are linked")
        world.model.linked("\(index)", isUp: true)
        // What waited for that goes on from here.
        world.hinder()
        one.linkIsBack(to: other)
        other.linkIsBack(to: one)
    }

    /// What is on its way is lost; it is made anew some time later.
    func cut(_ pair: Pair, for span: Int) {
        guard isUp(pair) else { return }
        lines[pair]?.isUp = false
        world.trace("nodes \(pair.one) and \(pair.other) are cut")
        world.model.linked("\(pair.index)", isUp: false)
        let (one, other) = (world.nodes[pair.one], world.nodes[pair.other])
        one.process?.linkIsDown(to: other.name)
        other.process?.linkIsDown(to: one.name)
        retry(pair, after: span)
    }

    func ended(_ process: HubProcess) {
        for node in world.nodes where node !== process.node {
            cut(Pair(node.index, process.node.index), for: 100_000)
        }
    }

    func send(_ message: [UInt8], from process: HubProcess, to name: String) {
        guard let other = world.nodes.first(where: { $0.name == name }), let target = other.process else { return }
        let pair = Pair(process.node.index, other.index)
        guard var line = lines[pair], line.isUp else { return }
        let arrival = max(line.lastArrival[other.index] ?? 0, world.now + world.delays.number(in: 50...2_000))
        line.lastArrival[other.index] = arrival
        lines[pair] = line
        let number = line.number
        world.send(
            .node(
                process.node.name, message, isThere: { [unowned self] in lines[pair]?.number == number && isUp(pair) }),
            to: 0, of: target, at: arrival)
    }
}
