import Games
import RoomRules
import Rooms
import Transport
import WebProtocols

/// Receives from links. Called on its own loop, and never within one of its own calls to the links.
public protocol LinkReceiver: AnyObject {
    /// A message arrived on a link of this loop.
    func nodeMessageArrived(_ message: NodeMessage, from node: NodeName)
    /// A link was made or lost, on any loop.
    func noticeArrived(_ notice: NodeNotice)
}

/// A node's links as one loop sees them: its own links, and the way to those of other loops. The other node's name
/// decides which loop a link lives on.
public final class LoopLinks: NodeLinks {

    let context: LoopContext
    let settings: LinkSettings
    let counters: HubCounters
    private let loggers: HubLoggers
    private let door: LinkDoor
    /// Receives from the links of this loop. Set after it is made.
    public weak var receiver: (any LinkReceiver)?
    private var links: [NodeName: NodeLink] = [:]
    /// The eras of all existing links, on any loop, as far as this loop knows.
    private var eras: [NodeName: UInt64] = [:]
    /// Links of this loop that were lost in this turn.
    private var fallen: Set<NodeName> = []
    /// The event types that each linked node reads. Kept while the node belongs to the cluster.
    private var reads: [NodeName: [String]] = [:]
    /// This turn's messages for links of other loops, by loop.
    private var outgoing: [[LinkMail]]
    private var lastEra: UInt64 = 0
    /// Nodes that have the key but are not known as nodes of the cluster.
    private var strangers: [AcceptedLink] = []
    private var armed = Milliseconds.max
    private var nextNotice: Milliseconds = 0
    private(set) var isStopping = false

    /// What this node sees of others. Only the first loop has it.
    private(set) var sights: [NodeName: LinkSight] = [:]
    /// Notified on the first loop.
    public weak var watcher: (any LinkWatcher)?

    var now: Milliseconds { context.now }

    /// The links on this loop, with its counters.
    public init(on context: LoopContext, _ settings: LinkSettings, counters: HubCounters, loggers: HubLoggers) {
        (self.context, self.settings, self.counters, self.loggers) = (context, settings, counters, loggers)
        door = LinkDoor(settings: settings)
        outgoing = context.loops.map { _ in [] }
    }

    // MARK: For shards and their keeper

    /// From now on only these nodes are linked. This node may be among them. Called on the first loop.
    public func keep(links runs: [NodeRun]) {
        var places: [NodeName: NodePlace] = [:]
        // A later release may write an address that this one cannot read. Such a node is not linked, and the one that
        // leaves logs that.
        for run in runs { places[run.node] = NodeAddress(run.address).map { NodePlace(run: run.run, address: $0) } }
        sights = sights.filter { places[$0.key] != nil }
        for loop in context.loops { loop.post(LinkPost.keep(places)) }
    }

    /// The types of all events that another node says it reads; nil before its first link.
    func eventTypes(readBy node: NodeName) -> [String]? { reads[node] }

    /// Sends on the link that is known here. Messages sent before a loop learns of a new link are lost with the old
    /// one, as `linkIsBack` says.
    public func send(_ message: NodeMessage, to node: NodeName) {
        guard let era = eras[node] else { return }
        if case .relay(_, .broadcast) = message { counters.linkSentBroadcasts.add() }
        let loop = index(of: node)
        guard loop != context.index else {
            links[node]?.send(message.bytes, in: era)
            return
        }
        outgoing[loop].append(LinkMail(node: node, era: era, bytes: message.bytes))
    }

    private func index(of node: NodeName) -> Int { shardIndex(ofRoom: node.text, count: context.loops.count) }

    // MARK: Calls of the loop

    /// As `LoopService.turnBegan`.
    public func turnBegan(stoodStillSince: Milliseconds?) {
        if stoodStillSince != nil { for link in inOrder { link.stoodStill() } }
    }

    /// Passes this turn's messages on to other loops, in one list each.
    public func turnEnded() {
        for loop in outgoing.indices where !outgoing[loop].isEmpty {
            context.loops[loop].post(LinkPost.mail(outgoing[loop]))
            outgoing[loop] = []
        }
    }

    /// Ends all links of this loop.
    public func stopping() {
        isStopping = true
        for link in inOrder { link.discard() }
        for stranger in strangers { stranger.connection.abort() }
        strangers = []
    }

    /// Something was posted to this loop, for its links or for others.
    public func postArrived(_ posted: any Sendable) {
        guard let post = posted as? LinkPost else { return }
        switch post {
        case .keep(let places): keepOwn(places)
        case .mail(let list): for mail in list { links[mail.node]?.send(mail.bytes, in: mail.era) }
        case .rose(let node, let era, let reads): noteRise(of: node, era, reads)
        case .fell(let node, let era): noteFall(of: node, era)
        case .sees(let node, let sight):
            sights[node] = sight
            watcher?.sees(sight, of: node)
        }
    }

    private func noteRise(of node: NodeName, _ era: UInt64, _ reads: [String]) {
        // The loss was not reported here yet.
        if fallen.remove(node) != nil { receiver?.noticeArrived(.linkIsDown(node)) }
        eras[node] = era
        self.reads[node] = reads
        receiver?.noticeArrived(.linkIsBack(node))
    }

    private func noteFall(of node: NodeName, _ era: UInt64) {
        if eras[node] == era { eras[node] = nil }
        fallen.remove(node)
        // The link may already be back.
        if eras[node] == nil, !isStopping { receiver?.noticeArrived(.linkIsDown(node)) }
    }

