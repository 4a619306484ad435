import Cryptography
import Glibc
import Threads
import WebProtocols

/// A connection that leaves its loop at the turn's end.
struct Departure {
    let connection: Connection
    let target: LoopHandle
    let upgrade: Upgrade
}

/// Everything that lives on one loop, and its turns: wait, events, inbox, timers, ends, flush.
final class Loop {
    let options: TransportOptions
    let times: TimeLimits
    let shared: SharedState
    let inbox: Inbox
    let counters: LoopCounters
    let executor: LoopExecutor
    let context: LoopContext
    let service: any LoopService
    let epoll: Epoll
    let buffers = LoopBuffers(
        heldBytes: TLSSession.heldBytes, recordBytes: TLSSession.recordBytes, overheadBytes: TLSSession.overheadBytes)
    let deflater = Deflater()
    let inflater: Inflater
    let pool: SendPool
    var alarms = TimerHeap()
    private var time: LoopTime
    /// In ms, as of this turn. For everything but the service's timers.
    var now: Milliseconds { time.now }
    /// In the format of a Date field (RFC 9110 section 5.6.7).
    var date: String { dateText.at(second: context.now / 1_000) }

    // Each list is taken whole. Entries added while it is processed belong to the next turn, which then does not wait.
    var dirty: [Connection] = []
    var dirtyLast = ConnectionQueue()
    var resuming: [Connection] = []
    var deferred: [Connection] = []
    var leaving: [Departure] = []
    var gone: [Connection] = []
    /// Counted when the turn has ended.
    var handshakes: [FinishedHandshake] = []
    /// Bytes that wait for blocked sockets.
    var waiting = WaitingBytes()
    private var spare: [Connection] = []

    var handshakesLeft = TransportOptions.handshakesPerTurn
    /// The inflater's limit for this turn.
    var inflationEnd = TransportOptions.inflatedBytesPerTurn
    private var connections = ConnectionTable()
    private(set) lazy var clients = ClientConnections(on: self)
    private var acceptor: Acceptor?
    private var dateText = DateText()
    private(set) var isStopping = false
    private var stopAt = Milliseconds.max
    private var hasEnded = false

    /// The inbox's token, which no connection has.
    static let inboxToken = UInt64.max

    init(_ part: LoopPart, shared: SharedState, executor: LoopExecutor) throws(TransportError) {
        options = shared.options
        times = TimeLimits(shared.options)
        self.shared = shared
        self.executor = executor
        counters = shared.handles[part.index].counters
        inbox = executor.inbox
        epoll = try Epoll()
        guard let inflater = Inflater() else { throw .system(call: "inflateInit2", code: ENOMEM) }
        self.inflater = inflater
        pool = SendPool(turn: buffers.turn)
        time = LoopTime(steady: SteadyClock.now().inMilliseconds)
        context = LoopContext(index: part.index, loops: shared.handles, now: shared.clock.now())
        service = shared.makeService(context)
        guard epoll.add(inbox.wakeUp.number, for: Epoll.input, token: Loop.inboxToken) else {
            throw .system(call: "epoll_ctl", code: errno)
        }
        context.clients = clients
        if !part.listeners.isEmpty {
            acceptor = Acceptor(part.listeners, shared: shared, counters: counters)
            acceptor?.listen(on: epoll, now: now)
        }
    }

    /// Turns until the server stops.
    func run() {
        while !hasEnded { turn() }
        for connection in connections.all { connection.end() }
        clients.endAll()
        tellGone()
        clients.tellDelegates()
        flushDirty()
    }

    private func turn() {
        let ended = SteadyClock.now()
        let worked = time.passed(steady: ended.inMilliseconds)
        let wait = timeToWait(behind: worked)
        if !handshakes.isEmpty { countHandshakes(until: ended) }
        let count = epoll.wait(milliseconds: wait)
        beginTurn(lastEnded: ended, worked: worked, wait: wait)
        handshakesLeft = TransportOptions.handshakesPerTurn
        inflationEnd = inflater.inflatedBytes + TransportOptions.inflatedBytesPerTurn
        resumeDeferred()
        var hasPost = false
        for index in 0..<count {
            let event = epoll.event(at: index)
            if event.token == Loop.inboxToken {
                hasPost = true
            } else if let connection = connections[event.token] {
                connection.ready(event.flags)
            } else if let client = clients[event.token] {
                client.ready(event.flags)
            } else {
                acceptor?.accept(event.token, on: self)
            }
        }
        if hasPost { takePost() }
        fireTimers()
        resumeAll()
        tellGone()
        if !clients.isIdle { clients.tellDelegates() }
        service.turnEnded()
        sendAway()
        flushDirty()
        if !clients.isIdle { clients.flush() }
        if isStopping, connections.count + clients.count == 0 || now >= stopAt { hasEnded = true }
    }

    /// The previous turn took `worked` ms, until `lastEnded`. The loop then waited for `wait` ms at most.
    private func beginTurn(lastEnded: Nanoseconds, worked: Milliseconds, wait: Milliseconds) {
        let now = shared.clock.now()
        let passed = now - context.now
        // Time in which nothing was due is not a stall.
        let isStalled = passed - max(0, min(wait, passed - worked)) > LoopContext.stallLimitMilliseconds
        let since = isStalled ? context.now : nil
        let steady = SteadyClock.now()
        time.turn(steady: steady.inMilliseconds, stoodStill: isStalled)
        begin(TurnTime(began: steady, lastEnded: lastEnded), behind: wait)
        context.now = now
        service.turnBegan(stoodStillSince: since)
    }

