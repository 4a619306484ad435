import Games
import RoomRules
import WebProtocols

/// This end of a WebSocket between two nodes.
protocol LinkChannel: AnyObject {
    /// Bytes that wait for the other end.
    var queuedBytes: Int { get }
    func send(_ kind: MessageKind, _ payload: RawSpan)
    func close(_ code: CloseCode, _ reason: String)
    func abort()
}

/// The link to another node, on its loop. It connects, sends signs of life, cuts a broken link and makes it again.
/// Binary messages are `NodeMessage`s. Text messages are `Word`s.
final class NodeLink {
    enum Word {
        /// From the answering end when the link is made. Everything else for the asker follows it.
        static let linked = Array("linked".utf8)
        static let ping = Array("ping".utf8)
    }

    private enum Phase {
        case down
        /// This node connects or knocks.
        case trying(LinkDial, until: Milliseconds)
        case up(any LinkChannel)
    }

    let node: NodeName
    /// The other node's run. One name has one run at a time.
    let run: String
    /// Where this node connects or knocks.
    var address: NodeAddress
    private unowned let links: LoopLinks
    private var phase = Phase.down
    /// Identifies the newest link, so that messages for an older one are not sent on it.
    private(set) var era: UInt64 = 0
    private var sight: LinkSight
    private var retryAt: Milliseconds
    private var retryPause: Milliseconds
    /// When something last arrived.
    private(set) var heard: Milliseconds = 0
    private var pingAt: Milliseconds = 0
    /// The last logged reason why there is no link.
    private var lastFault: LinkFault.Kind?

    private var limits: LinkLimits { links.settings.limits }
    /// Whether this node connects, which one of each pair does.
    private var isAsker: Bool { links.settings.name < node }

    init(to node: NodeName, at place: NodePlace, on links: LoopLinks) {
        (self.node, run, address, self.links) = (node, place.run, place.address, links)
        retryAt = links.now
        retryPause = links.settings.limits.firstRetryPause
        sight = LinkSight(run: place.run, since: links.now)
    }

    /// When it has something to do next.
    var deadline: Milliseconds {
        switch phase {
        case .down: retryAt
        case .trying(_, let end): end
        case .up: min(pingAt, heard + limits.silence)
        }
    }

    /// Sends a message on the link of `era`, or drops it if that link is gone.
    func send(_ bytes: [UInt8], in era: UInt64) {
        guard case .up(let channel) = phase, era == self.era else { return }
        guard channel.queuedBytes <= limits.queueBytes else {
            return cut(LinkFault(.sendQueue, "over \(limits.queueBytes) bytes wait for it")) { $0.abort() }
        }
        guard bytes.count <= limits.messageBytes else {
            let sentence = "a message for it has \(bytes.count) bytes, over \(limits.messageBytes)"
            return cut(LinkFault(.badMessage, sentence)) { $0.abort() }
        }
        channel.send(.binary, bytes.span.bytes)
        links.counters.linkSentMessages.add()
        links.counters.linkSentBytes.add(bytes.count)
    }

    // MARK: Time

    func checkTimes() {
        let now = links.now
        guard deadline <= now else { return }
        switch phase {
        case .down: dial()
        case .trying(let dial, _):
            dial.abandon()
            failed(LinkFault(.unreachable, "it took too long to connect"))
        case .up(let channel):
            guard now - heard < limits.silence else {
                return cut(LinkFault(.silent, "nothing was heard from it for \(limits.silence) ms")) { $0.abort() }
            }
            channel.send(.text, Word.ping.span.bytes)
            pingAt = now + limits.pingPause
        }
    }

    /// The loop was blocked and could not hear anything.
    func stoodStill() { heard = links.now }

    /// A node that does not connect knocks, to find out if the port is open.
    private func dial() {
        guard !links.isStopping else { return retryAt = .max }
        phase = .trying(LinkDial(self, links, isKnock: !isAsker), until: links.now + limits.dialTime)
    }

    // MARK: Results of connecting

    /// The port is open.
    func knocked() { pause(refusals: 0) }

    func linked(_ dial: LinkDial, _ channel: any LinkChannel, reading types: [String]) {
        guard case .trying(let current, _) = phase, current === dial else { return channel.abort() }
        rise(channel, reading: types)
    }

