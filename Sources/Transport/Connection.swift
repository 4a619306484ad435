import Cryptography
import WebProtocols

/// A client's connection while it lives on one loop: first HTTP, then perhaps a WebSocket. If that belongs on another
/// loop, it is another `Connection` there. Only used on that loop's thread.
///
/// It owns bytes only while something is incomplete or waits for the socket. Output is collected and sent with one
/// `send` at the turn's end.
public final class Connection {
    /// What the peer's bytes mean.
    enum Phase {
        case handshake
        case request
        /// Open: no close frame has been sent either way.
        case webSocket
        /// Our close frame has been sent, and theirs has not arrived (RFC 6455 section 7.1.3).
        case closing
        /// The last bytes are being sent. The peer then has time to close its side.
        case lingering
        /// On its way to another loop, or there.
        case moved
        case ended
    }

    /// On a proxy's connection, the client of the current request, or of the upgraded one.
    public internal(set) var peer: Peer
    // Small fields side by side: there may be many connections, and these are most of the memory of each.
    /// How messages may be compressed, either way.
    var compression: PerMessageDeflate?
    var phase = Phase.request
    /// For the service.
    public var attachment: AnyObject?

    let loop: Loop
    /// The loop's key for it, which its events return.
    let token: UInt64
    var socket: Socket?
    var tls: TLSSession?
    /// The HTTP state; nil once it is a WebSocket.
    var exchange: Exchange?
    var rare: RareState?
    var decoder: MessageDecoder
    /// Pongs in the queue since it was last empty.
    var pongCount: UInt8 = 0
    var flags: Flags = []
    /// The events that epoll watches for.
    var interest = Epoll.input

    /// Bytes that wait for the socket, before TLS.
    var queue = SendQueue()

    /// When the peer last sent something, or took something that waited.
    var lastHeard: Milliseconds
    /// When the timed step began: a handshake, a wait for a request, a close frame, the last bytes.
    var phaseBegan: Milliseconds
    /// Limits what is read to `bytesPerSecond`.
    var readRate = RateLimit()
    var alarm = Milliseconds.max

    /// State that few connections have at a time and, except `place`, only for a while.
    final class RareState {
        /// Records, of which the socket has not taken the last `unsentRecordBytes`.
        var encrypted: [UInt8] = []
        var unsentRecordBytes = 0
        /// Bytes that were read and cannot be used yet. Nothing more is read while there are any.
        var unread: [UInt8] = []
        /// The newest ping that found too many pongs waiting.
        var owedPong: [UInt8]?
        /// Bytes read while lingering.
        var lingerBytes = 0
        /// On a proxy's connection, the place that counts for the client's address.
        var place: Admission.ClientPlace?

        var isEmpty: Bool {
            unsentRecordBytes == 0 && unread.isEmpty && owedPong == nil && lingerBytes == 0 && place == nil
        }
    }

    struct Flags: OptionSet {
        let rawValue: UInt16
        /// In the loop's list of connections to flush at the turn's end.
        static let isDirty = Flags(rawValue: 1)
        /// In the loop's list of connections whose unread bytes can be used.
        static let isResuming = Flags(rawValue: 2)
        /// The socket did not take everything; epoll reports when to continue.
        static let isBlocked = Flags(rawValue: 4)
        /// The peer will send nothing more.
        static let inputEnded = Flags(rawValue: 8)
        /// This side will send nothing more.
        static let outputEnded = Flags(rawValue: 16)
        /// The service knows it and must get `closed`.
        static let isKnown = Flags(rawValue: 32)
        /// A ping has been sent since the peer was last heard.
        static let wasPinged = Flags(rawValue: 64)
        /// The peer has sent something.
        static let hasBegun = Flags(rawValue: 128)
        /// So much was queued that the service may wait for `drained`.
        static let owesDrained = Flags(rawValue: 256)
        /// See `isServedLast`.
        static let isServedLast = Flags(rawValue: 512)
        /// The read rate was exceeded, so nothing is read until `throttledUntil`.
        static let isThrottled = Flags(rawValue: 1024)
        /// See `isReadFreely`.
        static let isReadFreely = Flags(rawValue: 2048)
        /// See `isQueuedFreely`.
        static let isQueuedFreely = Flags(rawValue: 4096)
    }

