import Cluster
import Games
import Logging
import RoomRules
import Rooms
import Transport
import WebProtocols

/// Runs a shard on its event loop, and translates the loop's calls for the shard and its API.
final class ShardService: LoopService {
    private let context: LoopContext
    private let shard: Shard
    private let api: API
    /// Links to other nodes; nil without other nodes.
    private let links: LoopLinks?
    /// Set on a node's first loop.
    private let desk: NodeDesk?
    private var nextProxyNotice: Milliseconds = 0

    init(context: LoopContext, shard: Shard, api: API, links: LoopLinks? = nil, desk: NodeDesk? = nil) {
        self.context = context
        self.shard = shard
        self.api = api
        (self.links, self.desk) = (links, desk)
        links?.receiver = self
    }

    func turnBegan(stoodStillSince: Int?) {
        let (now, turn) = (context.now, context.turn)
        shard.turnBegan(
            LoopTurn(now: now, began: turn.began, lastEnded: turn.lastEnded), stoodStillSince: stoodStillSince)
        links?.turnBegan(stoodStillSince: stoodStillSince)
    }

    func requestArrived(_ request: HTTPRequest, on connection: Connection) {
        // The door for nodes serves nothing else, and no other door serves this.
        if connection.peer.door == .nodes {
            return links?.requestArrived(request, on: connection) ?? connection.abort()
        }
        let entry = AccessEntry(request.head, from: connection.peer, accessLogger)
        let writer = ConnectionResponseWriter(connection, loops: context.loops, entry)
        connection.attachment = writer
        api.handle(request, writer)
    }

    func isAnsweredPastLimits(_ head: RequestHead) -> Bool { Route.isHealthProbe(head) }

    /// Nil if requests are not logged.
    private var accessLogger: Logger? { api.options.logsAccess ? shard.surroundings.loggers.access : nil }

    func inputRefused(_ head: RequestHead?, by response: HTTPResponse, from peer: Peer, after span: Duration) {
        guard let entry = AccessEntry(head, from: peer, since: .now - span, accessLogger) else { return }
        entry.logRequest(status: response.status, bytes: entry.sends(response))
    }

    func proxyRefused(_ violation: ProxyHeaderViolation, from proxy: Peer) {
        shard.surroundings.counters.proxyHeaderFaults.add(1)
        // If a proxy passes on what clients send first, anyone can cause this.
        guard context.now >= nextProxyNotice else { return }
        nextProxyNotice = context.now + 60_000
        shard.surroundings.loggers.write(
            .badProxyHeader, ["proxy": "\(proxy.address)", "reason": "\(violation.sentence)"])
    }

    func limitPassed(_ limit: TransportLimit, by peer: Peer) {
        shard.surroundings.notice(limit.rawValue, passedBy: peer)
    }

    func webSocketOpened(_ connection: Connection, for purpose: any Sendable) {
        guard let purpose = purpose as? WebSocketPurpose else {
            links?.opened(connection, for: purpose)
            return
        }
        connection.attachment = shard.enter(connection, for: purpose)
        if case .echo = purpose { connection.isReadFreely = true }
    }

    func messageArrived(_ message: RawSpan, kind: MessageKind, on connection: Connection) {
        guard let attachment = connection.attachment else { return connection.send(kind, message) }
        if let client = attachment as? any HubConnection {
            guard kind == .text else { return client.close(.unsupportedData, "messages are text") }
            client.messageArrived(message)
        } else if let link = attachment as? AcceptedLink {
            link.messageArrived(message, kind)
        }
    }

    func outputDrained(_ connection: Connection) {
        switch connection.attachment {
        case let writer as ConnectionResponseWriter: writer.drained()
        case let client as any HubConnection: client.drained()
        default: break
        }
    }

    func connectionClosed(_ connection: Connection) {
        switch connection.attachment {
        case let client as any HubConnection: client.closed()
        case let link as AcceptedLink: links?.closed(link)
        case let writer as ConnectionResponseWriter:
            writer.isClosed = true
            // Its closure holds the writer.
            writer.onDrained = nil
        default: break
        }
        connection.attachment = nil
    }

    func timerFired(_ timer: UInt64) {
        if timer == LoopTimer.links.rawValue, let links { return links.checkLinks() }
        shard.fired(timer)
    }

