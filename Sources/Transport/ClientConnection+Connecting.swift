import CLinux
import Cryptography
import Glibc
import Threads
import WebProtocols

extension ClientConnection {
    /// Looks the name up, on a thread of its own if necessary, and connects.
    func start() {
        schedule()
        if let known = endpoint.addresses { return connect(to: known) }
        guard loop.clients.beginLookUp() else {
            return fail(.exhausted(reason: "too many names are being looked up"))
        }
        let (endpoint, token, inbox) = (endpoint, token, loop.inbox)
        do throws(ThreadError) {
            // Not joined: its result arrives through the inbox, and the connection may be gone then.
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
        tryNext(behind: .unreachable(endpoint.host, reason: "it has no address"))
    }

    /// Connects to the next address; `failure` is the result of the one before.
    private func tryNext(behind failure: ClientError) {
        guard let address = addresses.popFirst() else { return fail(failure) }
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
            // This machine has no free port, so another address would not help.
            guard code != EADDRNOTAVAIL else { return fail(.exhausted(reason: ClientError.system(code))) }
            return tryNext(behind: ClientError(connecting: address, code))
        }
        guard loop.epoll.add(number, for: Epoll.output, token: token) else {
            return fail(.exhausted(reason: ClientError.system(errno)))
        }
        interest = Epoll.output
        self.socket = socket
    }

    /// Epoll reports that the attempt succeeded or failed.
    func connectionTried() {
        guard let socket, let current else { return }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0 else {
            dropSocket()
            return tryNext(behind: ClientError(connecting: current, code))
        }
        addresses = []
        lastHeard = loop.now
        guard let context = endpoint.tls else { return connected() }
        guard let session = TLSSession(context, name: endpoint.host) else {
            return fail(.exhausted(reason: "OpenSSL has no memory left"))
        }
        tls = session
        phase = .handshake
        updateInterest()
        // A client speaks first, so decrypting nothing produces its hello.
        decrypt(UnsafeMutableRawBufferPointer(start: nil, count: 0), session)
    }

    /// TCP is connected, and TLS if it is wanted.
    func connected() {
        phase = .http
        phaseBegan = loop.now
        updateInterest()
        schedule()
        if !outgoing.isEmpty { markDirty() }
        delegate?.connected(self)
    }
}

extension ClientError {
    /// From the system's `code` for a failed connection to `address`.
    fileprivate init(connecting address: SocketAddress, _ code: Int32) {
        let place = "\(address.host) port \(address.port)"
        self = code == ECONNREFUSED ? .refused(place) : .unreachable(place, reason: Self.system(code))
    }
}

/// The result of looking up a name.
struct LookUp: Sendable {
    let token: UInt64
    let result: Result<ClientEndpoint, ClientError>
}
