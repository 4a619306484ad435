import Threads
import WebProtocols

/// The service of one loop, which gets the loop's events. Called only on that loop's thread, so it needs no lock, and
/// never from within a call that it makes to a connection.
public protocol LoopService: AnyObject {
    /// A turn starts; `LoopContext.now` is the time of all its events. `stoodStillSince` is the previous turn's time if
    /// that turn or the wait after it took over `LoopContext.stallLimitMilliseconds`, and nil otherwise. A loop turns
    /// at least twice a second unless the process was stopped, the machine slept, or there was too much work.
    func turnBegan(stoodStillSince: Int?)

    /// A whole request. Answer it now or later, by one `respond`, one `beginResponse` to `endResponse`, or one
    /// `upgrade`. The connection's next request follows after that.
    func requestArrived(_ request: HTTPRequest, on connection: Connection)

    /// Whether this request is answered even on a connection past a limit, which then ends. Only for questions about
    /// the server's health; every other request is refused there.
    func isAnsweredPastLimits(_ head: RequestHead) -> Bool

    /// The transport answered with `response` and ends the connection: the bytes were no request, exceeded a limit, or
    /// did not all arrive in time. `head` is nil if it could not be read. `span` counts from the connection's start or
    /// the request's first byte.
    func inputRefused(_ head: RequestHead?, by response: HTTPResponse, from peer: Peer, after span: Duration)

    /// A trusted proxy sent a broken PROXY header, and its connection was cut.
    func proxyRefused(_ violation: ProxyHeaderViolation, from proxy: Peer)

    /// A connection of `peer` exceeds a limit, in total or for its address. Also called during `upgrade`.
    func limitPassed(_ limit: TransportLimit, by peer: Peer)

    /// A WebSocket that was upgraded to this loop, from this or another one. It is another object than the request's
    /// connection, which gets no more calls.
    func webSocketOpened(_ connection: Connection, for purpose: any Sendable)

    /// A whole message, in the order of arrival. `message` is only valid during the call.
    func messageArrived(_ message: RawSpan, kind: MessageKind, on connection: Connection)

    /// The socket has taken everything that was queued, after it had blocked or more than `inputPauseBytes` were
    /// queued. What this call sends goes out in the next turn, which follows at once.
    func outputDrained(_ connection: Connection)

    /// The last call for a connection that the service knows by a request or by `webSocketOpened`. Its last bytes
    /// may still be on their way, but nothing more is received, and anything sent now is dropped.
    func connectionClosed(_ connection: Connection)

    /// The time of a timer has come.
    func timerFired(_ timer: UInt64)

    /// Everything posted to this loop since the last turn, in the order of each sender.
    func postsArrived(_ posted: [any Sendable])

    /// All events of this turn have been delivered. What is sent now still goes out with the rest.
    func turnEnded()

    /// The server shuts down. Every WebSocket is closed with 1012 after what is sent now.
    func serverStopping()
}

extension LoopService {
    public func turnBegan(stoodStillSince: Int?) {}
    public func isAnsweredPastLimits(_ head: RequestHead) -> Bool { false }
    public func inputRefused(_ head: RequestHead?, by response: HTTPResponse, from peer: Peer, after span: Duration) {}
    public func proxyRefused(_ violation: ProxyHeaderViolation, from proxy: Peer) {}
    public func limitPassed(_ limit: TransportLimit, by peer: Peer) {}
    public func outputDrained(_ connection: Connection) {}
    public func timerFired(_ timer: UInt64) {}
    public func postsArrived(_ posted: [any Sendable]) {}
    public func turnEnded() {}
    public func serverStopping() {}
}

/// A turn of a loop, by the steady clock.
public struct TurnTime: Equatable, Sendable {
    public internal(set) var began: Nanoseconds = 0
    /// When the turn before it had sent all that it could.
    public internal(set) var lastEnded: Nanoseconds = 0
}

/// What a loop offers its service. Lives on the loop.
public final class LoopContext {
    /// A loop that has not turned for longer than this, although something was due, has stalled.
    public static let stallLimitMilliseconds = 1_000

    /// From 0 to the number of loops.
    public let index: Int
    /// All loops, by index.
    public let loops: [LoopHandle]
    /// The service's clock, read once a turn.
    public internal(set) var now: Int
    /// This turn by the steady clock.
    public internal(set) var turn = TurnTime()
    var timers = Timers()
    /// Set once the loop is made.
    var clients: ClientConnections?

    init(index: Int, loops: [LoopHandle], now: Int) {
        self.index = index
        self.loops = loops
        self.now = now
    }

    /// Calls `timerFired` with `token` once the service's clock reads `time`, never before. A token has one timer, and
    /// arming it again moves it.
    public func arm(at time: Int, token: UInt64) { timers.arm(token, at: time) }

    /// Cancels this token's timer, if it is armed.
    public func cancel(token: UInt64) { timers.cancel(token) }
}
