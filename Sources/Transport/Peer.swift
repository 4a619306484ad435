// Reads the system's socket addresses by pointer; what leaves this file is a Swift value.
import Glibc

/// Who is at the other end of a connection.
public struct Peer: Equatable, Sendable {
    /// A number, IPv4 or IPv6, without the port.
    public let address: String
    public let isTLS: Bool

    public init(address: String, isTLS: Bool) {
        self.address = address
        self.isTLS = isTLS
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

    /// The host in numbers.
    var host: String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let result = withPointer { getnameinfo($0, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
        guard result == 0 else { return "unknown" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var port: Int {
        withUnsafeBytes(of: storage) { bytes in
            // Both families have the port behind the family, big-endian.
            Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    /// What the limit of connections an address is for: IPv4 the address, IPv6 its /64 network, which is what one
    /// customer of a provider has.
    var network: UInt64 {
        withUnsafeBytes(of: storage) { bytes in
            if family == AF_INET {
                // Apart from all networks in use: those begin with 001, link-local and private ones with 1.
                return UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            }
            return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// Of this machine: 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        withUnsafeBytes(of: storage) { bytes in
            if family == AF_INET { return bytes[4] == 127 }
            return bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
