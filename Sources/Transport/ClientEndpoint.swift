import Cryptography
import Glibc
import WebProtocols

/// Where a client connects to, and how it verifies the server.
public struct ClientEndpoint: Sendable {
    /// A name or a number, IPv6 without brackets.
    public let host: String
    public let port: Int
    /// Nil for plain TCP. The certificate must be for `host`, unless the context trusts anyone.
    public let tls: TLSContext?
    /// Tried in this order; nil if they are looked up for each connection.
    private(set) var addresses: [SocketAddress]?

    public init(host: String, port: Int, tls: TLSContext? = nil) {
        precondition((1...65_535).contains(port), "a port is from 1 to 65535")
        (self.host, self.port, self.tls) = (host, port, tls)
        // A numeric address needs no query and so takes no time.
        addresses = try? Self.lookUp(host, port, flags: AI_NUMERICHOST)
    }

    /// The value of a Host field (RFC 9110 section 7.2), without the scheme's own port.
    public var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (tls == nil ? 80 : 443) ? name : "\(name):\(port)"
    }

    /// Whether the first address is this machine's; false while no address is known.
    public var isLoopback: Bool { addresses?.first?.host.isLoopback ?? false }

    /// The endpoint with its current addresses, for repeated connections. Waits for the name's look-up, which may take
    /// seconds.
    public func lookedUp() throws(ClientError) -> ClientEndpoint {
        guard addresses == nil else { return self }
        var endpoint = self
        endpoint.addresses = try Self.lookUp(host, port, flags: 0)
        return endpoint
    }

    private static func lookUp(_ host: String, _ port: Int, flags: Int32) throws(ClientError) -> [SocketAddress] {
        let found = SocketAddress.lookUp(host, port: port, flags: flags)
        guard !found.addresses.isEmpty else { throw .unknownHost(host, reason: found.reason) }
        return found.addresses
    }
}

/// What a client requires of its server.
public struct ClientLimits: Sendable {
    public var response = HTTPLimits(bodyBytes: 1 << 20)
    public var messages = MessageLimits(frameBytes: 16 << 20, messageBytes: 16 << 20)
    /// For the name's look-up, TCP and TLS together.
    public var connectTime = Duration.seconds(10)
    /// From a request to the end of its answer.
    public var answerTime = Duration.seconds(30)
    /// A server that is silent for this long is sent a ping.
    public var pingInterval = Duration.seconds(20)
    /// A server that is silent for this long is given up.
    public var silenceLimit = Duration.seconds(60)
    /// From this side's close frame until the server ends the connection.
    public var closeTime = Duration.seconds(5)
    /// Sending on a connection that has more than this waiting cuts it.
    public var queueLimitBytes = 8 << 20
    /// The kernel's buffer for bytes that are not read yet; nil for the system's default.
    public var receiveBufferBytes: Int?

    public init() {}

    /// Names that one loop looks up at a time, each on its own thread. Past it a connection fails.
    static let lookUpLimit = 32
}
