import Cryptography
import Glibc
import Threads
import WebProtocols

/// What a server listens on, and all limits of its connections.
public struct TransportOptions: Sendable {
    /// IPv6 addresses accept only IPv6; name both to listen on both.
    public var addresses: [ListenAddress]
    /// Those of `addresses` that this machine may lack, such as IPv6's.
    public var optionalAddresses: [ListenAddress] = []
    /// Nil for plain TCP on all addresses.
    public var tls: TLSOptions?
    /// How long browsers must use TLS (RFC 6797). Sent with every answer over TLS except one that opens a WebSocket;
    /// nil to send nothing.
    public var transportSecuritySeconds: Int?
    /// Another address for the people who run the program, which only this machine can reach. It uses plain TCP even
    /// with `tls`, and its connections take no place from others; nil for none.
    public var operatorAddress: ListenAddress?
    /// Only these proxies are believed when they name their clients.
    public var trustedProxies: [AddressBlock] = []
    /// Further addresses in plain TCP, which redirect to the first of `addresses`; see `Peer.Door`.
    public var redirectAddresses: [ListenAddress] = []
    /// Further addresses for other nodes only. `Peer.door` marks their connections, which take no place from clients.
    public var nodeAddresses: [ListenAddress] = []
    /// The certificates of `nodeAddresses`; nil for plain TCP.
    public var nodeTLS: TLSOptions?
    /// Event loops, a thread each.
    public var loops = ProcessorCount.usable
    public var httpLimits = HTTPLimits()

    /// From connecting to the end of the TLS handshake.
    public var handshakeTime = Duration.seconds(10)
    /// From connecting to a request's first byte, and from there to its last.
    public var headTime = Duration.seconds(10)
    /// Between two requests.
    public var keepAliveTime = Duration.seconds(60)
    /// A WebSocket peer that is silent for this long is sent a ping. Each connection has its own time, between half of
    /// this and all of it, so that connections made together are not pinged together.
    public var pingInterval = Duration.seconds(20)
    /// A peer that has neither sent nor taken anything for this long is given up.
    public var silenceLimit = Duration.seconds(60)
    /// From this side's close frame to the peer's.
    public var closeTime = Duration.seconds(5)
    /// For the peer to read the last bytes and close its side too.
    public var lingerTime = Duration.seconds(2)
    /// From `shutdown` until open connections are cut.
    public var shutdownTime = Duration.seconds(1)

    /// Sending on a connection that has more than this waiting cuts it. One frame may exceed it, since only earlier
    /// bytes count.
    public var queueLimitBytes = 4 << 20
    /// Nothing is read from a connection while more than this waits for it: a client that reads no answers may ask
    /// nothing.
    public var inputPauseBytes = 256 << 10
    /// Bytes a second that are read from one connection, and twice as many at once. Faster input waits in TCP, which
    /// slows the peer down. A frame counts for 128 bytes more than it has.
    public var bytesPerSecond = 262_144
    /// Connections in total. Those past it are answered 503, and those past `refusalLimit` more are just closed.
    public var connectionLimit = 20_000
    /// Connections of one address (in IPv6 of one /64 network). Those past it are answered 429.
    public var connectionsPerAddress = 1_000

    public init(addresses: [ListenAddress], tls: TLSOptions? = nil) {
        self.addresses = addresses
        self.tls = tls
    }

    /// Connections past a limit that are answered at the same time instead of just closed.
    static let refusalLimit = 64
    /// Connections at `nodeAddresses` in total, far more than a cluster has.
    static let apartConnectionLimit = 256
    /// Sockets accepted in one turn. The rest waits in the listener's backlog.
    static let acceptsPerTurn = 16
    /// TLS handshakes continued in one turn. At over half a millisecond each, more would hold up all other connections.
    static let handshakesPerTurn = 8
    /// Decompressed bytes in one turn, as many as one message of a game may have. Then the rest waits.
    static let inflatedBytesPerTurn = 65_536
    /// How long nothing is read from a peer that has broken a rule. Most close once they have read why.
    static let violationPause = Milliseconds(100)
    /// How long nothing is accepted after descriptors or memory ran out.
    static let acceptPause = Milliseconds(250)
    /// Pongs that may wait for a peer. Of further pings only the newest is answered (RFC 6455 section 5.5.3).
    static let pongLimit = 32
    /// Frames, or parts of frames, taken from one connection before others have their turn.
    static let framesAtOnce = 16
    /// What a frame counts for besides its bytes, by `bytesPerSecond`, since even the shortest costs work.
    static let frameBytes = 128
    /// Bytes sent to one connection in a turn before others have theirs.
    static let flushShareBytes = 1 << 20
    /// Served-last connections that are flushed in one turn, about a millisecond's work.
    static let servedLastPerTurn = 128
    /// Bytes read from a connection that is ending, so that its peer sees the last ones sent.
    static let lingerBytes = 4 << 20
    /// The longest wait of a loop. It is well below `LoopContext.stallLimitMilliseconds`, so that a stalled loop
    /// differs from an idle one. It also bounds how late a timer is while the service's clock is slewed.
    static let longestWait = Milliseconds(500)
}

/// Milliseconds, of a point in time or of a span.
typealias Milliseconds = Int

extension Nanoseconds {
    /// Rounded down.
    var inMilliseconds: Milliseconds { self / 1_000_000 }
}

extension Duration {
    /// Rounded down; at least 1.
    var milliseconds: Milliseconds {
        let (seconds, attoseconds) = components
        return max(1, Milliseconds(seconds) * 1_000 + Milliseconds(attoseconds / 1_000_000_000_000_000))
    }
}

/// The time-outs of `TransportOptions` in the loops' unit.
struct TimeLimits: Sendable {
    let handshake, head, keepAlive, longestPing, silence, close, linger, shutdown: Milliseconds

    init(_ options: TransportOptions) {
        handshake = options.handshakeTime.milliseconds
        head = options.headTime.milliseconds
        keepAlive = options.keepAliveTime.milliseconds
        longestPing = options.pingInterval.milliseconds
        silence = options.silenceLimit.milliseconds
        close = options.closeTime.milliseconds
        linger = options.lingerTime.milliseconds
        shutdown = options.shutdownTime.milliseconds
    }

    /// How long the connection with this token may be silent before it is sent a ping. Successive tokens get very
    /// different times, and many get evenly spread ones, since 7,919 is a prime.
    func ping(of token: UInt64) -> Milliseconds {
        longestPing - Milliseconds(UInt32(truncatingIfNeeded: token)) * 7_919 % (longestPing / 2 + 1)
    }

    /// The next time after `time` at which silence is checked. One turn of a loop then serves several connections,
    /// which would each cost a turn of their own.
    func silenceLook(from time: Milliseconds) -> Milliseconds {
        let step = max(1, longestPing / 256)
        return (time + step - 1) / step * step
    }
}
