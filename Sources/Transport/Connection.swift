import Cryptography
import WebProtocols

/// One client's connection, while it lives on one loop: first HTTP, then perhaps a WebSocket. If that belongs on
/// another loop, it is a `Connection` of its own there. Everything here is called on that loop's thread.
///
/// It owns bytes only while something is incomplete or waits for the socket. What is sent is gathered, and goes with
/// one `send` at the turn's end.
public final class Connection {
    /// What the bytes of the peer are taken for.
    enum Phase {
        /// TLS is being agreed on.
        case handshake
        case request
        /// Open: no close frame has gone either way.
        case webSocket
        /// Our close frame has gone, theirs has not come (RFC 6455 section 7.1.3).
        case closing
        /// Everything has been said: the last bytes go out, then the peer is given time to close its side.
        case lingering
        /// On its way to another loop, or there.
        case moved
        case ended
    }

    /// Behind a proxy the client of the request under way, or of the one that was upgraded.
    public internal(set) var peer: Peer
    // Small things side by side: there may be many connections, and of each these are most of the memory.
    /// How messages may be compressed, either way.
    var compression: PerMessageDeflate?
    var phase = Phase.request
    /// The service's own.
    public var attachment: AnyObject?

    let loop: Loop
    /// Where the loop has it; comes back with its events.
    let token: UInt64
    var socket: Socket?
    var tls: TLSSession?
    /// The requests; nil once it is a WebSocket.
    var exchange: Exchange?
    var rare: RareState?
    var decoder: MessageDecoder
    /// Pongs in the queue since it was last empty.
    var pongCount: UInt8 = 0
    var flags: Flags = []
    /// What epoll has been asked for.
    var interest = Epoll.input

    /// What waits for the socket, before TLS.
    var queue = SendQueue()

    /// When the peer last sent something, or took something that waited.
    var lastHeard: Milliseconds
    /// When what the phase is limited by began: a handshake, a wait for a request, a close frame, the last bytes.
    var phaseBegan: Milliseconds
    /// What has been read, by `bytesPerSecond`.
    var readRate = RateLimit()
    var alarm = Milliseconds.max

    /// What few connections have at a time, and then only for a while, but for `place`.
    final class RareState {
        /// Records, of which the socket has not taken the last `unsentRecordBytes`.
        var encrypted: [UInt8] = []
        var unsentRecordBytes = 0
        /// What was read and cannot be used yet; nothing more is read while there is any.
        var unread: [UInt8] = []
        /// The newest ping that found too many pongs waiting.
        var owedPong: [UInt8]?
        /// Bytes read while lingering.
        var lingerBytes = 0
        /// Behind a proxy, what counts for the client's address.
        var place: Admission.ClientPlace?

        var isEmpty: Bool {
            unsentRecordBytes == 0 && unread.isEmpty && owedPong == nil && lingerBytes == 0 && place == nil
        }
    }

    struct Flags: OptionSet {
        let rawValue: UInt16
        /// In the loop's list of those to be sent at the turn's end.
        static let isDirty = Flags(rawValue: 1)
        /// In the loop's list of those whose unread bytes can be gone on with.
        static let isResuming = Flags(rawValue: 2)
        /// The socket did not take everything: epoll tells when to go on.
        static let isBlocked = Flags(rawValue: 4)
        /// The peer will send nothing more.
        static let inputEnded = Flags(rawValue: 8)
        /// This side will send nothing more.
        static let outputEnded = Flags(rawValue: 16)
        /// The service has been told of it, and is owed `closed`.
        static let isKnown = Flags(rawValue: 32)
        /// A ping has been sent since the peer was last heard.
        static let wasPinged = Flags(rawValue: 64)
        /// The peer has sent something.
        static let hasBegun = Flags(rawValue: 128)
        /// So much was queued that the service may wait for `drained`.
        static let owesDrained = Flags(rawValue: 256)
        /// See `isServedLast`.
        static let isServedLast = Flags(rawValue: 512)
        /// So much has come that nothing is read until `throttledUntil`.
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

    /// Made where there is none yet.
    var madeRare: RareState {
        if let rare { return rare }
        let made = RareState()
        rare = made
        return made
    }

    /// To be called where a part of it has been used up.
    func letGoOfRare() { if rare?.isEmpty == true { rare = nil } }

    var unsentRecordBytes: Int { rare?.unsentRecordBytes ?? 0 }
    var hasUnread: Bool { rare?.unread.isEmpty == false }

    /// Bytes that wait for the socket, this turn's included.
    public var queuedBytes: Int { queue.byteCount + unsentRecordBytes }

    /// Whether `bytesPerSecond` does not hold it.
    public var isReadFreely: Bool {
        get { flags.contains(.isReadFreely) }
        set { if newValue { flags.insert(.isReadFreely) } else { flags.remove(.isReadFreely) } }
    }

    /// Whether its owner sees to how much waits for it: `queueLimitBytes` does not hold it then, and it is read
    /// whatever waits.
    public var isQueuedFreely: Bool {
        get { flags.contains(.isQueuedFreely) }
        set { if newValue { flags.insert(.isQueuedFreely) } else { flags.remove(.isQueuedFreely) } }
    }

    /// Whether others do not wait for what is sent to this one: it goes behind theirs, if need be some turns later. For
    /// an audience, which may be thousands.
    public var isServedLast: Bool {
        get { flags.contains(.isServedLast) }
        set {
            guard newValue != isServedLast else { return }
            flags.formSymmetricDifference(.isServedLast)
            // What it waits for already is among the last.
            if !newValue, flags.contains(.isDirty) { loop.dirty.append(self) }
        }
    }

    /// Sends a message, at the turn's end. Dropped behind a close frame and on a connection at its end; one that has
    /// more than `queueLimitBytes` waiting already is cut instead.
    public func send(_ frame: Frame) {
        guard phase == .webSocket else { return }
        loop.counters.sentMessages.add()
        enqueue(compression.map { frame.bytes(for: $0, by: loop.deflater) } ?? frame.bytes)
    }

    /// The same for a message that nobody else gets. `payload` of a text is UTF-8; that is the caller's to know.
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

    /// Begins the closing handshake, behind what is queued; the peer has `closeTime` for its part. On a connection that
    /// is not a WebSocket, the same as `abort`.
    public func close(_ code: CloseCode, _ reason: String) {
        guard phase == .webSocket else {
            if phase == .request { end() }
            return
        }
        enqueue(Frame.close(code, reason: reason).bytes)
        if phase == .webSocket { startPhase(.closing) }
    }

    /// Cuts the connection: what waits is dropped.
    public func abort() {
        if phase != .moved { end() }
    }

    /// Queues bytes as they go on the wire, before TLS.
    func enqueue(_ bytes: [UInt8]) {
        guard queuedBytes <= loop.options.queueLimitBytes || isQueuedFreely else { return overflow() }
        queue = loop.pool.append(bytes, to: queue)
        queueGrew()
    }

    /// More is to be sent than may wait.
    private func overflow() {
        loop.counters.limits.add(.sendQueue)
        end()
    }

    private func queueGrew() {
        if queuedBytes > loop.options.inputPauseBytes { flags.insert(.owesDrained) }
        markDirty()
    }

    /// Has it flushed at the turn's end, or behind the others.
    func markDirty() {
        guard !flags.contains(.isDirty) else { return }
        flags.insert(.isDirty)
        if isServedLast { loop.dirtyLast.append(self) } else { loop.dirty.append(self) }
    }

    /// Enters `phase` and counts its time from now.
    func startPhase(_ phase: Phase) {
        self.phase = phase
        phaseBegan = loop.now
        schedule()
    }
}
