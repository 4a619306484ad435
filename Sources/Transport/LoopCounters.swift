import Threads

/// The transport's limits, named like their options or documentation. Each is counted when it is hit.
public enum TransportLimit: String, CaseIterable, Sendable {
    /// Connections in total.
    case connections
    case connectionsPerAddress = "connections-per-address"
    /// The system's limit of descriptors or memory. Accepting pauses for a moment.
    case descriptors
    case handshakeTime = "handshake-time"
    case headTime = "head-time"
    /// Of a request's head: its bytes, fields, method or target.
    case headSize = "head-size"
    case bodySize = "body-size"
    /// Of a WebSocket message, decompressed, or of a frame.
    case messageSize = "message-size"
    /// Of one connection, from which reading pauses for a moment.
    case bytesPerSecond = "bytes-per-second"
    /// A peer neither sent nor took anything.
    case silence
    /// A peer was to be sent more than may wait for it.
    case sendQueue = "send-queue"
    /// More pings than are answered one by one.
    case pongs
    /// Too many bytes arrived on a connection that is ending.
    case lingerSize = "linger-size"
}

/// The supported versions of TLS, as OpenSSL calls them.
public enum TLSVersion: String, CaseIterable, Sendable {
    case tls12 = "TLSv1.2"
    case tls13 = "TLSv1.3"
}

/// One loop's counters since its start. Only the loop changes them; any thread reads them.
public final class LoopCounters: Sendable {
    /// Bytes on the wire, TLS included.
    public let receivedBytes = Counter()
    public let sentBytes = Counter()
    /// Whole WebSocket messages.
    public let receivedMessages = Counter()
    public let sentMessages = Counter()
    /// Bytes that wait for connections whose sockets are blocked.
    public let waitingBytes = Counter()
    /// Connections that are open.
    public let connections = Counter()
    /// How long due work waited for the loop: the length of the previous turn, plus the time that the system woke the
    /// loop too late.
    public let lag = HistogramCounter()
    /// From accepting a connection to answering its first request with an upgrade.
    public let plainHandshakes = HistogramCounter()
    public let secureHandshakes = HistogramCounter()
    /// From accepting a connection to the end of its TLS handshake.
    private let tls12Handshakes = HistogramCounter()
    private let tls13Handshakes = HistogramCounter()
    public let failedTLSHandshakes = Counter()
    public let limits = CounterTable(TransportLimit.allCases)

    /// Successful TLS handshakes.
    public func handshakes(_ version: TLSVersion) -> Histogram {
        switch version {
        case .tls12: tls12Handshakes.value
        case .tls13: tls13Handshakes.value
        }
    }

    func add(_ handshake: FinishedHandshake, until end: Nanoseconds) {
        let span = end - handshake.began
        switch handshake.kind {
        case .upgrade(isTLS: false): plainHandshakes.add(span)
        case .upgrade(isTLS: true): secureHandshakes.add(span)
        case .tls(.tls12): tls12Handshakes.add(span)
        case .tls(.tls13): tls13Handshakes.add(span)
        }
    }
}

/// A handshake that ended in this turn; its last bytes are sent with the turn.
struct FinishedHandshake {
    enum Kind {
        case tls(TLSVersion)
        case upgrade(isTLS: Bool)
    }

    let kind: Kind
    let began: Nanoseconds
}
