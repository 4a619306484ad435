import Dispatch
import Synchronization
import TestSupport
import Transport
import WebProtocols

/// A server of two loops for tests. WebSockets: `/echo` sends back, `/other` does so on the other loop, `/flood` sends
/// far more than a socket holds, `/burst` sends much, but no more than that, `/whose` says who asked, and `/turns` says
/// when the turn began that brought a message. `/peer` says who asked without a WebSocket. Anything else answers its
/// own path, `/health` past limits too.
final class EchoServer: Sendable {
    let transport: TransportServer
    let journal = Journal()
    let clock = TestClock()

    init(_ change: (inout TransportOptions) -> Void = { _ in }) throws {
        var options = TransportOptions(addresses: [ListenAddress(host: "127.0.0.1", port: 0)])
        options.loops = 2
        // A test that waits for its turn on a busy machine is not a silent peer.
        options.pingInterval = .seconds(3_600)
        options.silenceLimit = .seconds(3_600)
        options.headTime = .seconds(600)
        options.keepAliveTime = .seconds(600)
        change(&options)
        transport = try TransportServer(options, clock: clock) { [journal] in EchoService($0, journal) }
        try transport.start()
    }

    deinit { transport.shutdown() }

    var port: Int { transport.ports[0] }

    /// A client, with a WebSocket if there is a path.
    func client(_ path: String? = nil) throws -> TestClient {
        let client = try TestClient(port: port)
        if let path { try client.upgrade(path) }
        return client
    }
}

extension TestClient {
    /// The code of the close frame that comes next; nil if something else comes.
    func receiveClose() throws -> CloseCode? {
        guard case .close(let code, _) = try receive() else { return nil }
        return code
    }
}

extension Incoming {
    static func text(_ text: String) -> Incoming { .message(.text, .assembled(Array(text.utf8))) }
}

/// Begins at the start of 2026, and jumps when told to.
final class TestClock: ServiceClock {
    private let start = ContinuousClock.now
    private let jumped = Atomic<Int>(0)
    func now() -> Int {
        let passed = Int((ContinuousClock.now - start) / .milliseconds(1))
        return 1_767_225_600_000 + passed + jumped.load(ordering: .relaxed)
    }
    func jump(by span: Int) { jumped.add(span, ordering: .relaxed) }
}

/// Notes of services, for tests to look at.
final class Journal: Sendable {
    private let notes = Mutex<[String]>([])
    /// How long loops were blocked, in ms. On a busy machine that can happen at any time.
    let stalls = Mutex<[Int]>([])
    /// Signalled once for each `wait` on `/turns`. Until then the loop blocks.
    let gate = DispatchSemaphore(value: 0)

    func note(_ text: String) { notes.withLock { $0.append(text) } }
    var all: [String] { notes.withLock { $0 } }
}

private final class EchoService: LoopService {
    /// More than all buffers of a socket on loopback.
    private static let floodFrames = 400
    private let context: LoopContext
    private let journal: Journal
    /// Connections that get everything that is said.
    private var crowd: [Connection] = []

    init(_ context: LoopContext, _ journal: Journal) {
        self.context = context
        self.journal = journal
    }

    func turnBegan(stoodStillSince: Int?) {
        if let stoodStillSince { journal.stalls.withLock { $0.append(context.now - stoodStillSince) } }
    }

    func requestArrived(_ request: HTTPRequest, on connection: Connection) {
        let path = request.head.path
        switch path {
        case "/echo", "/other", "/flood", "/burst", "/whose", "/padded", "/crowd", "/stage", "/turns":
            do throws(HandshakeRefusal) {
                let acceptance = try OpeningHandshake.accept(request.head, subprotocols: [])
                let index =
                    switch path {
                    case "/other": 1 - context.index
                    // All of them on one loop.
                    case "/crowd", "/stage": 0
                    default: context.index
                    }
                connection.upgrade(acceptance, limits: MessageLimits(), to: context.loops[index], for: path)
            } catch { connection.respond(error.response) }
        case "/peer": connection.respond(HTTPResponse(status: 200, body: Array("\(connection.peer.said)".utf8)))
        default: connection.respond(HTTPResponse(status: 200, body: Array(path.utf8)))
        }
    }

    func isAnsweredPastLimits(_ head: RequestHead) -> Bool { head.path == "/health" }

    func webSocketOpened(_ connection: Connection, for purpose: any Sendable) {
        if purpose as? String == "/burst" { connection.send(.binary([UInt8](repeating: 7, count: 300_000))) }
        if purpose as? String == "/whose" { connection.send(.text(Array(connection.peer.said.utf8))) }
        if purpose as? String == "/crowd" {
            connection.isServedLast = true
            crowd.append(connection)
            connection.send(.text("here"))
        }
        if purpose as? String == "/padded" { connection.attachment = self }
        if purpose as? String == "/turns" { connection.attachment = context }
        guard purpose as? String == "/flood" else { return }
        for _ in 0..<Self.floodFrames { connection.send(.binary([UInt8](repeating: 7, count: 50_000))) }
    }

    func messageArrived(_ message: RawSpan, kind: MessageKind, on connection: Connection) {
        if connection.attachment === context {
            if message.byteCount == 4, message.withUnsafeBytes({ $0.elementsEqual("wait".utf8) }) {
                journal.gate.wait()
            }
            return connection.send(.text("\(context.turn.began)"))
        }
        guard connection.attachment == nil else { return answerPadded(message, on: connection) }
        connection.send(kind, message)
        let shared = Frame.message(kind, message)
        for listener in crowd { listener.send(shared) }
    }

    /// For a number: that many bytes as a message of this connection alone, and the number as a shared frame.
    private func answerPadded(_ message: RawSpan, on connection: Connection) {
        let number = message.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        connection.send(.text, [UInt8](repeating: UInt8(ascii: "."), count: Int(number) ?? 0).span.bytes)
        connection.send(.text(number))
    }

    func outputDrained(_ connection: Connection) {
        journal.note("drained")
        if connection.attachment == nil { connection.send(.text("drained")) }
    }

    func proxyRefused(_ violation: ProxyHeaderViolation, from proxy: Peer) {
        journal.note("\(violation) \(proxy.said)")
    }
    func connectionClosed(_ connection: Connection) { journal.note("closed") }
    func timerFired(_ timer: UInt64) { journal.note("timer \(timer)") }

    func postsArrived(_ posted: [any Sendable]) {
        for value in posted {
            if let timers = value as? [Int] {
                // The token says what is expected: the later the time, the larger.
                for delay in timers { context.arm(at: context.now + delay, token: UInt64(delay)) }
            } else {
                journal.note("\(value)")
            }
        }
    }
}

extension Peer {
    /// "192.0.2.1", "192.0.2.1 https", "127.0.0.1 unlimited".
    var said: String { "\(address)" + (isTLS ? " https" : "") + (isLimited ? "" : " unlimited") }
}
