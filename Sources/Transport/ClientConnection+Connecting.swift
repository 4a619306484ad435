import CLinux
import Cryptography
import Glibc
import Threads
import WebProtocols

extension ClientConnection {
    /// Looks the name up, if need be on a thread of its own, and connects.
    func start() {
        schedule()
        if let known = endpoint.addresses { return connect(to: known) }
        guard loop.clients.beginLookUp() else {
            return fail(.exhausted(reason: "too many names are looked up at a time"))
        }
        let (endpoint, token, inbox) = (endpoint, token, loop.inbox)
        do throws(ThreadError) {
            // Let go of: its answer comes through the inbox, for a connection that may be gone by then.
            _ = try SystemThread("lookup", stackSizeBytes: 256 << 10) {
                inbox.send(LookUp(token: token, result: Result { () throws(ClientError) in try endpoint.lookedUp() }))
            }
        } catch {
            loop.clients.endLookUp()
            fail(.exhausted(reason: error.description))
        }
    }

    func connect(to addresses: [SocketAddress]) {
        self.addresses = addresses[...]
        tryNext(reason: "it has no address")
    }

    /// Connects to the next address; `reason`: why the one before did not do.
    private func tryNext(reason: String, of failed: SocketAddress? = nil) {
        guard let address = addresses.popFirst() else {
            return fail(.unreachable(failed.map { "\($0.host) port \($0.port)" } ?? endpoint.host, reason: reason))
        }
        phase = .connecting
        current = address
        let number = flipside_socket(address.family)
        guard number >= 0 else { return fail(.exhausted(reason: ClientError.system(errno))) }
        let socket = Socket(owning: number, place: nil)
        socket.sendWithoutDelay()
        if let bytes = limits.receiveBufferBytes { socket.limitReceiveBuffer(to: bytes) }
        let result = address.withPointer { Glibc.connect(number, $0, address.size) }
        guard result == 0 || errno == EINPROGRESS else {
            let code = errno
            // A port of this machine's own, and so of no use to try on another address.
            guard code != EADDRNOTAVAIL else { return fail(.exhausted(reason: ClientError.system(code))) }
            return tryNext(reason: ClientError.system(code), of: address)
        }
        guard loop.epoll.add(number, for: Epoll.output, token: token) else {
            return fail(.exhausted(reason: ClientError.system(errno)))
        }
        interest = Epoll.output
        self.socket = socket
    }

    /// Epoll says that the attempt has come to something.
    func connectionTried() {
        guard let socket else { return }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0 else {
            dropSocket()
            return tryNext(reason: ClientError.system(code), of: current)
        }
        addresses = []
        lastHeard = loop.now
        guard let context = endpoint.tls else { return connected() }
        guard let session = TLSSession(context, name: endpoint.host) else {
            return fail(.exhausted(reason: "OpenSSL gives no session"))
        }
        tls = session
        phase = .handshake
        updateInterest()
        // A client speaks first: decrypting nothing makes its hello.
        decrypt(UnsafeMutableRawBufferPointer(start: nil, count: 0), session)
    }

    /// TCP is there, and TLS if it is wanted.
    func connected() {
        phase = .http
        phaseBegan = loop.now
        updateInterest()
        schedule()
        if !outgoing.isEmpty { markDirty() }
        delegate?.connected(self)
    }
}

/// What became of a name.
struct LookUp: Sendable {
    let token: UInt64
    let result: Result<ClientEndpoint, ClientError>
}
