import Hub

/// The links between nodes. Messages over a link arrive in order, or the link ends and is made again. Each end has its
/// own view: if nothing arrives over a link, only the waiting end notices.
final class NodeLines {
    private unowned let world: World
    /// By the places of two nodes, the lower one first.
    private var lines: [Pair: Line] = [:]

    struct Pair: Hashable {
        let one: Int
        let other: Int

        init(_ one: Int, _ other: Int) { (self.one, self.other) = (min(one, other), max(one, other)) }

        /// On the agenda.
        fileprivate var index: Int { one << 8 | other }
        fileprivate init(index: Int) { self.init(index >> 8 & 0xFF, index & 0xFF) }
        fileprivate var places: [Int] { [one, other] }
        fileprivate func other(than place: Int) -> Int { place == one ? other : one }
    }

    /// On its way from one node to another.
    struct Message {
        fileprivate let pair: Pair
        fileprivate let source: Int
        /// The number of its link when it was sent.
        fileprivate let number: Int
        let bytes: [UInt8]
    }

    private struct Line {
        /// How often it was made. Earlier messages are lost.
        var number = 0
        /// The places that consider it up.
        var ends: Set<Int> = []
        var isAwaited = false
        /// Since when it is down although both ends serve without trouble.
        var downSince: Int?
        /// When the last message to each place arrives.
        var lastArrival: [Int: Int] = [:]
        /// By place, the time in which nothing arrives there.
        var silences: [Int: (from: Int, to: Int)] = [:]
        /// Messages held back in that time. They arrive afterwards unless the link has ended by then.
        var held: [Message] = []
        /// Until when messages are late.
        var slowUntil = 0
        /// Runs that were linked by it, so that their addresses are known.
        var runs: Set<String> = []
        /// How often in a row a port has refused a node.
        var refusals: [Int: Int] = [:]

        func isSilent(to place: Int, at now: Int) -> Bool { silences[place].map { now < $0.to } ?? false }
    }

    /// What is on the agenda of a pair: the third byte of an index.
    private enum Step: Int {
        case retry
        /// The lower place, or the other one, may have received nothing for too long.
        case silence, otherSilence
        case mend
    }

    init(in world: World) { self.world = world }

    // Microseconds. A link that is silent for so long is down; signs of life come once a second.
    private static let silence = 3_000_000
    private static let signPause = 1_000_000
    /// The longest delay of late messages. Signs of life still arrive in time.
    private static let slowest = 1_900_000
    private static let usual = 2_000

    private func schedule(_ step: Step, of pair: Pair, after span: Int) {
        world.schedule(.line, after: span, index: step.rawValue << 16 | pair.index)
    }

    func heal(_ index: Int) {
        let pair = Pair(index: index & 0xFFFF)
        switch Step(rawValue: index >> 16) {
        case .retry: tryAgain(pair)
        case .silence: noticeSilence(pair, at: pair.one)
        case .otherSilence: noticeSilence(pair, at: pair.other)
        case .mend: mend(pair)
        case nil: preconditionFailure("it was scheduled")
        }
    }

    /// Whether a needed link is missing or not in order.
    var isHindered: Bool {
        world.processes.contains { process in
            world.nodes.contains { node in
                guard process.others[node.name] != nil else { return false }
                guard let line = lines[Pair(node.index, process.node.index)], line.ends.count == 2 else { return true }
                // Messages sent while it was slow arrive later.
                let busyUntil = line.lastArrival.values.reduce(line.slowUntil, max)
                return world.now + Self.usual < busyUntil || !line.silences.isEmpty
            }
        }
    }

