import Cryptography
import Games
import Logging
import Synchronization
import Transport
import WebProtocols

@testable import Cluster
@testable import Hub
@testable import RoomRules
@testable import Rooms

/// A node that has only links, on its own loops. It notes events: `loop 1: linked b`, `b says hello`, `sees b linked`,
/// `sees b down, 2 refusals`, `b reads flipped, ended`.
final class LinkedNode: Sendable {
    static let key = "the key of the cluster"

    let name: NodeName
    let run: String
    let notes = Notes()
    let logged = LoggedLines()
    let counters: [HubCounters]
    private let transport: TransportServer

    init(
        _ name: String, run: String = "1", key: String = key, types: [String] = ["flipped"], loops: Int = 2,
        _ change: (inout LinkLimits) -> Void = { _ in }
    ) throws {
        (self.name, self.run) = (NodeName(name), run)
        guard let key = ClusterKey(Array(key.utf8)) else { preconditionFailure("a key is long enough") }
        var settings = LinkSettings(name: self.name, run: run, key: key, eventTypes: types)
        change(&settings.limits)
        var options = TransportOptions(addresses: [ListenAddress(host: "127.0.0.1", port: 0)])
        options.nodeAddresses = [ListenAddress(host: "127.0.0.1", port: 0)]
        (options.loops, options.shutdownTime) = (loops, .milliseconds(200))
        let counters = (0..<loops).map { _ in HubCounters() }
        self.counters = counters
        let (notes, logged) = (notes, logged)
        transport = try TransportServer(options, clock: LinkClock()) { [settings] context in
            LinkedService(
                context, settings, counters[context.index], HubLoggers(Logger(label: "test") { _ in logged }), notes)
        }
        try transport.start()
    }

    deinit { stop() }

    /// Like a process that is gone.
    func stop() { transport.shutdown() }

    var port: Int { transport.nodePorts[0] }
    var publicPort: Int { transport.ports[0] }

    /// Knows these nodes from now on. `ports`: of nodes (run 1) that are reached elsewhere than where they listen.
    func keep(_ nodes: [LinkedNode], ports: [String: Int] = [:]) {
        let known = nodes.map { NodeRun(node: $0.name, run: $0.run, address: "http://127.0.0.1:\($0.port)") }
        let moved = ports.map { NodeRun(node: NodeName($0), run: "1", address: "http://127.0.0.1:\($1)") }
        transport.loops[0].post(LinkOrder.keep(known + moved))
    }

    func say(_ text: String, to node: LinkedNode, on loop: Int = 0) {
        transport.loops[loop].post(LinkOrder.say(text, node.name))
    }

    func count(_ fault: LinkFault.Kind) -> Int { counters.reduce(0) { $0 + $1.linkFaults[fault.rawValue] } }
    var linked: Int { counters.reduce(0) { $0 + $1.links.value } }

    /// Waits until there is such a warning. Counted faults are logged a moment later.
    func warns(_ sentence: String) -> Bool {
        notes.wait { _ in logged.of(.warning).contains { $0.contains(sentence) } }
    }

    /// Waits until all loops know of a link to the node, made for the `times`th time.
    func isLinked(to node: String, times: Int = 1) -> Bool {
        counters.indices.allSatisfy { notes.wait(for: "loop \($0): linked \(node)", times: times) }
    }
}

/// An order of a test to a loop.
private enum LinkOrder: Sendable {
    case keep([NodeRun])
    case say(String, NodeName)
}

/// The steady clock with a fixed offset.
private final class LinkClock: ServiceClock {
    private let time = SystemTime()
    func now() -> Int { 1_700_000_000_000 + time.read().boot / 1_000_000 }
}

private final class LinkedService: LoopService, LinkReceiver, LinkWatcher {
    private let context: LoopContext
    private let links: LoopLinks
    private let notes: Notes

    init(
        _ context: LoopContext, _ settings: LinkSettings, _ counters: HubCounters, _ loggers: HubLoggers,
        _ notes: Notes
    ) {
        (self.context, self.notes) = (context, notes)
        links = LoopLinks(on: context, settings, counters: counters, loggers: loggers)
        links.receiver = self
        if context.index == 0 { links.watcher = self }
    }

    func nodeMessageArrived(_ message: NodeMessage, from node: NodeName) {
        if case .accountChanged(let text) = message { notes.add("\(node.text) says \(text ?? "")") }
    }

    func noticeArrived(_ notice: NodeNotice) {
        guard case .linkIsBack(let node) = notice else { return }
        let types = links.eventTypes(readBy: node) ?? []
        notes.add("\(node.text) reads \(types.joined(separator: ", "))")
        notes.add("loop \(context.index): linked \(node.text)")
    }

    func sees(_ sight: LinkSight, of node: NodeName) {
        notes.add("sees \(node.text) " + (sight.isLinked ? "linked" : "down, \(sight.refusals) refusals"))
    }

    // MARK: The loop

    func turnBegan(stoodStillSince: Int?) { links.turnBegan(stoodStillSince: stoodStillSince) }

    func requestArrived(_ request: HTTPRequest, on connection: Connection) {
        guard connection.peer.door != .nodes else { return links.requestArrived(request, on: connection) }
        connection.respond(HTTPResponse(status: 200))
    }

    func webSocketOpened(_ connection: Connection, for purpose: any Sendable) {
        links.opened(connection, for: purpose)
    }

    func messageArrived(_ message: RawSpan, kind: MessageKind, on connection: Connection) {
        (connection.attachment as? AcceptedLink)?.messageArrived(message, kind)
    }

    func connectionClosed(_ connection: Connection) {
        if let link = connection.attachment as? AcceptedLink { links.closed(link) }
        // The two refer to each other, and to the loop and its listeners.
        connection.attachment = nil
    }

    func timerFired(_ timer: UInt64) { links.checkLinks() }

    func postsArrived(_ posted: [any Sendable]) {
        for value in posted {
            switch value {
            case let post as LinkPost: links.postArrived(post)
            case LinkOrder.keep(let runs): links.keep(links: runs)
            case LinkOrder.say(let text, let node): links.send(.accountChanged(text), to: node)
            default: break
            }
        }
    }

    func turnEnded() { links.turnEnded() }
    func serverStopping() { links.stopping() }
}
