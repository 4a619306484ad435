// Copies bytes from one socket to another, for the length of a call.
import Glibc
import Synchronization
import Threads

/// A proxy between two nodes on this machine, which stops passing bytes on when told to.
final class FaultyProxy: Sendable {
    enum Manner: Sendable {
        case passes
        /// Incoming bytes are read and lost, and so is their end.
        case loses
        /// Nothing is read.
        case holds
    }

    private struct State {
        /// Towards the listener, and back.
        var manners = [Manner.passes, .passes]
        var sockets: [Int32] = []
        var hasStopped = false
        /// The port that it leads to; 0 for none yet.
        var target: Int
    }

    let port: Int
    private let listener: Int32
    private let shared: Shared

    private final class Shared: Sendable {
        let state: Mutex<State>
        init(_ target: Int) { state = Mutex(State(target: target)) }
    }

    /// `target`: 0 if it leads nowhere until `lead(to:)`.
    init(to target: Int = 0) throws {
        shared = Shared(target)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(of: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, size)
                getsockname(listener, $0, &size)
            }
        }
        (self.listener, port) = (listener, Int(UInt16(bigEndian: address.sin_port)))
        listen(listener, 16)
        _ = try SystemThread("proxy") { [shared] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                let server = Self.connect(to: shared.state.withLock { $0.target })
                shared.state.withLock { $0.sockets += [client, server] }
                for (way, ends) in [(client, server), (server, client)].enumerated() {
                    _ = try? SystemThread("proxy-\(way)") { Self.pump(ends.0, ends.1, way, shared) }
                }
            }
            close(listener)
        }
    }

    deinit {
        shared.state.withLock { state in
            state.hasStopped = true
            for number in state.sockets { _ = shutdown(number, Int32(SHUT_RDWR)) }
        }
        _ = shutdown(listener, Int32(SHUT_RDWR))
    }

    func lead(to port: Int) { shared.state.withLock { $0.target = port } }

    /// Sets what happens to further bytes towards the listener, and back.
    func set(there: Manner, back: Manner) { shared.state.withLock { $0.manners = [there, back] } }

    /// Ends all present connections.
    func cutAll() {
        shared.state.withLock { state in for number in state.sockets { _ = shutdown(number, Int32(SHUT_RDWR)) } }
    }

    // Descriptors stay open until the process ends. If closed, another socket might get the number and be cut with it.
    private static func pump(_ from: Int32, _ to: Int32, _ way: Int, _ shared: Shared) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var limit = timeval(tv_sec: 0, tv_usec: 10_000)
        setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        while true {
            let (manner, hasStopped) = shared.state.withLock { ($0.manners[way], $0.hasStopped) }
            if hasStopped { return }
            if manner == .holds {
                var nobody = pollfd(fd: -1, events: 0, revents: 0)
                _ = poll(&nobody, 1, 10)
                continue
            }
            let count = recv(from, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN { continue }
            let now = shared.state.withLock { $0.manners[way] }
            guard count > 0 else {
                if now == .passes { _ = shutdown(to, Int32(SHUT_RDWR)) }
                return
            }
            var sent = 0
            while now == .passes, sent < count {
                let taken = buffer[sent..<count].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard taken > 0 else { return }
                sent += taken
            }
        }
    }

    private static func connect(to port: Int) -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = address(of: port)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return number
    }

    /// An address on 127.0.0.1.
    private static func address(of port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