    func failed(_ dial: LinkDial, _ fault: LinkFault) {
        if case .trying(let current, _) = phase, current === dial { failed(fault) }
    }

    private func failed(_ fault: LinkFault) {
        links.failed(fault, to: node, isNew: fault.kind != lastFault)
        lastFault = fault.kind
        pause(refusals: fault.kind == .portRefused ? sight.refusals + 1 : 0)
    }

    private func pause(refusals: Int) {
        phase = .down
        retryAt = links.now + retryPause
        retryPause = min(2 * retryPause, limits.longestRetryPause)
        see { $0.refusals = refusals }
        links.schedule()
    }

    // MARK: The other node connects

    /// The other node has connected and proved that it has the key.
    func accept(_ accepted: AcceptedLink) {
        switch phase {
        case .down: break
        case .trying(let dial, _): dial.abandon()
        // The other end has seen the last link end.
        case .up(let channel): closeLink { channel.abort() }
        }
        accepted.link = self
        accepted.connection.send(.text, Word.linked.span.bytes)
        rise(accepted.connection, reading: accepted.hello.eventTypes)
    }

    // MARK: The link

    private func rise(_ channel: any LinkChannel, reading types: [String]) {
        era = links.nextEra()
        phase = .up(channel)
        (heard, pingAt, lastFault) = (links.now, links.now + limits.pingPause, nil)
        see { sight in sight = LinkSight(run: run, isLinked: true, since: links.now, wasLinked: true) }
        links.rose(self, reading: types)
        links.schedule()
    }

    func messageArrived(_ message: RawSpan, _ kind: MessageKind, on channel: any LinkChannel) {
        guard case .up(let current) = phase, current === channel else { return }
        heard = links.now
        // If a link that worked is lost, it is made again at once.
        retryPause = limits.firstRetryPause
        let bytes = message.withUnsafeBytes { Array($0) }
        guard kind == .binary else {
            if bytes != Word.ping {
                cut(LinkFault(.badMessage, "a text message is not a known word")) { $0.refuse(.badMessage) }
            }
            return
        }
        links.counters.linkReceivedMessages.add()
        links.counters.linkReceivedBytes.add(bytes.count)
        do throws(NodeMessageViolation) {
            links.deliver(try NodeMessage(bytes), from: node)
        } catch {
            cut(LinkFault(.badMessage, error.sentence)) { $0.refuse(.badMessage) }
        }
    }

    func ended(_ channel: any LinkChannel, _ fault: LinkFault) {
        if case .up(let current) = phase, current === channel { cut(fault) { _ in } }
    }

    private func cut(_ fault: LinkFault, _ how: (any LinkChannel) -> Void) {
        guard case .up(let channel) = phase else { return }
        links.linkLost(node, fault)
        closeLink { how(channel) }
    }

    private func closeLink(_ close: () -> Void) {
        phase = .down
        // By the timer, since this may be in the middle of a room's work.
        retryAt = links.now + retryPause
        retryPause = min(2 * retryPause, limits.longestRetryPause)
        close()
        see { sight in sight = LinkSight(run: run, since: links.now, wasLinked: true) }
        links.fell(self)
        links.schedule()
    }

    /// The node no longer belongs to the cluster.
    func discard() {
        switch phase {
        case .down: break
        case .trying(let dial, _): dial.abandon()
        case .up(let channel): closeLink { channel.close(.normal, "") }
        }
        phase = .down
        retryAt = .max
    }

    /// The node has a new address.
    func move(to address: NodeAddress) {
        guard address != self.address else { return }
        self.address = address
        if case .trying(let dial, _) = phase {
            dial.abandon()
            phase = .down
        }
        retryAt = links.now
        links.schedule()
    }

    private func see(_ change: (inout LinkSight) -> Void) {
        let before = sight
        change(&sight)
        if sight != before { links.sees(sight, of: node) }
    }

    /// Repeats the sight for a new watcher.
    func tellSight() { links.sees(sight, of: node) }
}

extension LinkChannel {
    /// Closes it and tells the other end why.
    func refuse(_ kind: LinkFault.Kind) { close(.policyViolation, kind.rawValue) }
}