    /// Until the next timer; 0 if something is left from the last turn.
    private func timeToWait(behind worked: Milliseconds) -> Milliseconds {
        guard dirty.isEmpty, dirtyLast.isEmpty, resuming.isEmpty, deferred.isEmpty, leaving.isEmpty, gone.isEmpty,
            clients.isIdle
        else { return 0 }
        let steady = min(alarms.next ?? .max, acceptor?.pausedUntil ?? .max, stopAt)
        var wait = TransportOptions.longestWait
        if steady < .max { wait = min(wait, steady - now) }
        if let next = context.timers.next { wait = min(wait, next - context.now) }
        // Both times are as of the turn's start.
        return max(0, wait - worked)
    }

    // MARK: Messages from other threads

    private func takePost() {
        let contents = inbox.takeContents()
        for arrival in contents.arrivals { admit(arrival) }
        for lookUp in contents.lookUps { clients.lookedUp(lookUp) }
        for job in contents.jobs { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
        if !contents.posted.isEmpty { service.received(contents.posted) }
        if contents.isToStop { stop() }
    }

    /// Sends the connection to the loop of `target`, which may be this one.
    func send(_ arrival: Arrival, to target: LoopHandle) {
        if target.index == context.index { admit(arrival) } else { target.inbox.send(arrival) }
    }

    /// A new connection, or one that was upgraded on another loop.
    private func admit(_ arrival: Arrival) {
        guard !isStopping else { return }
        let token = connections.reserve()
        guard epoll.add(arrival.socket.number, for: Epoll.input, token: token) else {
            return connections.release(token)
        }
        counters.connections.set(connections.count)
        var tls = arrival.tls
        if arrival.upgrade == nil, arrival.peer.isTLS,
            let server = arrival.peer.door == .nodes ? shared.nodeTLS : shared.tls
        {
            tls = server.session(at: context.now)
            guard tls != nil else {
                epoll.remove(arrival.socket.number)
                return release(token)
            }
        }
        let connection = Connection(
            on: self, token: token, peer: arrival.peer, socket: arrival.socket, tls: tls,
            limits: arrival.upgrade?.limits ?? MessageLimits())
        connections.fill(token, with: connection)
        if let upgrade = arrival.upgrade {
            connection.arrive(with: arrival)
            open(connection, upgrade)
        } else {
            let isProxy = arrival.peer.door != .nodes && options.trustedProxies.contains(arrival.peer.address)
            connection.exchange = Exchange(
                limits: options.httpLimits, accepted: arrival.accepted, refusal: arrival.refusal,
                proxy: isProxy ? arrival.peer : nil)
            connection.startPhase(tls == nil ? .request : .handshake)
        }
    }

    /// A connection has become a WebSocket.
    private func open(_ connection: Connection, _ upgrade: Upgrade) {
        connection.flags.insert([.isKnown, .hasBegun])
        connection.compression = upgrade.compression
        connection.startPhase(.webSocket)
        if connection.queuedBytes > 0 { connection.markDirty() }
        service.opened(connection, for: upgrade.purpose)
        connection.resumeIfPossible()
    }

    func release(_ token: UInt64) {
        connections.release(token)
        counters.connections.set(connections.count)
        if !waiting.isEmpty { note(0, waitingFor: token) }
    }

    // MARK: Time

    private func fireTimers() {
        let serviceBound = context.timers.bound
        while let token = context.timers.popDue(at: context.now, before: serviceBound) { service.fired(token) }
        let bound = alarms.bound
        while let alarm = alarms.popDue(at: now, before: bound) {
            let timed: (any TimedConnection)? = connections[alarm.token] ?? clients[alarm.token]
            timed?.wake(for: alarm.time)
        }
        if let acceptor, let until = acceptor.pausedUntil, until <= now, !isStopping {
            acceptor.listen(on: epoll, now: now)
        }
    }

    // MARK: The turn's end

    /// Takes the list whole. Entries added while it is processed belong to the next turn.
    private func tellGone() {
        guard !gone.isEmpty else { return }
        let list = gone
        gone = []
        for connection in list {
            connection.forgetMessages()
            service.closed(connection)
        }
    }

    private func sendAway() {
        guard !leaving.isEmpty else { return }
        let list = leaving
        leaving = []
        for departure in list {
            if departure.target.index == context.index {
                departure.connection.stay(for: departure.upgrade)
                open(departure.connection, departure.upgrade)
            } else if let arrival = departure.connection.depart(for: departure.upgrade) {
                departure.target.inbox.send(arrival)
            }
        }
    }

    private func flushDirty() {
        if !dirty.isEmpty {
            swap(&dirty, &spare)
            for connection in spare { connection.flush() }
            spare.removeAll(keepingCapacity: true)
            // Output written during this flush is sent in the next turn.
            if dirty.isEmpty { pool.endTurn() }
        }
        // Then a share of the audience. Other connections' next output is sent before the rest of it.
        for _ in 0..<TransportOptions.servedLastPerTurn {
            guard let connection = dirtyLast.removeFirst() else { break }
            connection.flush()
        }
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        stopAt = now + times.shutdown
        acceptor?.unlisten(on: epoll)
        service.stopping()
        for connection in connections.all { connection.stop() }
        clients.stop()
    }
}
