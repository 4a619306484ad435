// Passes pointers to system calls for their length; nothing keeps them.
import CLinux
import Glibc

final class Listener: Sendable {
    let number: Int32
    /// The requested address, with the port that the system chose.
    let address: ListenAddress
    let isTLS: Bool
    let door: Peer.Door

    /// Connections that the kernel keeps until they are accepted; it has a limit of its own (net.core.somaxconn).
    private static let backlog: Int32 = 4_096

    /// Binds and listens. SO_REUSEPORT is deliberately not set. With it a second hub on the same port would silently
    /// get a share of the connections instead of an error.
    init(_ asked: ListenAddress, isTLS: Bool, door: Peer.Door = .clients) throws(TransportError) {
        let address = try Listener.resolve(asked)
        let number = flipside_socket(address.family)
        guard number >= 0 else { throw .system(call: "socket", code: errno) }
        if let error = Listener.listen(number, at: address, asked) {
            close(number)
            throw error
        }
        self.number = number
        self.address = ListenAddress(host: asked.host, port: SocketAddress(of: number).port)
        self.isTLS = isTLS
        self.door = door
    }

    deinit { close(number) }

    /// Makes the kernel refuse further connections and drop those that wait. Another hub may then have the port.
    func refuseAll() { shutdown(number, Int32(SHUT_RDWR)) }

    enum Accepted {
        case connection(Int32, SocketAddress)
        case nothing
        /// Descriptors or memory ran out. Another try at once would fail again.
        case exhausted
    }

    func acceptConnection() -> Accepted {
        var storage = sockaddr_storage()
        let accepted = flipside_accept(number, &storage)
        if accepted >= 0 { return .connection(accepted, SocketAddress(storage)) }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        // Other errors (ECONNABORTED, network errors) are about a connection that is gone. The next event reports
        // others.
        default: return .nothing
        }
    }

    /// Whether another connection waits. The kernel makes a socket before it checks for a connection, so a vain accept
    /// would cost as much as a real one: 7 µs against a fraction of one.
    var hasMore: Bool {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    private static func listen(
        _ number: Int32, at address: SocketAddress, _ asked: ListenAddress
    ) -> TransportError? {
        // Lets a hub restart while old connections linger, but not while another hub listens.
        SocketCalls.set(SO_REUSEADDR, of: SOL_SOCKET, to: 1, on: number)
        // Inherited by accepted sockets.
        SocketCalls.sendWithoutDelay(number)
        if address.family == AF_INET6 { SocketCalls.set(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), to: 1, on: number) }
        let bound = address.withPointer { bind(number, $0, address.size) }
        guard bound == 0, Glibc.listen(number, backlog) == 0 else {
            switch errno {
            case EADDRINUSE: return .portInUse(asked)
            case EACCES, EPERM: return .notAllowed(asked)
            default: return .badAddress(asked, reason: String(cString: strerror(errno)))
            }
        }
        return nil
    }

    private static func resolve(_ asked: ListenAddress) throws(TransportError) -> SocketAddress {
        guard (0...65_535).contains(asked.port) else { throw .badAddress(asked, reason: "a port is from 0 to 65535") }
        let found = SocketAddress.lookUp(asked.host, port: asked.port, flags: AI_PASSIVE)
        guard let first = found.addresses.first else { throw .badAddress(asked, reason: found.reason) }
        return first
    }
}
