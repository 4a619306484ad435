import Cryptography
import WebProtocols

/// What happens on a client's connection. Called on its loop's thread, and never from within a call that the owner
/// makes to the connection.
public protocol ClientConnectionDelegate: AnyObject {
    /// TCP is connected, and TLS if it is wanted. Earlier requests have been sent.
    func connected(_ client: ClientConnection)
    /// The answer to the current request, with any status.
    func answered(_ response: HTTPResponse, to client: ClientConnection)
    /// The connection is a WebSocket now, with this one of the offered subprotocols.
    func upgraded(_ client: ClientConnection, subprotocol: String?)
    /// A whole message, in the order of arrival. `message` is only valid during the call.
    func received(_ message: RawSpan, kind: MessageKind, on client: ClientConnection)
    /// The socket, which had refused some bytes, has taken all that waited.
    func drained(_ client: ClientConnection)
    /// The last call.
    func ended(_ client: ClientConnection, _ end: ClientEnd)
}

extension ClientConnectionDelegate {
    public func connected(_ client: ClientConnection) {}
    public func answered(_ response: HTTPResponse, to client: ClientConnection) {}
    public func drained(_ client: ClientConnection) {}
}

/// A client's connection to a server: HTTP, one request after the other, then perhaps a WebSocket. Made by
/// `LoopContext.connect`, and only used on that loop's thread.
///
/// Frames are masked in the one buffer that is sent, with one `send` at the turn's end.
public final class ClientConnection {
    enum Phase {
        case lookingUp
        /// TCP, to one address after the other.
        case connecting
        case handshake
        case http
        /// Open: no close frame has been sent either way.
        case webSocket
        /// A close frame has been sent by one side; lasts until the server ends the connection after both.
        case closing
        case ended
    }

    public let endpoint: ClientEndpoint
    /// Nil after the last call.
    public internal(set) var delegate: (any ClientConnectionDelegate)?

    let loop: Loop
    /// The loop's key for it, which its events return.
    let token: UInt64
    let limits: ClientLimits
    var phase = Phase.lookingUp
    /// Not tried yet.
    var addresses: ArraySlice<SocketAddress> = []
    /// The one being tried.
    var current: SocketAddress?
    var socket: Socket?
    var tls: TLSSession?
    /// Decodes the answer that is due.
    var response: ResponseDecoder?
    /// The requested upgrade.
    var opening: ClientHandshake?
    var decoder: MessageDecoder
    /// What the server's close frame said.
    var serverClose: ClientEnd?

    /// Bytes that wait for the socket before TLS, from `sentBytes` on.
    var outgoing: [UInt8] = []
    var sentBytes = 0
    /// Records that the socket did not take, from `encryptedOffset` on.
    var encrypted: [UInt8] = []
    var encryptedOffset = 0

    /// When the server last sent something, or took something that waited.
    var lastHeard: Milliseconds
    /// When the timed step began: connecting, a request, a close frame.
    var phaseBegan: Milliseconds
    var alarm = Milliseconds.max
    /// The events that epoll watches for.
    var interest: UInt32 = 0
    var isDirty = false
    var isBlocked = false
    var wasPinged = false
    var inputEnded = false
    private var end: ClientEnd?

    /// While true nothing is read, until the kernel's buffer is full and the server notices.
    public var isPaused = false {
        didSet {
            guard isPaused != oldValue, phase == .http || isWebSocket else { return }
            updateInterest()
            // The server could not be heard during the pause.
            lastHeard = loop.now
            schedule()
        }
    }

    init(
        to endpoint: ClientEndpoint, on loop: Loop, token: UInt64, limits: ClientLimits,
        delegate: any ClientConnectionDelegate
    ) {
        (self.endpoint, self.loop, self.token) = (endpoint, loop, token)
        (self.limits, self.delegate) = (limits, delegate)
        decoder = MessageDecoder(limits: limits.messages, from: .server)
        lastHeard = loop.now
        phaseBegan = loop.now
    }

    /// Bytes that wait for the socket, this turn's included.
    public var queuedBytes: Int { outgoing.count - sentBytes + encrypted.count - encryptedOffset }

    /// Whether messages can be sent.
    public var isOpen: Bool { phase == .webSocket }

    var isWebSocket: Bool { phase == .webSocket || phase == .closing }

    // MARK: Calls of its owner

