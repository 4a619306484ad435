import Cryptography
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

    // Each list is taken whole. Entries added while it is processed belong to the next turn, which then does not wait.
    var dirty: [ClientConnection] = []
    var drained: [ClientConnection] = []
    private var gone: [ClientConnection] = []

    var maskingKeys = MaskingKeys()
    /// On the wire, TLS included.
    var receivedBytes = 0
    var sentBytes = 0

    init(on loop: Loop) { self.loop = loop }

    var count: Int { byToken.count }

    /// Whether nothing is left for the next turn.
    var isIdle: Bool { dirty.isEmpty && drained.isEmpty && gone.isEmpty }

    subscript(token: UInt64) -> ClientConnection? { token & Self.tokenBit == 0 ? nil : byToken[token] }

    func connect(
        to endpoint: ClientEndpoint, limits: ClientLimits, delegate: any ClientConnectionDelegate
    ) -> ClientConnection {
        let client = ClientConnection(to: endpoint, on: loop, token: nextToken, limits: limits, delegate: delegate)
        byToken[nextToken] = client
        nextToken += 1
        if isStopping { client.abort() } else { client.start() }
        return client
    }

    func release(_ client: ClientConnection) {
        byToken[client.token] = nil
        gone.append(client)
    }

    // MARK: Names

    /// Whether another name may be looked up now.
    func beginLookUp() -> Bool {
        guard lookUps < ClientLimits.lookUpLimit else { return false }
        lookUps += 1
        return true
    }

    func endLookUp() { lookUps -= 1 }

    func lookedUp(_ lookUp: LookUp) {
        endLookUp()
        guard let client = byToken[lookUp.token] else { return }
        switch lookUp.result {
        case .success(let endpoint): client.connect(to: endpoint.addresses ?? [])
        case .failure(let error): client.fail(error)
        }
    }

    // MARK: The turn's end

    func tellDelegates() {
        if !drained.isEmpty {
            let list = drained
            drained = []
            for client in list where client.phase != .ended { client.delegate?.drained(client) }
        }
        guard !gone.isEmpty else { return }
        let list = gone
        gone = []
        for client in list { client.tellEnd() }
    }

    func flush() {
        guard !dirty.isEmpty else { return }
        let list = dirty
        dirty = []
        for client in list {
            client.isDirty = false
            client.flush()
        }
    }

    /// The server shuts down: open WebSockets are closed, and all other connections end.
    func stop() {
        isStopping = true
        for client in Array(byToken.values) { client.close(.goingAway, "This end is shutting down.") }
    }

    func endAll() {
        for client in Array(byToken.values) { client.abort() }
    }
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