    private func keepOwn(_ places: [NodeName: NodePlace]) {
        reads = reads.filter { places[$0.key] != nil }
        for link in inOrder where places[link.node]?.run != link.run {
            links[link.node] = nil
            link.discard()
        }
        guard !isStopping else { return }
        for (node, place) in places.sorted(by: { $0.key < $1.key })
        where node != settings.name && index(of: node) == context.index {
            if let link = links[node] {
                link.move(to: place.address)
            } else {
                let link = NodeLink(to: node, at: place, on: self)
                links[node] = link
                link.tellSight()
            }
        }
        let known = strangers.filter { link(awaiting: $0) != nil }
        strangers.removeAll { link(awaiting: $0) != nil }
        for stranger in known { link(awaiting: stranger)?.accept(stranger) }
        schedule()
    }

    /// The link that this node connected for.
    private func link(awaiting accepted: AcceptedLink) -> NodeLink? {
        links[accepted.hello.name].flatMap { $0.run == accepted.hello.run ? $0 : nil }
    }

    /// A request at the address for nodes.
    public func requestArrived(_ request: HTTPRequest, on connection: Connection) {
        switch door.answer(request, on: connection) {
        case .answer(let response): connection.respond(response)
        case .fault(let fault, let node):
            noticeStranger(fault, node, at: connection.peer)
            connection.respond(fault.response)
        case .link(let acceptance, let hello):
            let limits = MessageLimits(
                frameBytes: settings.limits.messageBytes, messageBytes: settings.limits.messageBytes)
            connection.upgrade(acceptance, limits: limits, to: context.loops[index(of: hello.name)], for: hello)
        }
    }

    /// A connection was upgraded. If it is for a node, that has the key, and this is the loop of its link.
    public func opened(_ connection: Connection, for purpose: any Sendable) {
        guard let hello = purpose as? NodeHello else { return }
        connection.isReadFreely = true
        connection.isQueuedFreely = true
        let accepted = AcceptedLink(connection, hello, at: now)
        connection.attachment = accepted
        if let link = link(awaiting: accepted) { return link.accept(accepted) }
        guard strangers.count < settings.limits.strangerCount, !isStopping else { return refuse(accepted) }
        strangers.append(accepted)
        schedule()
    }

    /// The connection of a node has ended.
    public func closed(_ accepted: AcceptedLink) {
        strangers.removeAll { $0 === accepted }
        accepted.closed()
    }

    private func refuse(_ stranger: AcceptedLink) {
        let name = stranger.hello.name
        let fault =
            links[name] == nil
            ? LinkFault(.unknownNode, "it is not known to be a node of the cluster")
            : LinkFault(.sameName, "another run is called \(name.text), and has not ended")
        noticeStranger(fault, name, at: stranger.connection.peer)
        stranger.refuse(fault)
    }

    /// Anyone who can reach the port can cause this, so it is logged once a minute.
    private func noticeStranger(_ fault: LinkFault, _ node: NodeName?, at peer: Peer) {
        counters.linkFaults.add(fault.kind.rawValue)
        guard now >= nextNotice else { return }
        nextNotice = now + 60_000
        loggers.write(
            .linkRefused, ["node": "\(node?.text ?? "")", "address": "\(peer.address)", "reason": "\(fault.sentence)"])
    }

    // MARK: Time

    /// `timer` has fired.
    public func checkLinks() {
        armed = .max
        for link in inOrder { link.checkTimes() }
        let late = strangers.filter { now - $0.came >= settings.limits.strangerTime }
        strangers.removeAll { now - $0.came >= settings.limits.strangerTime }
        for stranger in late { refuse(stranger) }
        schedule()
    }

    /// Arms the timer for the next time that something is due.
    func schedule() {
        guard !isStopping else { return }
        let next = min(
            links.values.map(\.deadline).min() ?? .max,
            strangers.map { $0.came + settings.limits.strangerTime }.min() ?? .max)
        guard next < armed else { return }
        armed = next
        context.arm(at: next, token: LoopTimer.links.rawValue)
    }

    private var inOrder: [NodeLink] { links.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: Calls of links

    func deliver(_ message: NodeMessage, from node: NodeName) { receiver?.nodeMessageArrived(message, from: node) }

    /// Identifies a link. No era is used twice, so a message for a node's last run never reaches the next one.
    func nextEra() -> UInt64 {
        lastEra += 1
        return lastEra
    }

    /// All loops learn of the link before its messages.
    func rose(_ link: NodeLink, reading types: [String]) {
        counters.links.add(1)
        counters.linksMade.add(1)
        loggers.write(.linkMade, ["node": "\(link.node.text)", "run": "\(link.run)"])
        tellOthers(.rose(link.node, link.era, reading: types))
        noteRise(of: link.node, link.era, types)
    }

    func fell(_ link: NodeLink) {
        counters.links.add(-1)
        eras[link.node] = nil
        fallen.insert(link.node)
        // Posted to this loop too, so that it is handled after the current work.
        for loop in context.loops { loop.post(LinkPost.fell(link.node, link.era)) }
    }

    private func tellOthers(_ post: LinkPost) {
        for loop in context.loops where loop.index != context.index { loop.post(post) }
    }

    func linkLost(_ node: NodeName, _ fault: LinkFault) {
        counters.linkFaults.add(fault.kind.rawValue)
        guard !isStopping else { return }
        loggers.write(.linkLost, ["node": "\(node.text)", "reason": "\(fault.sentence)"])
    }

    /// A link was not made; `isNew` if the last attempt failed for another reason.
    func failed(_ fault: LinkFault, to node: NodeName, isNew: Bool) {
        counters.linkFaults.add(fault.kind.rawValue)
        guard isNew, !isStopping else { return }
        loggers.write(.linkFailed, ["node": "\(node.text)", "reason": "\(fault.sentence)"])
    }

    func sees(_ sight: LinkSight, of node: NodeName) { context.loops[0].post(LinkPost.sees(node, sight)) }
}
