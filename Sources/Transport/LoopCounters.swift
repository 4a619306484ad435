import Threads

/// What the transport limits, by the names of the options or of what is documented; each counts how often it was hit.
public enum TransportLimit: String, CaseIterable, Sendable {
    /// Connections in all.
    case connections
    case connectionsPerAddress = "connections-per-address"
    /// The system's, of descriptors or memory: nothing is accepted for a moment.
    case descriptors
    case handshakeTime = "handshake-time"
    case headTime = "head-time"
    /// Of a request's head: its bytes, its fields, its method or its target.
    case headSize = "head-size"
    case bodySize = "body-size"
    /// Of a WebSocket message, inflated, or of a frame.
    case messageSize = "message-size"
    /// Of one connection: nothing is read of it for a moment.
    case bytesPerSecond = "bytes-per-second"
    /// A peer that neither said nor took anything.
    case silence
    /// A peer that was sent more than may wait for it.
    case sendQueue = "send-queue"
    /// Pings past those that are each answered.
    case pongs
    /// Bytes sent to a connection that is at its end.
    case lingerSize = "linger-size"
}

/// Versions of TLS that are spoken, as OpenSSL calls them.
public enum TLSVersion: String, CaseIterable, Sendable {
    case tls12 = "TLSv1.2"
    case tls13 = "TLSv1.3"
}

/// What one loop has counted since the start: changed by that loop alone, read by anybody.
public final class LoopCounters: Sendable {
    /// As the sockets took and gave them: TLS included.
    public let receivedBytes = Counter()
    public let sentBytes = Counter()
    /// Messages of WebSockets, whole ones.
    public let receivedMessages = Counter()
    public let sentMessages = Counter()
    /// Bytes that wait for connections whose sockets take no more for now.
    public let waitingBytes = Counter()
    /// Connections that are open.
    public let connections = Counter()
    /// How long whatever was due had to wait for the loop: what the turn before it took, and how much too late the
    /// system woke the loop.
    public let lag = HistogramCounter()
    /// From accepting a connection to having answered its first request by an upgrade.
    public let plainHandshakes = HistogramCounter()
    public let secureHandshakes = HistogramCounter()
    /// From accepting a connection to the end of its TLS handshake.
    private let tls12Handshakes = HistogramCounter()
    private let tls13Handshakes = HistogramCounter()
    public let failedTLSHandshakes = Counter()
    public let limits = CounterTable(TransportLimit.allCases)

    /// TLS handshakes that ended well.
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

/// A handshake that this turn brought to its end; its last bytes go out with the turn.
struct FinishedHandshake {
    enum Kind {
        case tls(TLSVersion)
        case upgrade(isTLS: Bool)
    }

    let kind: Kind
    let began: Nanoseconds
}
