import Cryptography
import Glibc
import Threads
import WebProtocols

/// What a server listens on, and every limit that its connections are held to.
public struct TransportOptions: Sendable {
    /// IPv6 addresses take IPv6 only: to listen on both, name both.
    public var addresses: [ListenAddress]
    /// Those of `addresses` that may be missing on this machine, such as IPv6's.
    public var optionalAddresses: [ListenAddress] = []
    /// Nil: plain TCP, on all addresses.
    public var tls: TLSOptions?
    /// For so long browsers are told to come over TLS alone (RFC 6797), with each answer over TLS but those that open a
    /// WebSocket; nil: they are not told.
    public var transportSecuritySeconds: Int?
    /// Listened on besides, in plain TCP even with `tls`, for those who run the program: an address that only this
    /// machine reaches. Connections there take no place from others. Nil: none.
    public var operatorAddress: ListenAddress?
    /// Who is believed when it says for whom it asks, and nobody else is.
    public var trustedProxies: [AddressBlock] = []
    /// Listened on besides, in plain TCP: who comes there is sent to the first of `addresses`, see `Peer.Door`.
    public var redirectAddresses: [ListenAddress] = []
    /// Listened on besides, for other nodes alone: who comes there is told apart by `Peer.door`, and takes no place
    /// from those who come elsewhere.
    public var nodeAddresses: [ListenAddress] = []
    /// What is shown at `nodeAddresses`; nil: plain TCP.
    public var nodeTLS: TLSOptions?
    /// Event loops, a thread each.
    public var loops = ProcessorCount.usable
    public var httpLimits = HTTPLimits()

    /// From connecting to the end of the TLS handshake.
    public var handshakeTime = Duration.seconds(10)
    /// From a request's first byte to its last, and from connecting to the first byte.
    public var headTime = Duration.seconds(10)
    /// Between two requests.
    public var keepAliveTime = Duration.seconds(60)
    /// A WebSocket peer silent for so long is sent a ping; each connection has a time of its own from half of it on, so
    /// that those that were made together do not go on together.
    public var pingInterval = Duration.seconds(20)
    /// A peer that has neither sent anything nor taken any of what waits for it for so long is given up.
    public var silenceLimit = Duration.seconds(60)
    /// From this side's close frame to the peer's.
    public var closeTime = Duration.seconds(5)
    /// For the peer to read the last bytes and close its side too.
    public var lingerTime = Duration.seconds(2)
    /// From `shutdown` until what is still open is cut.
    public var shutdownTime = Duration.seconds(1)

    /// A connection that has so much waiting already and is sent more is cut. One frame may go past it: what counts is
    /// what waits before.
    public var queueLimitBytes = 4 << 20
    /// While so much waits for a connection nothing more is read from it: who does not take answers asks nothing.
    public var inputPauseBytes = 256 << 10
    /// Bytes a second that are read of one connection, twice as many at once; what comes faster is left to TCP, which
    /// has the peer wait. A frame counts for 128 bytes more than it has.
    public var bytesPerSecond = 262_144
    /// Connections in all; those past it are told 503, and past `refusalLimit` more just closed.
    public var connectionLimit = 20_000
    /// Connections of one address (IPv6: of one /64 network); those past it are told 429.
    public var connectionsPerAddress = 1_000

    public init(addresses: [ListenAddress], tls: TLSOptions? = nil) {
        self.addresses = addresses
        self.tls = tls
    }

    /// Connections past a limit that are answered at the same time rather than just closed.
    static let refusalLimit = 64
    /// Connections at `nodeAddresses`, whoever they are: far above what a cluster has.
    static let apartConnectionLimit = 256
    /// Sockets taken in one turn; the rest waits in the listener's backlog.
    static let acceptsPerTurn = 16
    /// TLS handshakes gone on with in one turn: at over half a millisecond each, more would hold up everybody else.
    static let handshakesPerTurn = 8
    /// Bytes that compressed messages come to in one turn; then the rest waits. It is as much as one may come to in a
    /// game.
    static let inflatedBytesPerTurn = 65_536
    /// How long nothing is read of a peer that has broken a rule: most close when they have read why.
    static let violationPause = Milliseconds(100)
    /// How long nothing is accepted after descriptors or memory ran out.
    static let acceptPause = Milliseconds(250)
    /// Pongs that may wait for a peer; of more pings only the newest is answered (RFC 6455 section 5.5.3).
    static let pongLimit = 32
    /// Frames, or parts of frames, taken of one connection at a time, before the others have their turn.
    static let framesAtOnce = 16
    /// What a frame counts for besides its bytes, by `bytesPerSecond`: the shortest one is work, too.
    static let frameBytes = 128
    /// Bytes sent to one connection in a turn before the others have theirs.
    static let flushShareBytes = 1 << 20
    /// Connections that are served last which are served in one turn: about a millisecond's work.
    static let servedLastPerTurn = 128
    /// Bytes of a connection at its end that are read to let it see the last ones sent.
    static let lingerBytes = 4 << 20
    /// The longest that a loop waits: well below `LoopContext.stallLimitMilliseconds`, so that one that stood still is
    /// told from one that had nothing to do. It also bounds how late a timer is while the service's clock is slewed.
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

/// The time-outs of `TransportOptions` as the loops count.
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

    /// How long the connection of this token may be silent before it is sent a ping. Tokens that follow one another lie
    /// far apart, and all of many evenly: 7,919 is a prime.
    func ping(of token: UInt64) -> Milliseconds {
        longestPing - Milliseconds(UInt32(truncatingIfNeeded: token)) * 7_919 % (longestPing / 2 + 1)
    }

    /// The time from `time` on at which silence is looked for: so one turn of a loop serves several connections, of
    /// which each would cost a turn of its own.
    func silenceLook(from time: Milliseconds) -> Milliseconds {
        let step = max(1, longestPing / 256)
        return (time + step - 1) / step * step
    }
}
