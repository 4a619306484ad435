import Threads
import WebProtocols

/// What lives on one loop and gets what happens there; called on that loop's thread only, so it needs no lock.
///
/// None of these is called from within a call that the service makes to a connection.
public protocol LoopService: AnyObject {
    /// A turn begins: `LoopContext.now` is the time of all that it brings. `stoodStillSince` is the time of the turn
    /// before, if that took over `LoopContext.stallLimitMilliseconds`, or this one comes so late: a loop turns twice a
    /// second at least, so it could not (the process was stopped, the machine slept, there was too much to do). Nil
    /// otherwise.
    func turnBegan(stoodStillSince: Int?)

    /// A whole request. It is answered by one `respond`, one `beginResponse` to `endResponse`, or one `upgrade`, now or
    /// later; the connection's next request comes after that.
    func received(_ request: HTTPRequest, on connection: Connection)

    /// Whether a request is answered on a connection past a limit, too, which then ends: a question about the server's
    /// health. Every other one is refused there.
    func isAnsweredPastLimits(_ head: RequestHead) -> Bool

    /// What has come was answered by `response`, and its connection ends: it is no request, past a limit, or did not
    /// come to its end in time. `head`: where it could be read. `span`: since the connection was, or its first byte.
    func refused(_ head: RequestHead?, by response: HTTPResponse, from peer: Peer, after span: Duration)

    /// A trusted proxy said so badly whom it speaks for that its connection was cut.
    func refused(_ violation: ProxyHeaderViolation, from proxy: Peer)

    /// A connection of `peer` is one too many: in all, or of its address. Also called during `upgrade`.
    func passed(_ limit: TransportLimit, by peer: Peer)

    /// A WebSocket that was upgraded to this loop, on whichever loop that was asked. It is another object than the one
    /// that brought the request, for which nothing more is called.
    func opened(_ connection: Connection, for purpose: any Sendable)

    /// A whole message, in the order of arrival. `message` is valid during the call only.
    func received(_ message: RawSpan, kind: MessageKind, on connection: Connection)

    /// The socket has taken everything that was queued, after it once did not, or after more than `inputPauseBytes`
    /// were queued. What is sent by this call goes out in the next turn, which comes at once.
    func drained(_ connection: Connection)

    /// The last call for a connection that the service knows: by a request, or by `opened`. Its end may still be on its
    /// way to the peer, but nothing more is received and what is sent now is dropped.
    func closed(_ connection: Connection)

    /// The time of a timer has come.
    func fired(_ timer: UInt64)

    /// What was posted to this loop since the last turn, in the order of each poster.
    func received(_ posted: [any Sendable])

    /// All that this turn brought has been told; what is sent now still goes with the rest.
    func turnEnded()

    /// The server shuts down: every WebSocket is closed with 1012 behind what is sent now.
    func stopping()
}

extension LoopService {
    public func turnBegan(stoodStillSince: Int?) {}
    public func isAnsweredPastLimits(_ head: RequestHead) -> Bool { false }
    public func refused(_ head: RequestHead?, by response: HTTPResponse, from peer: Peer, after span: Duration) {}
    public func refused(_ violation: ProxyHeaderViolation, from proxy: Peer) {}
    public func passed(_ limit: TransportLimit, by peer: Peer) {}
    public func drained(_ connection: Connection) {}
    public func fired(_ timer: UInt64) {}
    public func received(_ posted: [any Sendable]) {}
    public func turnEnded() {}
    public func stopping() {}
}

/// A turn of a loop, by the steady clock.
public struct TurnTime: Equatable, Sendable {
    public internal(set) var began: Nanoseconds = 0
    /// When the turn before it had sent all that it could.
    public internal(set) var lastEnded: Nanoseconds = 0
}

/// What a service may ask of its loop. Lives on the loop.
public final class LoopContext {
    /// A loop that has not turned for longer although something was due stood still.
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
    /// Set once the loop is there.
    var clients: ClientConnections?

    init(index: Int, loops: [LoopHandle], now: Int) {
        self.index = index
        self.loops = loops
        self.now = now
    }

    /// Has `fired` called with `token` once the service's clock reads `time`, never before. One timer a token: arming
    /// again moves it.
    public func arm(at time: Int, token: UInt64) { timers.arm(token, at: time) }

    /// Takes the timer of this token back, if it is armed.
    public func cancel(token: UInt64) { timers.cancel(token) }
}
