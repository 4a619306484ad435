import Glibc
import Threads

/// Accepts connections from the listeners and deals them out to the loops in turn. It belongs to one loop. The kernel's
/// own ways of sharing a port among loops also share it with other processes, or give one loop most of the work.
final class Acceptor {
    private let listeners: [Listener]
    private let shared: SharedState
    private let counters: LoopCounters
    private var nextLoop = 0
    /// How many of the listeners, from the first on, epoll watches.
    private var heardCount = 0
    /// No connections are accepted until then, after descriptors or memory ran out.
    private(set) var pausedUntil: Milliseconds?

    init(_ listeners: [Listener], shared: SharedState, counters: LoopCounters) {
        self.listeners = listeners
        self.shared = shared
        self.counters = counters
    }

    /// The tokens just below the loop's own belong to listeners.
    private static func token(_ index: Int) -> UInt64 { Loop.inboxToken - 1 - UInt64(index) }

    /// Tries again a little later if the system has no memory for it.
    func listen(on epoll: borrowing Epoll, now: Milliseconds) {
        pausedUntil = nil
        while heardCount < listeners.count {
            guard epoll.add(listeners[heardCount].number, for: Epoll.input, token: Self.token(heardCount)) else {
                return pause(on: epoll, now: now)
            }
            heardCount += 1
        }
    }

    private func pause(on epoll: borrowing Epoll, now: Milliseconds) {
        counters.limits.add(.descriptors)
        unlisten(on: epoll)
        pausedUntil = now + TransportOptions.acceptPause
    }

    func unlisten(on epoll: borrowing Epoll) {
        for listener in listeners[..<heardCount] { epoll.remove(listener.number) }
        heardCount = 0
        pausedUntil = nil
    }

    /// Deals out the new connections of the listener with `token`, if it is a listener's. `loop` has the acceptor.
    func accept(_ token: UInt64, on loop: Loop) {
        let index = Loop.inboxToken - 1 &- token
        guard index < UInt64(listeners.count) else { return }
        let listener = listeners[Int(index)]
        for _ in 0..<TransportOptions.acceptsPerTurn {
            switch listener.acceptConnection() {
            case .connection(let number, let address):
                if let arrival = arrival(number, address, from: listener, on: loop) {
                    loop.send(arrival, to: shared.handles[nextLoop])
                    nextLoop = (nextLoop + 1) % shared.handles.count
                }
            case .nothing: return
            case .exhausted: return pause(on: loop.epoll, now: loop.now)
            }
            guard listener.hasMore else { return }
        }
    }

    private func arrival(
        _ number: Int32, _ address: SocketAddress, from listener: Listener, on loop: Loop
    ) -> Arrival? {
        let time = loop.context.turn.began
        let (host, proxies) = (address.host, shared.options.trustedProxies)
        // If no proxy is named, one may run on this machine, and then all its clients have its address. No one else can
        // have it.
        let isApart = listener.door == .nodes || listener.door == .operators
        let isExempt = isApart || (proxies.isEmpty ? host.isLoopback : proxies.contains(host))
        let peer = Peer(address: host, isTLS: listener.isTLS, isLimited: !isExempt, door: listener.door)
        var answer = (isApart ? shared.apartAdmission : shared.admission).enter(peer)
        if let refusal = answer.refusal { loop.count(refusal, of: peer) }
        guard let place = answer.place.take() else {
            close(number)
            return nil
        }
        return Arrival(
            stream: SocketStream(owning: number, place: place), peer: peer, accepted: time, refusal: answer.refusal)
    }
}
