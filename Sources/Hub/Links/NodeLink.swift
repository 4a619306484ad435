import EventStore
import Games
import WebProtocols

/// This end of a WebSocket between two nodes.
protocol LinkChannel: AnyObject {
    /// Bytes that wait for the other end.
    var queuedBytes: Int { get }
    func send(_ kind: MessageKind, _ payload: RawSpan)
    func close(_ code: CloseCode, _ reason: String)
    func abort()
}

/// The link to another node, on the loop where it lives: made, kept alive, cut where it does not do, and made anew.
/// Binary messages are `NodeMessage`s; texts are what links say for themselves.
final class NodeLink {
    /// What is said in texts.
    enum Word {
        /// By who answers: the link is made. All that the asker is sent comes behind it.
        static let linked = Array("linked".utf8)
        /// A sign of life.
        static let ping = Array("ping".utf8)
    }

    private enum Phase {
        case down
        /// This node connects, or knocks.
        case trying(LinkDial, until: Milliseconds)
        case up(any LinkChannel)
    }

    let node: NodeName
    /// The one that it is to: of each name there is one at a time.
    let run: String
    /// Where this node connects to, or knocks.
    var address: NodeAddress
    private unowned let links: LoopLinks
    private var phase = Phase.down
    /// Names the link as it was made last: what was meant for one before is not sent on it.
    private(set) var era: UInt64 = 0
    private var sight: LinkSight
    private var retryAt: Milliseconds
    private var retryPause: Milliseconds
    /// When something came on it last.
    private(set) var heard: Milliseconds = 0
    private var pingAt: Milliseconds = 0
    /// What was logged of why there is no link.
    private var lastFault: LinkFault.Kind?

    private var limits: LinkLimits { links.settings.limits }
    /// Of each two nodes the one that connects.
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

    /// Sends a message on the link as it was made at `era`; dropped if there is none, or another one.
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

    func tick() {
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

    /// This loop stood still: nobody could be heard.
    func stoodStill() { heard = links.now }

    /// Who does not connect knocks: it is told of a port at which nobody listens.
    private func dial() {
        guard !links.isStopping else { return retryAt = .max }
        phase = .trying(LinkDial(self, links, isKnock: !isAsker), until: links.now + limits.dialTime)
    }

    // MARK: What comes of connecting

    /// Somebody listens there.
    func knocked() { pause(refusals: 0) }

    /// The other end has said that it is linked.
    func linked(_ dial: LinkDial, _ channel: any LinkChannel, reading types: [String]) {
        guard case .trying(let current, _) = phase, current === dial else { return channel.abort() }
        rise(channel, reading: types)
    }

    /// Connecting has come to nothing.
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

    // MARK: Who has connected

    /// The node has connected, and has shown that it has the key.
    func accept(_ accepted: AcceptedLink) {
        switch phase {
        case .down: break
        case .trying(let dial, _): dial.abandon()
        // Its end has seen the last one end.
        case .up(let channel): end { channel.abort() }
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

    /// Something came on `channel`.
    func received(_ message: RawSpan, _ kind: MessageKind, on channel: any LinkChannel) {
        guard case .up(let current) = phase, current === channel else { return }
        heard = links.now
        // A link that holds is made anew at once when it does not.
        retryPause = limits.firstRetryPause
        let bytes = message.withUnsafeBytes { Array($0) }
        guard kind == .binary else {
            if bytes != Word.ping {
                cut(LinkFault(.badMessage, "a text is no word of a link")) { $0.refuse(.badMessage) }
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

    /// The channel has come to its end by itself.
    func ended(_ channel: any LinkChannel, _ fault: LinkFault) {
        if case .up(let current) = phase, current === channel { cut(fault) { _ in } }
    }

    private func cut(_ fault: LinkFault, _ how: (any LinkChannel) -> Void) {
        guard case .up(let channel) = phase else { return }
        links.lost(node, fault)
        end { how(channel) }
    }

    private func end(_ close: () -> Void) {
        phase = .down
        // By the timer: this may be in the middle of what a room does.
        retryAt = links.now + retryPause
        retryPause = min(2 * retryPause, limits.longestRetryPause)
        close()
        see { sight in sight = LinkSight(run: run, since: links.now, wasLinked: true) }
        links.fell(self)
        links.schedule()
    }

    /// The node is none of the cluster any more.
    func discard() {
        switch phase {
        case .down: break
        case .trying(let dial, _): dial.abandon()
        case .up(let channel): end { channel.close(.normal, "") }
        }
        phase = .down
        retryAt = .max
    }

    /// It listens elsewhere.
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

    /// Once more, for who begins to watch.
    func tellSight() { links.sees(sight, of: node) }
}

extension LinkChannel {
    /// Closes it; the other end is told why.
    func refuse(_ kind: LinkFault.Kind) { close(.policyViolation, kind.rawValue) }
}