    /// If two nodes cannot be linked, one of them leaves. Otherwise its members would wait forever at the other.
    func checkWay() {
        for pair in lines.keys {
            let ends = pair.places.compactMap { world.nodes[$0].process }.filter {
                world.model.serves($0.node.name) && $0.downtime == nil && !$0.isFrozen && !$0.isHindered
            }
            guard ends.count == 2, lines[pair]?.ends.count != 2 else {
                lines[pair]?.downSince = nil
                continue
            }
            let since = lines[pair]?.downSince ?? world.now
            lines[pair]?.downSince = since
            guard world.now - since > Self.makingWay else { continue }
            world.fail("of two nodes that cannot be linked one leaves", "\(ends[0].node.name) and \(ends[1].node.name)")
        }
    }

    /// Longer than it takes to be sure, and to make the link again.
    private static let makingWay = 8_000_000

    // MARK: Being made

    /// A process knows the nodes that it needs links to, and drops links to others.
    func linksWanted(by process: HubProcess) {
        for node in world.nodes where node !== process.node {
            let pair = Pair(node.index, process.node.index)
            if node.process.map(process.wants) != true { closePair(pair) }
            if process.others[node.name] != nil { retry(pair, after: world.delays.number(in: 100...20_000)) }
        }
    }

    private func retry(_ pair: Pair, after span: Int) {
        guard lines[pair]?.ends.count != 2, lines[pair]?.isAwaited != true else { return }
        lines[pair, default: Line()].isAwaited = true
        schedule(.retry, of: pair, after: span)
    }

    private func tryAgain(_ pair: Pair) {
        lines[pair]?.isAwaited = false
        guard let one = world.nodes[pair.one].process, let other = world.nodes[pair.other].process,
            one.wants(other), other.wants(one), !one.isFrozen, !other.isFrozen, lines[pair]?.ends.count != 2,
            !pair.places.contains(where: { lines[pair]?.isSilent(to: $0, at: world.now) == true })
        else {
            let isWanted = pair.places.contains { place in
                world.nodes[place].process?.others[world.nodes[pair.other(than: place)].name] != nil
            }
            for place in pair.places { knock(pair, at: place) }
            if isWanted { retry(pair, after: world.delays.number(in: 200_000...1_000_000)) }
            return
        }
        // An end that still considers the last link up learns of its end first.
        for place in pair.places { drop(pair, at: place) }
        lines[pair, default: Line()].number += 1
        lines[pair]?.ends = [pair.one, pair.other]
        lines[pair]?.held = []
        lines[pair]?.refusals = [:]
        lines[pair]?.runs = [one.hub.run, other.hub.run]
        world.trace("nodes \(pair.one) and \(pair.other) are linked")
        // What waited for the link proceeds from here.
        world.hinder()
        one.linkIsBack(to: other)
        other.linkIsBack(to: one)
    }

    /// The port of a dead process refuses connections, unless the machine is dead too. After several refusals the node
    /// assumes that no process listens.
    private func knock(_ pair: Pair, at place: Int) {
        let node = world.nodes[pair.other(than: place)]
        guard let process = world.nodes[place].process, !process.isFrozen, let run = process.others[node.name],
            node.process == nil, node.refuses, lines[pair]?.runs.contains(run) == true
        else {
            lines[pair]?.refusals[place] = 0
            return
        }
        lines[pair]?.refusals[place, default: 0] += 1
        if lines[pair]?.refusals[place] == 2 { process.portRefuses(of: node.name, run: run) }
    }

    // MARK: Ending

    /// An end notices that the link is down, if it did not before.
    private func drop(_ pair: Pair, at place: Int) {
        guard lines[pair]?.ends.remove(place) != nil else { return }
        let other = world.nodes[pair.other(than: place)].name
        world.model.linkLost(between: world.nodes[place].name, and: other)
        world.trace("\(world.nodes[place].name) has lost its link to \(other)")
        world.nodes[place].process?.linkIsDown(to: other)
    }

    /// Messages under way are lost. The link is made again some time later.
    private func closePair(_ pair: Pair) {
        guard lines[pair]?.ends.isEmpty == false else { return }
        for place in pair.places { drop(pair, at: place) }
        retry(pair, after: 100_000)
    }

