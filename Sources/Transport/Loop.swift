import Cryptography
import Glibc
import Threads
import WebProtocols

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
    let buffers = LoopBuffers()
    let deflater = Deflater()
    let pool = SendPool()
    let frames: FrameReceiver
    var alarms = TimerHeap()
    private var time: LoopTime
    /// In ms, as of this turn. For everything but the service's timers.
    var now: Milliseconds { time.now }
    /// In the format of a Date field (RFC 9110 section 5.6.7).
    var date: String { dateText.at(second: context.now / 1_000) }

    var work = LoopWork()
    var handshakes: [FinishedHandshake] = []
    /// Bytes that wait for blocked sockets.
    var waiting = WaitingBytes()
    private var spare: [Connection] = []

    var handshakesLeft = TransportOptions.handshakesPerTurn
    private var connections = ConnectionTable()
    private(set) lazy var clients = ClientConnections(on: self)
    private var acceptor: Acceptor?
    private var dateText = DateText()
    private(set) var isStopping = false
    private var stopAt = Milliseconds.max
    private var hasEnded = false

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
        time = LoopTime(steady: SteadyClock.now().inMilliseconds)
        context = LoopContext(index: part.index, loops: shared.handles, now: shared.clock.now())
        service = shared.makeService(context)
        frames = FrameReceiver(service, counters, inflater)
        guard epoll.add(inbox.wakeUp.number, for: Epoll.input, token: Loop.inboxToken) else {
            throw .system(call: "epoll_ctl", code: errno)
        }
        context.clients = clients
        if !part.listeners.isEmpty {
            acceptor = Acceptor(part.listeners, shared: shared, counters: counters)
            acceptor?.listen(on: epoll, now: now)
        }
    }

    func run() {
        while !hasEnded { turn() }
        for connection in connections.all { connection.cut() }
        clients.abortAll()
        reportGone()
        clients.reportToDelegates()
        service.turnEnded()
        flushDirty()
    }

    private func turn() {
        let ended = SteadyClock.now()
        let worked = time.passed(steady: ended.inMilliseconds)
        let wait = timeToWait(after: worked)
        if !handshakes.isEmpty { countHandshakes(until: ended) }
        let count = epoll.wait(milliseconds: wait)
        beginTurn(lastEnded: ended, worked: worked, wait: wait)
        handshakesLeft = TransportOptions.handshakesPerTurn
        frames.startTurn()
        resumeDeferred()
        var hasPost = false
        for index in 0..<count {
            let event = epoll.event(at: index)
            if event.token == Loop.inboxToken {
                hasPost = true
            } else if let connection = connections[event.token] {
                connection.handleEvents(event.flags)
            } else if let client = clients[event.token] {
                client.handleEvents(event.flags)
            } else {
                acceptor?.accept(event.token, on: self)
            }
        }
        if hasPost { takeInbox() }
        fireTimers()
        resumeAll()
        reportGone()
        if !work.clients.isEmpty { clients.reportToDelegates() }
        service.turnEnded()
        sendDepartures()
        flushDirty()
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
        recordTurn(TurnTime(began: steady, lastEnded: lastEnded), after: wait)
        context.now = now
        service.turnBegan(stoodStillSince: since)
    }

    /// Until the next timer; 0 if something is left from the last turn.
    private func timeToWait(after worked: Milliseconds) -> Milliseconds {
        guard work.isEmpty else { return 0 }
        let steady = min(alarms.next ?? .max, acceptor?.pausedUntil ?? .max, stopAt)
        var wait = TransportOptions.longestWait
        if steady < .max { wait = min(wait, steady - now) }
        if let next = context.timers.next { wait = min(wait, next - context.now) }
        // Both times are as of the turn's start.
        return max(0, wait - worked)
    }

    // MARK: Messages from other threads

    private func takeInbox() {
        let contents = inbox.takeContents()
        for arrival in contents.arrivals { admit(arrival) }
        for lookUp in contents.lookUps { clients.finishLookUp(lookUp) }
        for job in contents.jobs { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
        if !contents.posted.isEmpty { service.postsArrived(contents.posted) }
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
        guard arrival.stream.register(for: Epoll.input, token: token, with: epoll) else {
            return connections.release(token)
        }
        counters.connections.set(connections.count)
        if arrival.upgrade == nil, arrival.peer.isTLS,
            let server = arrival.peer.door == .nodes ? shared.nodeTLS : shared.tls
        {
            arrival.stream.tls = server.session(at: context.now)
            // Dropping the arrival closes its socket.
            guard arrival.stream.tls != nil else { return release(token) }
        }
        let connection = Connection(on: self, token: token, arrival: arrival)
        connections.fill(token, with: connection)
        if let upgrade = arrival.upgrade {
            connection.stream.enqueue(arrival.unsent, on: self)
            if arrival.unread.isEmpty == false || arrival.place != nil {
                (connection.madeRare.unread, connection.madeRare.place) = (arrival.unread, arrival.place)
            }
            return open(connection, upgrade)
        }
        let isProxy = arrival.peer.door != .nodes && options.trustedProxies.contains(arrival.peer.address)
        connection.exchange = Exchange(
            limits: options.httpLimits, accepted: arrival.accepted, refusal: arrival.refusal,
            proxy: isProxy ? arrival.peer : nil)
        arrival.stream.isConnecting = arrival.stream.tls != nil
        connection.startPhase(arrival.stream.isConnecting ? .handshake : .request)
    }

    private func open(_ connection: Connection, _ upgrade: Upgrade) {
        connection.isKnown = true
        connection.compression = upgrade.compression
        connection.startPhase(.webSocket)
        if connection.queuedBytes > 0 { connection.markDirty() }
        service.webSocketOpened(connection, for: upgrade.purpose)
        resumeIfPossible(connection)
    }

    func release(_ token: UInt64) {
        connections.release(token)
        counters.connections.set(connections.count)
        if !waiting.isEmpty { recordWaiting(0, for: token) }
    }

    // MARK: Time

    private func fireTimers() {
        // Most turns have none due, and looking costs less than a call that may change the timers.
        if let next = context.timers.next, next <= context.now {
            let bound = context.timers.bound
            while let token = context.timers.popDue(at: context.now, before: bound) { service.timerFired(token) }
        }
        if let next = alarms.next, next <= now {
            let bound = alarms.bound
            while let alarm = alarms.popDue(at: now, before: bound) {
                let timed: (any StreamConnection)? = connections[alarm.token] ?? clients[alarm.token]
                timed?.wake(for: alarm.time)
            }
        }
        if let acceptor, let until = acceptor.pausedUntil, until <= now, !isStopping {
            acceptor.listen(on: epoll, now: now)
        }
    }

    // MARK: The turn's end

    private func reportGone() {
        for connection in work.gone.takeAll() {
            // Frees a partial message, which nothing will complete.
            connection.decoder = MessageDecoder(limits: MessageLimits())
            service.connectionClosed(connection)
        }
    }

    private func sendDepartures() {
        for departure in work.leaving.takeAll() {
            if departure.target.index != context.index {
                departure.leave()
            } else {
                departure.stay()
                open(departure.connection, departure.upgrade)
            }
        }
    }

    private func flushDirty() {
        if !work.dirty.isEmpty {
            swap(&work.dirty, &spare)
            for connection in spare { connection.flush() }
            spare.removeAll(keepingCapacity: true)
        }
        for client in work.clients.dirty.takeAll() { client.flush() }
        // Output written during this flush is sent in the next turn.
        if work.isFlushed { pool.endTurn() }
        // Then a share of the audience. Other connections' next output is sent before the rest of it.
        guard !work.dirtyLast.isEmpty else { return }
        spare += work.dirtyLast.prefix(TransportOptions.servedLastPerTurn)
        work.dirtyLast.removeFirst(spare.count)
        for connection in spare { connection.flush() }
        spare.removeAll(keepingCapacity: true)
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        stopAt = now + times.shutdown
        acceptor?.unlisten(on: epoll)
        service.serverStopping()
        for connection in connections.all { connection.shutDown() }
        clients.shutDown()
    }
}

/// What a turn leaves to do. Each list is taken whole: entries added while it is processed belong to the next turn,
/// which then does not wait. One value, so that Swift checks one access to it, not one to each list.
struct LoopWork {
    var dirty: [Connection] = []
    var dirtyLast: [Connection] = []
    var leaving: [Departure] = []
    var gone: [Connection] = []
    /// Those that continue with bytes read earlier, in this turn or in the next.
    var resuming: [Connection] = []
    /// Those that take their share of the next turn.
    var deferred: [Connection] = []
    var clients = ClientWork()

    var isFlushed: Bool { dirty.isEmpty && clients.dirty.isEmpty }
    var isEmpty: Bool {
        dirty.isEmpty && dirtyLast.isEmpty && leaving.isEmpty && gone.isEmpty && resuming.isEmpty && deferred.isEmpty
            && clients.isEmpty
    }
}

extension Array {
    /// Empties the list, so that entries added while its old ones are processed belong to the next turn.
    mutating func takeAll() -> [Element] {
        guard !isEmpty else { return [] }
        defer { self = [] }
        return self
    }
}
