// Reads the system's socket addresses by pointer; what leaves this file is a Swift value.
import Glibc
import WebProtocols

/// Who is at the other end of a connection; behind a trusted proxy, whom that asks for.
public struct Peer: Equatable, Sendable {
    public let address: IPAddress
    /// Whether it came by TLS; behind a proxy that says so, to the proxy.
    public let isTLS: Bool
    /// Whether what an address is limited in holds for it: not for a proxy that asks for itself.
    public let isLimited: Bool
    /// Where it came in.
    public let door: Door

    /// What an address is listened on for.
    public enum Door: Hashable, Sendable {
        /// One of `TransportOptions.addresses`.
        case clients
        /// One of `redirectAddresses`: every request there is sent to this port, which speaks TLS.
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

    /// Whom this peer, a trusted proxy, asks for by a request.
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
            // Both families have the port behind the family, big-endian.
            Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
