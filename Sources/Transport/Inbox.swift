// Writes eight bytes to an eventfd; nothing keeps the pointer.
import CLinux
import Cryptography
import Glibc
import Synchronization
import Threads
import WebProtocols

/// A connection on its way to a loop with all its state, handed over whole.
struct Arrival: Sendable {
    let socket: Socket
    let peer: Peer
    /// When it was accepted, by the steady clock; 0 once it was upgraded.
    var accepted: Nanoseconds = 0
    /// Sent in reply to the first request if there are too many connections.
    var refusal: Admission.Refusal?
    /// The place of the proxy's client.
    var place: Admission.ClientPlace?
    /// Nil in plain TCP, and for a new connection, whose session its loop makes.
    var tls: TLSSession?
    /// Records that the socket has not taken yet.
    var encrypted: [UInt8] = []
    /// Bytes to send after them.
    var unsent: [UInt8] = []
    /// Bytes that were read and not used yet.
    var unread: [UInt8] = []
    /// Nil for a new connection.
    var upgrade: Upgrade?
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

    /// Readable while the inbox holds something, or held something since `take`.
    let event: Int32
    /// Readable for good once the loop has ended.
    private let end: Int32
    private let state = Mutex(State())

    init() throws(TransportError) {
        event = flipside_event()
        guard event >= 0 else { throw .system(call: "eventfd", code: errno) }
        end = flipside_event()
        guard end >= 0 else {
            close(event)
            throw .system(call: "eventfd", code: errno)
        }
    }

    deinit {
        close(event)
        close(end)
    }

    func post(_ value: any Sendable) { put { $0.posted.append(value) } }

    func enqueue(_ job: UnownedJob) { put { $0.jobs.append(job) } }

    func stop() { put { $0.isToStop = true } }

    /// Hands a connection over. If the loop has ended, it is closed instead.
    func send(_ arrival: Arrival) { put { $0.arrivals.append(arrival) } }

    func send(_ lookUp: LookUp) { put { $0.lookUps.append(lookUp) } }

    /// Wakes the loop only if the inbox was empty, since the loop takes everything at once.
    private func put(_ change: (inout Contents) -> Void) {
        let wasEmpty = state.withLock { state in
            guard !state.isClosed else { return false }
            let wasEmpty = state.contents.isEmpty
            change(&state.contents)
            return wasEmpty
        }
        if wasEmpty { signal(event) }
    }

    /// Everything that waits for the loop.
    var count: Int {
        state.withLock { $0.contents.arrivals.count + $0.contents.jobs.count + $0.contents.posted.count }
    }

    /// Takes all contents, in order.
    func take() -> Contents {
        var count: UInt64 = 0
        // EAGAIN means that it was not signalled and needs no reset.
        _ = read(event, &count, 8)
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
        signal(end)
    }

    /// Returns once the loop has ended.
    func waitForEnd() {
        var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, -1) != 1 {
            precondition(errno == EINTR, "an eventfd can be waited for")
        }
    }

    private func signal(_ number: Int32) {
        var one: UInt64 = 1
        // EAGAIN would mean 2^64 signals already.
        _ = write(number, &one, 8)
    }
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
