import WebProtocols

/// A client's connection while it lives on one loop: first HTTP, then perhaps a WebSocket. If that belongs on another
/// loop, it is another `Connection` there. Only used on that loop's thread.
///
/// It owns bytes only while something is incomplete or waits for the socket. Output is collected and sent with one
/// `send` at the turn's end.
public final class Connection {
    /// On a proxy's connection, the client of the current request, or of the upgraded one.
    public internal(set) var peer: Peer
    // Small fields are adjacent, so that they are packed: they are most of the memory of each of many connections.
    /// How messages may be compressed, either way.
    var compression: PerMessageDeflate?
    var phase = ConnectionPhase.request
    /// Pongs in the queue since it was last empty.
    var pongCount: UInt8 = 0
    /// In the loop's list of connections whose unread bytes can be used.
    var isResuming = false
    /// The service knows it and must get `connectionClosed`.
    var isKnown = false
    /// For the service.
    public var attachment: AnyObject?

    let loop: Loop
    let token: UInt64
    let stream: SocketStream
    /// The HTTP state; nil once it is a WebSocket.
    var exchange: Exchange?
    var rare: RareState?
    var decoder: MessageDecoder
    /// So much was queued that the service may wait for `outputDrained`.
    private var owesDrained = false
    /// The read rate was exceeded, so nothing is read until `throttledUntil`.
    var isThrottled = false
    /// Whether `bytesPerSecond` does not apply.
    public var isReadFreely = false
    /// Whether its owner controls how much waits. Then `queueLimitBytes` does not apply, and it is read however much
    /// waits.
    public var isQueuedFreely = false
    /// Whether it is sent its messages after the other connections, if necessary some turns later. For an audience,
    /// which may be thousands.
    public var isServedLast = false {
        didSet {
            // Its queued messages are already with the last.
            if oldValue, !isServedLast, stream.isDirty { loop.work.dirty.append(self) }
        }
    }

    /// Limits what is read to `bytesPerSecond`.
    var readRate = RateLimit()

    init(on loop: Loop, token: UInt64, arrival: Arrival) {
        self.loop = loop
        self.token = token
        peer = arrival.peer
        stream = arrival.stream
        decoder = MessageDecoder(limits: arrival.upgrade?.limits ?? MessageLimits())
        stream.lastHeard = loop.now
    }

    var madeRare: RareState {
        if let rare { return rare }
        let made = RareState()
        rare = made
        return made
    }

    func freeRareIfUsedUp() { if rare?.isEmpty == true { rare = nil } }
    var hasUnread: Bool { rare?.unread.isEmpty == false }

    func startPhase(_ phase: ConnectionPhase) {
        self.phase = phase
        // An open WebSocket has no use for its time, nor memory for it.
        if let exchange { exchange.began = loop.now } else if phase != .webSocket { madeRare.phaseBegan = loop.now }
        schedule()
    }

    /// Nil unless a request can be answered.
    private var answering: Exchange? { phase == .request ? exchange : nil }

    /// Answers the current request. Dropped if the client is gone.
    public func respond(_ response: HTTPResponse) { answering?.respond(response, on: self) }

    /// Starts an answer whose body is sent in pieces with `sendBody`. Dropped if the client is gone.
    public func beginResponse(status: Int, headers: HeaderFields) {
        answering?.startBody(of: HTTPResponse(status: status, headers: headers), on: self)
    }

    /// Sends the next piece. `queuedBytes` says how much still waits, and `outputDrained` when to continue.
    public func sendBody(_ bytes: [UInt8]) { answering?.sendBody(bytes, on: self) }

    /// Ends the body after its last piece.
    public func endResponse() { answering?.endBody(on: self) }

