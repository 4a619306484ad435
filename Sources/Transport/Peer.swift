// Reads the system's socket addresses by pointer; what leaves this file is a Swift value.
import Glibc
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

/// A socket's address, IPv4 or IPv6.
struct SocketAddress {
    private var storage: sockaddr_storage

    init(_ storage: sockaddr_storage) { self.storage = storage }

    var family: Int32 { Int32(storage.ss_family) }

    var size: socklen_t {
        socklen_t(family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
    }

    /// Without the port.
    var host: IPAddress {
        withUnsafeBytes(of: storage) { bytes in
            guard family == AF_INET else {
                return IPAddress(bits: UInt128(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt128.self)))
            }
            return IPAddress(ipv4: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        }
    }

    var port: Int {
        withUnsafeBytes(of: storage) { bytes in
            // Both families have the port after the family, big-endian.
            Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
