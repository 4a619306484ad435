// Writes eight bytes to an eventfd; nothing keeps the pointer.
import CLinux
import Cryptography
import Glibc
import Synchronization
import Threads
import WebProtocols

/// A connection on its way to a loop: everything that it takes along, given away whole.
struct Arrival: Sendable {
    let socket: Socket
    let peer: Peer
    /// When it was accepted, by the steady clock; 0 once it was upgraded.
    var accepted: Nanoseconds = 0
    /// Sent in reply to the first request, where there are too many connections.
    var refusal: Admission.Refusal?
    /// What counts for the client of the proxy that made it.
    var place: Admission.ClientPlace?
    /// Nil in plain TCP, and for a new connection, whose session its loop makes.
    var tls: TLSSession?
    /// Records that the socket has not taken yet.
    var encrypted: [UInt8] = []
    /// What is to be sent behind them.
    var unsent: [UInt8] = []
    /// What was read and not yet used.
    var unread: [UInt8] = []
    /// What it was upgraded for; nil for a new connection.
    var upgrade: Upgrade?
}

/// What a request's upgrade to a WebSocket was granted for.
struct Upgrade: Sendable {
    let compression: PerMessageDeflate?
    let limits: MessageLimits
    let purpose: any Sendable
}

/// What other threads have for a loop. It takes whatever comes, since all of it is owed by somebody who is bounded
/// himself: posts answer commands, of which each room has a bounded number; arrivals are connections, which are
/// counted.
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

    /// Readable while the inbox holds something, or held it since `take`.
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

    /// Hands a connection over; once the loop has ended it is closed instead.
    func send(_ arrival: Arrival) { put { $0.arrivals.append(arrival) } }

    func send(_ lookUp: LookUp) { put { $0.lookUps.append(lookUp) } }

    /// Wakes the loop only if there was nothing: it takes everything at once.
    private func put(_ change: (inout Contents) -> Void) {
        let wasEmpty = state.withLock { state in
            guard !state.isClosed else { return false }
            let wasEmpty = state.contents.isEmpty
            change(&state.contents)
            return wasEmpty
        }
        if wasEmpty { signal(event) }
    }

    /// What waits for the loop, of any kind.
    var count: Int {
        state.withLock { $0.contents.arrivals.count + $0.contents.jobs.count + $0.contents.posted.count }
    }

    /// Everything that has come, in order.
    func take() -> Contents {
        var count: UInt64 = 0
        // EAGAIN means that it was not signalled: there is nothing to reset.
        _ = read(event, &count, 8)
        return state.withLock { state in
            let contents = state.contents
            state.contents = Contents()
            return contents
        }
    }

    /// The loop has ended: what is in it goes, and nothing comes any more.
    func closeForGood() {
        let last = state.withLock { state in
            state.isClosed = true
            let contents = state.contents
            state.contents = Contents()
            return contents
        }
        // Sockets are closed here, outside of the lock.
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
        // EAGAIN would mean that it counts 2^64 signals already.
        _ = write(number, &one, 8)
    }
}

/// A loop, for other threads and other loops.
public struct LoopHandle: Sendable {
    /// From 0 to the number of loops.
    public let index: Int
    /// What it has counted.
    public let counters: LoopCounters
    let inbox: Inbox

    /// Messages and connections of other threads that wait for the loop.
    public var waitingCount: Int { inbox.count }

    /// Has the loop's service receive `value`, behind what the same thread posted before; dropped once the loop has
    /// ended.
    public func post(_ value: any Sendable) { inbox.post(value) }
}
