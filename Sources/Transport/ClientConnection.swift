import Cryptography
import WebProtocols

/// What happens on a client's connection. Called on its loop's thread, and never from within a call that the owner
/// makes to the connection.
public protocol ClientConnectionDelegate: AnyObject {
    /// TCP is connected, and TLS if it is wanted. Earlier requests have been sent.
    func clientConnected(_ client: ClientConnection)
    /// The answer to the current request, with any status.
    func responseArrived(_ response: HTTPResponse, to client: ClientConnection)
    /// The connection is a WebSocket now, with this one of the offered subprotocols.
    func clientUpgraded(_ client: ClientConnection, subprotocol: String?)
    /// A whole message, in the order of arrival. `message` is only valid during the call.
    func messageArrived(_ message: RawSpan, kind: MessageKind, on client: ClientConnection)
    /// The socket, which had refused some bytes, has taken all that waited.
    func outputDrained(_ client: ClientConnection)
    /// The last call.
    func clientEnded(_ client: ClientConnection, _ end: ClientEnd)
}

extension ClientConnectionDelegate {
    public func clientConnected(_ client: ClientConnection) {}
    public func responseArrived(_ response: HTTPResponse, to client: ClientConnection) {}
    public func outputDrained(_ client: ClientConnection) {}
}

/// A client's connection to a server: HTTP, one request after the other, then perhaps a WebSocket. Made by
/// `LoopContext.connect`, and only used on that loop's thread.
///
/// Output is collected, frames masked, and sent with one `send` at the turn's end.
public final class ClientConnection {
    enum Phase {
        case lookingUp
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
    let stream = SocketStream()
    var phase = Phase.lookingUp
    /// When the timed step began: connecting, a request, a close frame.
    private(set) var phaseBegan: Milliseconds
    /// The addresses of the endpoint, as far as they have not been tried.
    var attempts = ConnectAttempts()
    /// Decodes the answer that is due.
    var response: ResponseDecoder?
    var opening: ClientHandshake?
    var decoder: MessageDecoder
    var serverClose: ClientEnd?
    private var end: ClientEnd?

    /// While true nothing is read, until the kernel's buffer is full and the server notices.
    public var isPaused = false {
        didSet {
            guard isPaused != oldValue, phase == .http || isWebSocket else { return }
            updateInterest()
            // The server could not be heard during the pause.
            stream.lastHeard = loop.now
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
        phaseBegan = loop.now
        stream.isConnecting = true
    }

    /// Bytes that wait for the socket, this turn's included.
    public var queuedBytes: Int { stream.queuedBytes }

    /// Whether messages can be sent.
    public var isOpen: Bool { phase == .webSocket }
    var isWebSocket: Bool { phase == .webSocket || phase == .closing }

    // MARK: Calls of its owner

    /// Sends an HTTP request. Only one at a time, and none after `upgrade`. `headers` are without Host and
    /// Content-Length. The caller checks them and `target`.
    public func ask(_ method: String, _ target: String, headers: HeaderFields = [:], body: [UInt8] = []) {
        var fields: HeaderFields = ["Host": endpoint.authority]
        for field in headers.fields { fields.append(field.name, field.value) }
        sendRequest(method, HTTPRequest.encode(method, target, fields, body: body))
    }

    /// Requests a WebSocket. `headers` are further ones such as Authorization.
    public func upgrade(_ target: String, subprotocols: [String] = [], headers: HeaderFields = [:]) {
        let handshake = ClientHandshake(
            target: target, host: endpoint.authority, subprotocols: subprotocols, headers: headers,
            random: randomBytes(ClientHandshake.keyBytes))
        if sendRequest("GET", handshake.request) { opening = handshake }
    }

    /// False if the connection has ended.
    @discardableResult
    private func sendRequest(_ method: String, _ request: [UInt8]) -> Bool {
        guard phase != .ended, hasRoom() else { return false }
        precondition(response == nil && !isWebSocket, "a connection has one request at a time")
        response = ResponseDecoder(to: method, limits: limits.response)
        stream.enqueue(request, on: loop)
        if phase == .http {
            startPhase(.http)
            markDirty()
        }
        return true
    }

    /// Sends a message at the turn's end. Dropped unless the WebSocket is open. If more than `queueLimitBytes` wait
    /// already, the connection is cut. The caller makes sure that a text `payload` is UTF-8.
    public func send(_ kind: MessageKind, _ payload: RawSpan) {
        guard isOpen, hasRoom() else { return }
        stream.enqueue(kind, payload, maskingKey: loop.clients.maskingKeys.next(), on: loop)
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
        if phase != .ended { startPhase(.closing) }
    }

    func fail(_ error: ClientError) { finish(.failed(error)) }

    /// Frees everything. The delegate is notified at the turn's end.
    func finish(_ end: ClientEnd) {
        guard phase != .ended else { return }
        phase = .ended
        self.end = end
        stream.close(on: loop)
        (response, opening, attempts) = (nil, nil, ConnectAttempts())
        loop.clients.release(self)
    }

    /// The last call; by the loop.
    func reportEnd() {
        guard let delegate, let end else { return }
        self.delegate = nil
        decoder = MessageDecoder(limits: MessageLimits())
        delegate.clientEnded(self, end)
    }

    // MARK: Its state

    func startPhase(_ phase: Phase) {
        self.phase = phase
        phaseBegan = loop.now
        schedule()
    }

    // MARK: Output

    func sendControl(_ frame: Frame) {
        guard hasRoom() else { return }
        stream.enqueue(frame.masked(with: loop.clients.maskingKeys.next()), on: loop)
        markDirty()
    }

    /// Whether more may be queued; if not, the connection is cut.
    private func hasRoom() -> Bool {
        if queuedBytes <= limits.queueLimitBytes { return true }
        fail(.overflow(limit: limits.queueLimitBytes))
        return false
    }
}
