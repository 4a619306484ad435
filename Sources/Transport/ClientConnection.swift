import Cryptography
import WebProtocols

/// What happens on a client's connection; called on its loop's thread.
///
/// None of these is called from within a call that its owner makes to the connection.
public protocol ClientConnectionDelegate: AnyObject {
    /// TCP and, if it is wanted, TLS are there. What was asked before has been sent.
    func connected(_ client: ClientConnection)
    /// The answer to the request under way, whatever its status.
    func answered(_ response: HTTPResponse, to client: ClientConnection)
    /// It is a WebSocket now, of this one of the subprotocols that were offered.
    func upgraded(_ client: ClientConnection, subprotocol: String?)
    /// A whole message, in the order of arrival. `message` is valid during the call only.
    func received(_ message: RawSpan, kind: MessageKind, on client: ClientConnection)
    /// The socket has taken everything that waited, after it once did not.
    func drained(_ client: ClientConnection)
    /// The last call.
    func ended(_ client: ClientConnection, _ end: ClientEnd)
}

extension ClientConnectionDelegate {
    public func connected(_ client: ClientConnection) {}
    public func answered(_ response: HTTPResponse, to client: ClientConnection) {}
    public func drained(_ client: ClientConnection) {}
}

/// A connection to a server, as its client: HTTP, one request after the other, then perhaps a WebSocket. Made by
/// `LoopContext.connect`; everything here is called on that loop's thread.
///
/// Frames are masked in the one buffer that the socket is sent from, and go with one `send` at the turn's end.
public final class ClientConnection {
    enum Phase {
        case lookingUp
        /// TCP, to one address after the other.
        case connecting
        /// TLS is being agreed on.
        case handshake
        case http
        /// Open: no close frame has gone either way.
        case webSocket
        /// A close frame has gone, ours or theirs first; until the server ends the connection, behind both.
        case closing
        case ended
    }

    public let endpoint: ClientEndpoint
    /// Let go of with the last call.
    public internal(set) var delegate: (any ClientConnectionDelegate)?

    let loop: Loop
    /// Where the loop has it; comes back with its events.
    let token: UInt64
    let limits: ClientLimits
    var phase = Phase.lookingUp
    /// Not tried yet.
    var addresses: ArraySlice<SocketAddress> = []
    /// The one being tried.
    var current: SocketAddress?
    var socket: Socket?
    var tls: TLSSession?
    /// The answer that is waited for.
    var response: ResponseDecoder?
    /// The upgrade that is asked for.
    var opening: ClientHandshake?
    var decoder: MessageDecoder
    /// What the server's close frame said.
    var serverClose: ClientEnd?

    /// What waits for the socket before TLS, from `sentBytes` on.
    var outgoing: [UInt8] = []
    var sentBytes = 0
    /// Records that the socket did not take, from `encryptedOffset` on.
    var encrypted: [UInt8] = []
    var encryptedOffset = 0

    /// When the server last sent something, or took something that waited.
    var lastHeard: Milliseconds
    /// When what is limited in time began: connecting, a request, a close frame.
    var phaseBegan: Milliseconds
    var alarm = Milliseconds.max
    /// What epoll has been asked for.
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
            // It could not be heard meanwhile.
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

    // MARK: What its owner does

    /// Asks for something, by HTTP: one request at a time, none once a WebSocket is asked for. `headers` without Host
    /// and Content-Length; `target` and they are the caller's to check.
    public func ask(_ method: String, _ target: String, headers: HeaderFields = [:], body: [UInt8] = []) {
        guard phase != .ended else { return }
        precondition(response == nil && !isWebSocket, "a connection has one request at a time")
        var fields: HeaderFields = ["Host": endpoint.authority]
        for field in headers.fields { fields.append(field.name, field.value) }
        begin(method, HTTPRequest.encode(method, target, fields, body: body))
    }

    /// Asks for a WebSocket. `headers`: further ones, as Authorization.
    public func upgrade(_ target: String, subprotocols: [String] = [], headers: HeaderFields = [:]) {
        guard phase != .ended else { return }
        precondition(response == nil && !isWebSocket, "a connection has one request at a time")
        let handshake = ClientHandshake(
            target: target, host: endpoint.authority, subprotocols: subprotocols, headers: headers,
            random: randomBytes(ClientHandshake.keyBytes))
        opening = handshake
        begin("GET", handshake.request)
    }

    /// Sends a message, at the turn's end. Dropped on what is not an open WebSocket; one that has more than
    /// `queueLimitBytes` waiting already is cut instead. Of a text `payload` is UTF-8; that is the caller's to know.
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

    /// Begins the closing handshake, behind what is queued; the server has `closeTime` for its part. On a connection
    /// that is not a WebSocket, the same as `abort`.
    public func close(_ code: CloseCode, _ reason: String) {
        switch phase {
        case .webSocket: startClosing(.close(code, reason: reason))
        case .closing: break
        default: abort()
        }
    }

    /// Cuts the connection: what waits is dropped.
    public func abort() { finish(.aborted) }

    // MARK: Its end

    /// Sends this end's close frame, unless it has gone already. From now on the server has `closeTime`: it ends TCP
    /// first (RFC 6455 section 7.1.1).
    func startClosing(_ frame: Frame) {
        if phase == .webSocket { sendControl(frame) }
        guard phase != .ended else { return }
        phase = .closing
        phaseBegan = loop.now
        schedule()
    }

    func fail(_ error: ClientError) { finish(.failed(error)) }

    /// Gives everything back; the delegate is told at the turn's end.
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

    /// A control frame, masked.
    func sendControl(_ frame: Frame) {
        guard makeRoom() else { return }
        frame.appendMasked(key: loop.clients.maskingKeys.next(), to: &outgoing)
        markDirty()
    }

    /// Whether more may be queued; the connection is cut where it may not.
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
