import Synchronization
import Threads
import WebProtocols

/// A connection on its way to a loop with all its state, handed over whole.
struct Arrival: Sendable {
    let stream: SocketStream
    let peer: Peer
    /// When it was accepted, by the steady clock; 0 once it was upgraded.
    var accepted: Nanoseconds = 0
    /// Sent in reply to the first request if there are too many connections.
    var refusal: Admission.Refusal?
    var place: Admission.ClientPlace?
    /// Bytes to send after the stream's records.
    var unsent: [UInt8] = []
    var unread: [UInt8] = []
    /// Nil for a new connection.
    var upgrade: Upgrade?
}

/// A connection that leaves its loop at the turn's end, or becomes a WebSocket there.
struct Departure {
    let connection: Connection
    let target: LoopHandle
    let upgrade: Upgrade

    func stay() {
        connection.exchange = nil
        connection.decoder = MessageDecoder(limits: upgrade.limits)
    }

    /// Sends the connection with all its state to the other loop.
    func leave() {
        let (stream, unsent) = connection.stream.leave(connection.loop)
        target.inbox.send(
            Arrival(
                stream: stream, peer: connection.peer, place: connection.rare?.place, unsent: unsent,
                unread: connection.rare?.unread ?? [], upgrade: upgrade))
        connection.releaseAll()
    }
}

/// How a request for a WebSocket was granted.
struct Upgrade: Sendable {
    let compression: PerMessageDeflate?
    let limits: MessageLimits
    let purpose: any Sendable
}

/// What other threads send to a loop. It has no limit of its own, since all senders are bounded: posts answer commands,
/// of which each room has a bounded number, and arrivals are connections, which are counted.
final class Inbox: Sendable {
    struct Contents: Sendable {
        var arrivals: [Arrival] = []
        var jobs: [UnownedJob] = []
        var posted: [any Sendable] = []
        var lookUps: [LookUp] = []
        var isToStop = false

        var isEmpty: Bool { arrivals.isEmpty && jobs.isEmpty && posted.isEmpty && lookUps.isEmpty && !isToStop }
    }

    private struct State {
        var contents = Contents()
        var isClosed = false
    }

    /// Signalled while the inbox holds something, or held something since `takeContents`.
    let wakeUp: WakeUp
    /// Signalled for good once the loop has ended.
    private let end: WakeUp
    private let state = Mutex(State())

    init() throws(TransportError) {
        wakeUp = try WakeUp()
        end = try WakeUp()
    }

    func post(_ value: any Sendable) { add { $0.posted.append(value) } }
    func enqueue(_ job: UnownedJob) { add { $0.jobs.append(job) } }
    func stop() { add { $0.isToStop = true } }

    /// Hands a connection over. If the loop has ended, it is closed instead.
    func send(_ arrival: Arrival) { add { $0.arrivals.append(arrival) } }

    func send(_ lookUp: LookUp) { add { $0.lookUps.append(lookUp) } }

    /// Wakes the loop only if the inbox was empty, since the loop takes everything at once.
    private func add(_ change: (inout Contents) -> Void) {
        let wasEmpty = state.withLock { state in
            guard !state.isClosed else { return false }
            let wasEmpty = state.contents.isEmpty
            change(&state.contents)
            return wasEmpty
        }
        if wasEmpty { wakeUp.signal() }
    }

    var count: Int { state.withLock { $0.contents.arrivals.count + $0.contents.jobs.count + $0.contents.posted.count } }

    func takeContents() -> Contents {
        wakeUp.reset()
        return state.withLock { state in
            let contents = state.contents
            state.contents = Contents()
            return contents
        }
    }

    /// The loop has ended: drops the contents and accepts no more.
    func closeForGood() {
        let last = state.withLock { state in
            state.isClosed = true
            let contents = state.contents
            state.contents = Contents()
            return contents
        }
        // Closes sockets here, outside the lock.
        _ = consume last
        end.signal()
    }

    func waitForEnd() { end.wait() }
}

/// A loop, for other threads and other loops.
public struct LoopHandle: Sendable {
    /// From 0 to the number of loops.
    public let index: Int
    public let counters: LoopCounters
    let inbox: Inbox

    /// Messages and connections of other threads that wait for the loop.
    public var waitingCount: Int { inbox.count }

    /// Sends `value` to the loop's service, after everything that the same thread posted before. Dropped once the loop
    /// has ended.
    public func post(_ value: any Sendable) { inbox.post(value) }
}