    /// Answers the current request with `acceptance` and moves the connection to `loop`, this one or another, whose
    /// service gets `webSocketOpened`. Descriptor, TLS session, bytes after the request and unsent bytes move along;
    /// after a move to another loop this object is done. If a proxy's client has too many connections, it is refused
    /// instead, and that answer is returned.
    @discardableResult
    public func upgrade(
        _ acceptance: Acceptance, limits: MessageLimits, to loop: LoopHandle, for purpose: any Sendable
    ) -> HTTPResponse? {
        let upgrade = Upgrade(compression: acceptance.compression, limits: limits, purpose: purpose)
        let departure = Departure(connection: self, target: loop, upgrade: upgrade)
        return answering?.accept(departure, with: acceptance.response)
    }

    /// Sends a message at the turn's end. Dropped after a close frame and on a connection that is ending. If more than
    /// `queueLimitBytes` wait already, the connection is cut.
    public func send(_ frame: Frame) {
        guard phase == .webSocket else { return }
        loop.counters.sentMessages.add()
        enqueue(compression.map { frame.bytes(for: $0, by: loop.deflater) } ?? frame.bytes)
    }

    /// Sends a message that only this client gets. The caller makes sure that a text `payload` is UTF-8.
    public func send(_ kind: MessageKind, _ payload: RawSpan) {
        guard phase == .webSocket else { return }
        // The turn's buffer holds nothing for longer than the turn.
        let isLong = compression != nil && payload.byteCount >= Frame.compressionBytes
        if isLong || isServedLast { return send(.message(kind, payload)) }
        guard hasRoom() else { return }
        loop.counters.sentMessages.add()
        stream.enqueue(kind, payload, on: loop)
        queueGrew()
    }

    /// Starts the closing handshake after the queued bytes; the peer has `closeTime` for its part. Without a WebSocket
    /// this is the same as `abort`.
    public func close(_ code: CloseCode, _ reason: String) {
        if phase == .request { cut() }
        guard phase == .webSocket else { return }
        enqueue(Frame.close(code, reason: reason).bytes)
        if phase == .webSocket { startPhase(.closing) }
    }

    /// Cuts the connection and drops the bytes that wait.
    public func abort() { cut() }

    /// Bytes that wait for the socket, this turn's included.
    public var queuedBytes: Int { stream.queuedBytes }

    /// Queues bytes as they go on the wire, before TLS.
    func enqueue(_ bytes: [UInt8]) {
        guard hasRoom() else { return }
        stream.enqueue(bytes, on: loop)
        queueGrew()
    }

    /// Whether more may be queued; if not, the connection is cut.
    private func hasRoom() -> Bool {
        if queuedBytes <= loop.options.queueLimitBytes || isQueuedFreely { return true }
        cut(for: .sendQueue)
        return false
    }

    private func queueGrew() {
        if queuedBytes > loop.options.inputPauseBytes { owesDrained = true }
        markDirty()
    }
}

extension Connection: StreamConnection {
    /// It is flushed after the other connections if it is served last.
    func joinDirty() { if isServedLast { loop.work.dirtyLast.append(self) } else { loop.work.dirty.append(self) } }

    func countSent(_ count: Int) { loop.counters.sentBytes.add(count) }

    func queueSent(wasBlocked: Bool) {
        if loop.frames.queueOwedPong(of: self) { return sendQueued() }
        let isDrained = wasBlocked || owesDrained
        owesDrained = false
        if phase == .lingering, !stream.outputEnded {
            // Tells the peer that nothing more will be sent, and waits for it to do the same.
            stream.endOutput(on: loop)
            guard !stream.inputEnded else { return cut() }
            startPhase(.lingering)
            updateInterest()
        }
        if wasBlocked {
            loop.recordWaiting(0, for: token)
            schedule()
            updateInterest()
        }
        if isDrained, isKnown { loop.service.outputDrained(self) }
        loop.resumeIfPossible(self)
    }

    func queueBlocked() {
        loop.recordWaiting(queuedBytes, for: token)
        loop.resumeIfPossible(self)
    }
}