    func processEnded(_ process: HubProcess) {
        for node in world.nodes where node !== process.node { closePair(Pair(node.index, process.node.index)) }
    }

    // MARK: Being cut

    /// Nothing arrives at these nodes over the link for so many microseconds.
    func cut(_ pair: Pair, to places: [Int], for span: Int) {
        world.trace("nothing comes to \(places) over the link of \(pair.places)")
        for place in places {
            let end = max(world.now + span, lines[pair]?.silences[place]?.to ?? 0)
            let start = lines[pair]?.silences[place]?.from ?? world.now
            lines[pair, default: Line()].silences[place] = (start, end)
            // The last sign of life was a while ago.
            let left = Self.silence - world.delays.number(in: 0...Self.signPause)
            schedule(place == pair.one ? .silence : .otherSilence, of: pair, after: left)
        }
        schedule(.mend, of: pair, after: span)
    }

    private func noticeSilence(_ pair: Pair, at place: Int) {
        guard let silence = lines[pair]?.silences[place], world.now < silence.to,
            world.now - silence.from >= Self.silence - Self.signPause
        else { return }
        drop(pair, at: place)
        // The other end learns of that if it receives anything.
        let other = pair.other(than: place)
        if lines[pair]?.isSilent(to: other, at: world.now) == false { drop(pair, at: other) }
        retry(pair, after: 100_000)
    }

    private func mend(_ pair: Pair) {
        guard let line = lines[pair] else { return }
        lines[pair]?.silences = line.silences.filter { world.now < $0.value.to }
        guard let mended = lines[pair], mended.silences.count < line.silences.count else { return }
        world.trace("the link of \(pair.places) is mended")
        world.hinder()
        if mended.ends.count == 1 { closePair(pair) }
        let isLate = { (message: Message) in mended.silences[pair.other(than: message.source)] != nil }
        lines[pair]?.held = mended.held.filter(isLate)
        for message in mended.held where !isLate(message) { messageArrived(message) }
    }

    /// A process sends nothing for so long.
    func silence(of process: HubProcess, for span: Int) {
        for node in world.nodes where node !== process.node {
            let pair = Pair(node.index, process.node.index)
            if lines[pair]?.ends.isEmpty == false { cut(pair, to: [node.index], for: span) }
        }
    }

    func slow(_ pair: Pair, for span: Int) { lines[pair, default: Line()].slowUntil = world.now + span }

    func heal() {
        for pair in lines.keys.sorted(by: { $0.index < $1.index }) {
            lines[pair]?.slowUntil = 0
            for place in pair.places { lines[pair]?.silences[place]?.to = world.now }
            mend(pair)
        }
    }

    // MARK: Messages

    func send(_ bytes: [UInt8], from process: HubProcess, to name: String) {
        guard let other = world.nodes.first(where: { $0.name == name }), let target = other.process else { return }
        let pair = Pair(process.node.index, other.index)
        guard let line = lines[pair], line.ends.contains(process.node.index) else { return }
        world.model.crossesLink(bytes)
        let latency = world.delays.number(in: world.now < line.slowUntil ? 1_000...Self.slowest : 50...Self.usual)
        let arrival = max(line.lastArrival[other.index] ?? 0, world.now + latency)
        lines[pair]?.lastArrival[other.index] = arrival
        let message = Message(pair: pair, source: process.node.index, number: line.number, bytes: bytes)
        world.send(.node(message), to: 0, of: target, at: arrival)
    }

    /// Delivers a message unless the link has ended since.
    func messageArrived(_ message: Message) {
        let place = message.pair.other(than: message.source)
        guard let line = lines[message.pair], line.number == message.number, line.ends.contains(place) else { return }
        guard !line.isSilent(to: place, at: world.now) else {
            lines[message.pair]?.held.append(message)
            return
        }
        world.nodes[place].process?.messageArrived(message.bytes, fromNode: world.nodes[message.source].name)
    }
}
