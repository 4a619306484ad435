import Cryptography
import Threads
import WebProtocols

/// A loop's connections as a client. A loop without any only checks an empty list.
final class ClientConnections {
    private unowned let loop: Loop
    private var byToken: [UInt64: ClientConnection] = [:]
    /// Marks a client's token. A server's connection never has this bit, and the loop's own tokens are above all.
    private static let tokenBit: UInt64 = 1 << 63
    private var nextToken = tokenBit
    private var lookUps = 0
    private var isStopping = false

    var maskingKeys = MaskingKeys()
    /// On the wire, TLS included.
    var receivedBytes = 0
    var sentBytes = 0

    init(on loop: Loop) { self.loop = loop }
    var count: Int { byToken.count }
    subscript(token: UInt64) -> ClientConnection? { token & Self.tokenBit == 0 ? nil : byToken[token] }

    func connect(
        to endpoint: ClientEndpoint, limits: ClientLimits, delegate: any ClientConnectionDelegate
    ) -> ClientConnection {
        let client = ClientConnection(to: endpoint, on: loop, token: nextToken, limits: limits, delegate: delegate)
        byToken[nextToken] = client
        nextToken += 1
        if isStopping { client.abort() } else { client.startConnecting() }
        return client
    }

    func release(_ client: ClientConnection) {
        byToken[client.token] = nil
        loop.work.clients.gone.append(client)
    }

    // MARK: Names

    /// Looks up the addresses of a client's endpoint, on a thread of its own.
    func lookUpAddresses(for client: ClientConnection) {
        guard lookUps < ClientLimits.lookUpLimit else {
            return client.fail(.exhausted(reason: "too many names are being looked up"))
        }
        let (endpoint, token, inbox) = (client.endpoint, client.token, loop.inbox)
        do throws(ThreadError) {
            // Not joined: its result arrives through the inbox, and the connection may be gone then.
            _ = try SystemThread("lookup", stackSizeBytes: 256 << 10) {
                inbox.send(LookUp(token: token, result: Result { () throws(ClientError) in try endpoint.lookedUp() }))
            }
            lookUps += 1
        } catch { client.fail(.exhausted(reason: error.description)) }
    }

    func finishLookUp(_ lookUp: LookUp) {
        lookUps -= 1
        guard let client = byToken[lookUp.token] else { return }
        switch lookUp.result {
        case .success(let endpoint): client.connect(to: endpoint.addresses ?? [])
        case .failure(let error): client.fail(error)
        }
    }

    // MARK: The turn's end

    func reportToDelegates() {
        for client in loop.work.clients.drained.takeAll() where client.phase != .ended {
            client.delegate?.outputDrained(client)
        }
        for client in loop.work.clients.gone.takeAll() { client.reportEnd() }
    }

    /// The server shuts down: open WebSockets are closed, and all other connections end.
    func shutDown() {
        isStopping = true
        for client in Array(byToken.values) { client.close(.goingAway, "This end is shutting down.") }
    }

    func abortAll() { for client in Array(byToken.values) { client.abort() } }
}

/// What a turn leaves to do for clients.
struct ClientWork {
    var dirty: [ClientConnection] = []
    var drained: [ClientConnection] = []
    var gone: [ClientConnection] = []

    var isEmpty: Bool { dirty.isEmpty && drained.isEmpty && gone.isEmpty }
}

struct LookUp: Sendable {
    let token: UInt64
    let result: Result<ClientEndpoint, ClientError>
}

/// Unpredictable masking keys (RFC 6455 section 10.3), drawn many at a time, since drawing a single one costs more than
/// most frames do.
struct MaskingKeys {
    private static let drawnBytes = 4_096
    private var bytes: [UInt8] = []
    private var offset = 0

    mutating func next() -> UInt32 {
        if offset == bytes.count {
            bytes = randomBytes(Self.drawnBytes)
            offset = 0
        }
        defer { offset += 4 }
        return UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8
            | UInt32(bytes[offset + 3])
    }
}

extension LoopContext {
    /// Connects to `endpoint` as a client. Requests may be made at once. `delegate` is kept until the end and is never
    /// called before this returns.
    @discardableResult
    public func connect(
        to endpoint: ClientEndpoint, limits: ClientLimits = ClientLimits(), delegate: any ClientConnectionDelegate
    ) -> ClientConnection {
        guard let clients else { preconditionFailure("a loop connects only after its service has been made") }
        return clients.connect(to: endpoint, limits: limits, delegate: delegate)
    }

    /// Bytes that this loop's clients have sent and received on the wire.
    public var clientBytes: (sent: Int, received: Int) { (clients?.sentBytes ?? 0, clients?.receivedBytes ?? 0) }
}