    init(on loop: Loop, token: UInt64, peer: Peer, socket: Socket, tls: TLSSession?, limits: MessageLimits) {
        self.loop = loop
        self.token = token
        self.peer = peer
        self.socket = socket
        self.tls = tls
        decoder = MessageDecoder(limits: limits)
        lastHeard = loop.now
        phaseBegan = loop.now
    }

    /// Created on first use.
    var madeRare: RareState {
        if let rare { return rare }
        let made = RareState()
        rare = made
        return made
    }

    /// Frees the rare state if all of it has been used up.
    func letGoOfRare() { if rare?.isEmpty == true { rare = nil } }

    var unsentRecordBytes: Int { rare?.unsentRecordBytes ?? 0 }
    var hasUnread: Bool { rare?.unread.isEmpty == false }

    /// Bytes that wait for the socket, this turn's included.
    public var queuedBytes: Int { queue.byteCount + unsentRecordBytes }

    /// Whether `bytesPerSecond` does not apply.
    public var isReadFreely: Bool {
        get { flags.contains(.isReadFreely) }
        set { if newValue { flags.insert(.isReadFreely) } else { flags.remove(.isReadFreely) } }
    }

    /// Whether its owner controls how much waits. Then `queueLimitBytes` does not apply, and it is read however much
    /// waits.
    public var isQueuedFreely: Bool {
        get { flags.contains(.isQueuedFreely) }
        set { if newValue { flags.insert(.isQueuedFreely) } else { flags.remove(.isQueuedFreely) } }
    }

    /// Whether it is sent its messages after the other connections, if necessary some turns later. For an audience,
    /// which may be thousands.
    public var isServedLast: Bool {
        get { flags.contains(.isServedLast) }
        set {
            guard newValue != isServedLast else { return }
            flags.formSymmetricDifference(.isServedLast)
            // Its queued messages are already with the last.
            if !newValue, flags.contains(.isDirty) { loop.dirty.append(self) }
        }
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
        guard queuedBytes <= loop.options.queueLimitBytes || isQueuedFreely else { return overflow() }
        loop.counters.sentMessages.add()
        queue = loop.pool.append(kind, payload, to: queue)
        queueGrew()
    }

    /// Starts the closing handshake after the queued bytes; the peer has `closeTime` for its part. Without a WebSocket
    /// this is the same as `abort`.
    public func close(_ code: CloseCode, _ reason: String) {
        guard phase == .webSocket else {
            if phase == .request { end() }
            return
        }
        enqueue(Frame.close(code, reason: reason).bytes)
        if phase == .webSocket { startPhase(.closing) }
    }

    /// Cuts the connection and drops the bytes that wait.
    public func abort() {
        if phase != .moved { end() }
    }

    /// Queues bytes as they go on the wire, before TLS.
    func enqueue(_ bytes: [UInt8]) {
        guard queuedBytes <= loop.options.queueLimitBytes || isQueuedFreely else { return overflow() }
        queue = loop.pool.append(bytes, to: queue)
        queueGrew()
    }

    /// The queue is full.
    private func overflow() {
        loop.counters.limits.add(.sendQueue)
        end()
    }

    private func queueGrew() {
        if queuedBytes > loop.options.inputPauseBytes { flags.insert(.owesDrained) }
        markDirty()
    }

    /// Flushes it at the turn's end, or after the other connections.
    func markDirty() {
        guard !flags.contains(.isDirty) else { return }
        flags.insert(.isDirty)
        if isServedLast { loop.dirtyLast.append(self) } else { loop.dirty.append(self) }
    }

    /// Enters `phase` and starts its time.
    func startPhase(_ phase: Phase) {
        self.phase = phase
        phaseBegan = loop.now
        schedule()
    }
}