    /// Sends an HTTP request. Only one at a time, and none after `upgrade`. `headers` are without Host and
    /// Content-Length. The caller checks them and `target`.
    public func ask(_ method: String, _ target: String, headers: HeaderFields = [:], body: [UInt8] = []) {
        guard phase != .ended else { return }
        precondition(response == nil && !isWebSocket, "a connection has one request at a time")
        var fields: HeaderFields = ["Host": endpoint.authority]
        for field in headers.fields { fields.append(field.name, field.value) }
        begin(method, HTTPRequest.encode(method, target, fields, body: body))
    }

    /// Requests a WebSocket. `headers` are further ones such as Authorization.
    public func upgrade(_ target: String, subprotocols: [String] = [], headers: HeaderFields = [:]) {
        guard phase != .ended else { return }
        precondition(response == nil && !isWebSocket, "a connection has one request at a time")
        let handshake = ClientHandshake(
            target: target, host: endpoint.authority, subprotocols: subprotocols, headers: headers,
            random: randomBytes(ClientHandshake.keyBytes))
        opening = handshake
        begin("GET", handshake.request)
    }

    /// Sends a message at the turn's end. Dropped unless the WebSocket is open. If more than `queueLimitBytes` wait
    /// already, the connection is cut. The caller makes sure that a text `payload` is UTF-8.
    public func send(_ kind: MessageKind, _ payload: RawSpan) {
        guard isOpen, makeRoom() else { return }
        Frame.appendMasked(kind, payload, key: loop.clients.maskingKeys.next(), to: &outgoing)
        markDirty()
    }

    /// Sends a text, as above.
    public func send(_ text: String) {
        let bytes = Array(text.utf8)
        send(.text, bytes.span.bytes)
    }

    /// Starts the closing handshake after the queued bytes; the server has `closeTime` for its part. Without a
    /// WebSocket this is the same as `abort`.
    public func close(_ code: CloseCode, _ reason: String) {
        switch phase {
        case .webSocket: startClosing(.close(code, reason: reason))
        case .closing: break
        default: abort()
        }
    }

    /// Cuts the connection and drops the bytes that wait.
    public func abort() { finish(.aborted) }

    // MARK: Its end

    /// Sends this end's close frame, unless it has been sent. From now on the server has `closeTime` to end TCP first
    /// (RFC 6455 section 7.1.1).
    func startClosing(_ frame: Frame) {
        if phase == .webSocket { sendControl(frame) }
        guard phase != .ended else { return }
        phase = .closing
        phaseBegan = loop.now
        schedule()
    }

    func fail(_ error: ClientError) { finish(.failed(error)) }

    /// Frees everything. The delegate is notified at the turn's end.
    func finish(_ end: ClientEnd) {
        guard phase != .ended else { return }
        phase = .ended
        self.end = end
        dropSocket()
        (response, opening, outgoing, encrypted, addresses) = (nil, nil, [], [], [])
        (sentBytes, encryptedOffset) = (0, 0)
        decoder = MessageDecoder(limits: MessageLimits())
        loop.clients.release(self)
    }

    func dropSocket() {
        if let socket { loop.epoll.remove(socket.number) }
        (socket, tls) = (nil, nil)
    }

    /// The last call; by the loop.
    func tellEnd() {
        guard let delegate, let end else { return }
        self.delegate = nil
        delegate.ended(self, end)
    }

    // MARK: Bytes

    private func begin(_ method: String, _ request: [UInt8]) {
        response = ResponseDecoder(to: method, limits: limits.response)
        guard makeRoom() else { return }
        outgoing += request
        if phase == .http {
            phaseBegan = loop.now
            schedule()
            markDirty()
        }
    }

    /// Queues a control frame, masked.
    func sendControl(_ frame: Frame) {
        guard makeRoom() else { return }
        frame.appendMasked(key: loop.clients.maskingKeys.next(), to: &outgoing)
        markDirty()
    }

    /// Whether more may be queued; if not, the connection is cut.
    private func makeRoom() -> Bool {
        guard queuedBytes <= limits.queueLimitBytes else {
            fail(.overflow(limit: limits.queueLimitBytes))
            return false
        }
        return true
    }

    func markDirty() {
        guard !isDirty else { return }
        isDirty = true
        loop.clients.dirty.append(self)
    }
}
