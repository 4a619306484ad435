// Reads the system's lists of addresses by pointer; what leaves this file is a Swift value.
import Cryptography
import Glibc
import WebProtocols

/// Where a client connects to, and how it knows that it has come there.
public struct ClientEndpoint: Sendable {
    /// A name or a number, IPv6 without brackets.
    public let host: String
    public let port: Int
    /// Nil: plain TCP. The certificate has to be of `host`, unless the context trusts anyone.
    public let tls: TLSContext?
    /// Tried in this order; nil: they are looked up for each connection.
    private(set) var addresses: [SocketAddress]?

    public init(host: String, port: Int, tls: TLSContext? = nil) {
        precondition((1...65_535).contains(port), "a port is from 1 to 65535")
        (self.host, self.port, self.tls) = (host, port, tls)
        // A number asks nobody, and so takes no time.
        addresses = try? Self.lookUp(host, port, flags: AI_NUMERICHOST)
    }

    /// As it stands in a Host field (RFC 9110 section 7.2): without the port where that is the scheme's own.
    public var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (tls == nil ? 80 : 443) ? name : "\(name):\(port)"
    }

    /// Whether it is this machine, as its first address says; false while that is not known.
    public var isLoopback: Bool { addresses?.first?.host.isLoopback ?? false }

    /// With the addresses of now, for who connects many times. Waits for the name's look-up, which may take seconds.
    public func lookedUp() throws(ClientError) -> ClientEndpoint {
        guard addresses == nil else { return self }
        var endpoint = self
        endpoint.addresses = try Self.lookUp(host, port, flags: 0)
        return endpoint
    }

    /// At least one.
    private static func lookUp(_ host: String, _ port: Int, flags: Int32) throws(ClientError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        var addresses: [SocketAddress] = []
        var next = result == 0 ? found : nil
        while let entry = next?.pointee {
            if let address = entry.ai_addr, entry.ai_family == AF_INET || entry.ai_family == AF_INET6 {
                var storage = sockaddr_storage()
                withUnsafeMutableBytes(of: &storage) { bytes in
                    bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
                }
                addresses.append(SocketAddress(storage))
            }
            next = entry.ai_next
        }
        guard !addresses.isEmpty else {
            throw .unknownHost(host, reason: result == 0 ? "it has none" : String(cString: gai_strerror(result)))
        }
        return addresses
    }
}

/// What a client holds its server to.
public struct ClientLimits: Sendable {
    public var response = ResponseLimits()
    public var messages = MessageLimits(frameBytes: 16 << 20, messageBytes: 16 << 20)
    /// For the name's look-up, TCP and TLS together.
    public var connectTime = Duration.seconds(10)
    /// From a request to the end of its answer.
    public var answerTime = Duration.seconds(30)
    /// A server silent for so long is sent a ping.
    public var pingInterval = Duration.seconds(20)
    /// One silent for so long is given up.
    public var silenceLimit = Duration.seconds(60)
    /// From this side's close frame to the server's end of the connection.
    public var closeTime = Duration.seconds(5)
    /// A connection that has so much waiting already and is sent more is cut.
    public var queueLimitBytes = 8 << 20
    /// The kernel's buffer for what was not read yet; nil: as the system has it.
    public var receiveBufferBytes: Int?

    public init() {}

    /// Names looked up at a time for the connections of one loop, a thread each; past it a connection fails.
    static let lookUpLimit = 32
    /// A buffer of what was sent is kept for the next time up to this size.
    static let keptBytes = 16_384
}
