// Reads the system's socket addresses by pointer; what leaves this file is a Swift value.
import Glibc
import WebProtocols

struct SocketAddress {
    private var storage: sockaddr_storage

    init(_ storage: sockaddr_storage) { self.storage = storage }

    /// The address that a socket is bound to.
    init(of number: Int32) {
        storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
        }
        precondition(result == 0, "a bound socket has an address")
    }

    /// The addresses of a host, by getaddrinfo with these flags; if there is none, the system says why.
    static func lookUp(_ host: String, port: Int, flags: Int32) -> (addresses: [SocketAddress], reason: String) {
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
        return (addresses, result == 0 ? "none was found" : String(cString: gai_strerror(result)))
    }

    var family: Int32 { Int32(storage.ss_family) }

    var size: socklen_t {
        socklen_t(family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
    }

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