    func postsArrived(_ posted: [any Sendable]) {
        for value in posted {
            if let message = value as? ShardMessage {
                shard.handle(message)
            } else if let post = value as? NodePost {
                handle(post)
            } else {
                links?.postArrived(value)
            }
        }
    }

    private func handle(_ post: NodePost) {
        switch post {
        case .serves(let serves): api.isServing = serves
        case .leave: desk?.leave()
        }
    }

    func turnEnded() {
        shard.turnEnded()
        links?.turnEnded()
    }

    func serverStopping() {
        shard.handle(.draining)
        links?.stopping()
    }
}

/// Passes messages from links on, to this loop's shard at once.
extension ShardService: LinkReceiver, ShardDirectory {
    var count: Int { context.loops.count }

    func post(_ message: ShardMessage, to index: Int) {
        if index == context.index { shard.handle(message) } else { context.loops[index].post(message) }
    }

    func nodeMessageArrived(_ message: NodeMessage, from node: NodeName) { deliver(message, from: node) }
    func noticeArrived(_ notice: NodeNotice) { shard.handle(.node(notice)) }
}

extension Connection: SocketChannel {}

/// Answers one request of a connection.
private final class ConnectionResponseWriter: ResponseWriter {
    private let connection: Connection
    private let loops: [LoopHandle]
    /// Nil if requests are not logged, or once this one is.
    private var entry: AccessEntry?
    private var status = 0
    private var sentBytes = 0
    var onDrained: (() -> Void)?
    var isClosed = false { didSet { if isClosed, status > 0 { log() } } }

    init(_ connection: Connection, loops: [LoopHandle], _ entry: AccessEntry?) {
        self.connection = connection
        self.loops = loops
        self.entry = entry
    }

    private func log() {
        entry?.logRequest(status: status, bytes: sentBytes)
        entry = nil
    }

    var peer: Peer { connection.peer }
    var queuedBytes: Int { connection.queuedBytes }

    func respond(_ response: HTTPResponse) {
        guard !isClosed else { return }
        connection.respond(response)
        (status, sentBytes) = (response.status, entry?.sends(response) ?? 0)
        log()
    }

    func upgrade(_ acceptance: Acceptance, limits: MessageLimits, to shard: Int, for purpose: WebSocketPurpose) {
        guard !isClosed else { return }
        isClosed = true
        connection.attachment = nil
        let refusal = connection.upgrade(acceptance, limits: limits, to: loops[shard], for: purpose)
        (status, sentBytes) = (refusal?.status ?? 101, refusal?.body.count ?? 0)
        log()
    }

    func writeHead(status: Int, headers: HeaderFields) {
        guard !isClosed else { return }
        self.status = status
        connection.beginResponse(status: status, headers: headers)
    }

    func send(part: [UInt8]) {
        guard !isClosed else { return }
        sentBytes += part.count
        connection.sendBody(part)
    }

    func finishResponse() {
        guard !isClosed else { return }
        connection.endResponse()
        log()
    }

    func abort() {
        guard !isClosed else { return }
        connection.abort()
        log()
    }

    func drained() { onDrained?() }
}

extension ShardLoop {
    /// From a loop of the transport.
    init(
        _ context: LoopContext, computers: any ComputerRunner, cluster: ServingNodes? = nil, host: (any NodeHost)? = nil
    ) {
        let loop = context.loops[context.index]
        self.init(
            index: context.index, shards: LoopDirectory(context.loops), timers: LoopTimers(context),
            computers: computers, now: context.now, post: { loop.post($0) }, cluster: cluster, host: host)
    }
}

private final class LoopTimers: ShardTimers {
    private let context: LoopContext

    init(_ context: LoopContext) { self.context = context }

    func arm(_ token: UInt64, at time: Milliseconds) { context.arm(at: time, token: token) }
    func cancel(_ token: UInt64) { context.cancel(token: token) }
}

private final class LoopDirectory: ShardDirectory {
    private let loops: [LoopHandle]

    init(_ loops: [LoopHandle]) { self.loops = loops }

    var count: Int { loops.count }
    func post(_ message: ShardMessage, to shard: Int) { loops[shard].post(message) }
}
