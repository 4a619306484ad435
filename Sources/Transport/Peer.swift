import WebProtocols

/// The other end of a connection, or the client of a trusted proxy.
public struct Peer: Equatable, Sendable {
    public let address: IPAddress
    /// Whether it used TLS; for a proxy that says so, whether its client did.
    public let isTLS: Bool
    /// Whether the limits of an address apply. They do not for a proxy's own requests.
    public let isLimited: Bool
    /// Which listener it came through.
    public let door: Door

    /// The purpose of a listening address.
    public enum Door: Hashable, Sendable {
        /// One of `TransportOptions.addresses`.
        case clients
        /// One of `redirectAddresses`. Every request there is redirected to this TLS port.
        case redirect(toPort: UInt16)
        /// One of `nodeAddresses`.
        case nodes
        /// `operatorAddress`.
        case operators
    }

    public init(address: IPAddress, isTLS: Bool, isLimited: Bool, door: Door = .clients) {
        self.address = address
        self.isTLS = isTLS
        self.isLimited = isLimited
        self.door = door
    }

    /// The client for which this peer, a trusted proxy, makes a request.
    func client(of head: RequestHead, trusting proxies: [AddressBlock]) -> Peer {
        let forwarding = Forwarding(head.headers) { proxies.contains($0) }
        return Peer(
            address: forwarding.client ?? address, isTLS: forwarding.isTLS ?? isTLS,
            isLimited: forwarding.isNamed || isLimited, door: door)
    }
}
