import Cluster
import EventStore
import Hub
import Rooms
import Transport
import WebProtocols

/// One run of a hub, from its start to its death: its loops with their queues, and its log.
final class HubProcess: HubDriver {
    unowned let world: World
    unowned let node: SimulatedNode
    let loops: [SimulatedLoop]
    /// Nil until it has started. Until then its posts wait.
    private var started: DrivenHub?
    /// Jobs for its computers, in order.
    private var thoughts: [() -> Void] = []
    private var isThinking = false
    private var isLogAwake = false
    private(set) var takesWrites = true
    /// How long it is down after leaving, in microseconds; nil if it was not told to leave.
    var downtime: Int?
    /// Its way to the database, if there is one.
    let database: SimulatedDatabase?
    /// World time until which the database is slow.
    var lateUntil = 0
    var isDatabaseLost = false
    /// By its clock, when the database was last lost.
    var databaseLostAt: Int?
    /// World time at which all of it was blocked, and what to do when that ends.
    var frozenSince: Int?
    var deferred: [() -> Void] = []
    /// Whether it still runs.
    private(set) var isAlive = true
    /// By its clock, when a loop last turned while it served.
    private(set) var turnedAt = 0
    var isServing: Bool
    /// Whether clients may come: until it is told to leave.
    var takesClients: Bool { isServing && downtime == nil && !hasLostClients }
    /// Whether a balancer has given it up.
    var hasLostClients = false
    /// The runs of nodes that it needs links to, by their names.
    var others: [String: String] = [:]

    /// Whether it needs a link to the run that is there now.
    func wants(_ other: HubProcess) -> Bool { others[other.node.name] == other.hub.run }

    /// The same start as the program's, with the same errors.
    init(in world: World, at node: SimulatedNode, loops count: Int) throws {
        (self.world, self.node, isServing) = (world, node, !world.isCluster)
        loops = (0..<count).map { _ in SimulatedLoop() }
        var transport = TransportOptions(addresses: [])
        transport.loops = count
        var options = HubOptions(transport: transport)
        // Games are few here, so some homes keep a snapshot of each.
        if (world.settings.seed &+ UInt64(node.index)) % 2 == 0 { options.limits.snapshotDistance = 1 }
        if let older = node.older {
            options.eventsLeftOut = older.events
            options.games.removeAll { older.games.contains($0.name) }
        }
        if let address = NodeAddress("http://\(node.name)"), let key = ClusterKey(Array("the world's own key".utf8)) {
            options.node = NodeOptions(name: node.name, links: NodeLinkOptions(address: address, key: key))
        }
        database = world.isCluster ? SimulatedDatabase(world.disk, on: world.databaseMachine) : nil
        let storage: any HubStorage = database ?? world.disk
        started = try DrivenHub(
            options, storage: storage, time: node.machine, random: world.random, driver: self,
            logger: world.logLines.logger)
        log.pace = .stepped
        database?.leases?.process = self
    }

    var hasStarted: Bool { started != nil }

    var hub: DrivenHub {
        guard let started else { preconditionFailure("nothing is asked of a hub before it has started") }
        return started
    }

    var log: InMemoryLog {
        guard let log = hub.log as? InMemoryLog else { preconditionFailure("a simulated disk has its log in memory") }
        return log
    }

    var now: Int { hub.now }
    var eventTypes: [String] { hub.eventTypes }

    // MARK: What the hub asks for

    func post(_ letter: HubLetter, to loop: Int) {
        guard isAlive else { return }
        if loops[loop].isPostHeld { return loops[loop].held.append(letter) }
        loops[loop].letters.append(letter)
    }

    func arm(_ timer: UInt64, at time: Int, on loop: Int) { loops[loop].timers.arm(timer, at: time) }
    func cancel(_ timer: UInt64, on loop: Int) { loops[loop].timers.cancel(timer) }

    func think(_ work: @escaping () -> Void) {
        thoughts.append(work)
        guard !isThinking, isAlive else { return }
        isThinking = true
        world.schedule(.computers, after: world.delays.number(in: 200...3_000), index: node.index)
    }

    func runComputers() {
        guard !isFrozen else { return deferred.append { [self] in runComputers() } }
        isThinking = false
        let work = thoughts
        thoughts.removeAll(keepingCapacity: true)
        for thought in work { thought() }
    }

    // MARK: Connections

    var exchanges: [Int: HTTPExchange] = [:]

    func requestArrived(_ exchange: HTTPExchange, on loop: Int) {
        hub.requestArrived(exchange.request, on: loop, exchange)
    }

    func open(_ link: Link, for purpose: WebSocketPurpose) -> (any HubConnection)? {
        hub.opened(link, for: purpose, on: link.loop)
    }

    // MARK: Loops

    /// The loop turns at this time of the world, if it does not do so before.
    func schedule(_ loop: Int, at time: Int) {
        guard time < loops[loop].wakesAt else { return }
        loops[loop].wakesAt = time
        world.schedule(.loop, at: time, index: node.index << 8 | loop)
    }

    func turnIfDue(_ loop: Int) {
        // An earlier wake-up has replaced this one.
        guard loops[loop].wakesAt <= world.now else { return }
        loops[loop].wakesAt = .max
        guard let next = loops[loop].timers.next else { return }
        if next <= hub.now { turn(loop) } else { world.wake(loop, of: self, at: next) }
    }

    /// Something has arrived over a connection.
    func deliverArrival(_ arrival: Arrival, on loop: Int) {
        loops[loop].arrivals.append(arrival)
        turn(loop)
    }

    /// A turn of a loop, unless it is blocked: handles all arrivals, and timers that are due.
    func turn(_ index: Int) {
        let loop = loops[index]
        guard isAlive, !loop.isBlocked, !loop.isTurning else { return }
        loop.isTurning = true
        defer { if isAlive { loop.isTurning = false } }
        let (world, hub) = (world, hub)
        for _ in 0..<Self.roundLimit {
            let now = hub.turnBegan(index, steady: world.now * 1_000, stoodStillSince: loop.takeBlockedSince())
            world.model.timePassed(to: now, uptime: world.now / 1_000, of: node.name, isServing: isServing)
            if isServing { turnedAt = now }
            for arrival in loop.takeArrivals() { deliver(arrival, on: index) }
            for letter in loop.takeLetters() { letterArrived(letter, on: index) }
            let bound = loop.timers.bound
            while let timer = loop.timers.popDue(at: now, before: bound) { hub.fired(timer, on: index) }
            hub.turnEnded(index)
            if !loop.hasWork || !isAlive { break }
        }
        if loop.hasWork { world.fail("a hub comes to rest", "loop \(index) keeps posting to itself") }
        wakeLog()
        if let next = loop.timers.next { world.wake(index, of: self, at: next) }
    }

    private func deliver(_ arrival: Arrival, on loop: Int) {
        switch arrival {
        case .request(let exchange): wakingNone { world.requestArrived(exchange, by: self, on: loop) }
        case .cut(let exchange): exchange.cut()
        case .opened(let link, let purpose): world.linkOpened(link, for: purpose, by: self)
        case .message(let link, let bytes): world.messageArrived(bytes, from: link, by: self)
        case .drained(let link): link.end?.drained()
        case .closed(let link): world.linkClosed(link, by: self)
        case .node: break
        }
    }

    func standStill(_ loop: Int) {
        guard !loops[loop].isBlocked else { return }
        loops[loop].isBlocked = true
        world.trace("\(node.name) loop \(loop) blocks")
        loops[loop].blockedSince = hub.now
    }

    func resumeLoop(_ loop: Int) {
        guard loops.indices.contains(loop), loops[loop].isBlocked, !isFrozen else { return }
        loops[loop].isBlocked = false
        world.trace("\(node.name) loop \(loop) continues")
        // As in the transport, where a second is not a stall yet.
        if let since = loops[loop].blockedSince, hub.now - since <= LoopContext.stallLimitMilliseconds {
            loops[loop].blockedSince = nil
        }
        if world.isCluster, let since = loops[loop].blockedSince {
            world.model.wasStopped(node.name, loop: (loop, loops.count), from: since, to: hub.now)
        }
        turn(loop)
    }

    /// From now on, posts of others to a loop are late.
    func holdPost(_ loop: Int) { loops[loop].isPostHeld = true }

    func releasePost(_ loop: Int) {
        guard loops.indices.contains(loop) else { return }
        loops[loop].isPostHeld = false
        loops[loop].letters += loops[loop].held
        loops[loop].held = []
        turn(loop)
    }

    /// An empty turn of each loop, as idle ones do twice a second, then the note of the last sign of life.
    func showLife() {
        for index in loops.indices { turn(index) }
        let played = hub.lastPlayed
        if played > 0, !world.isCluster { world.disk.recordSignOfLife(at: played) }
    }

    // MARK: The log

    func wakeLog() {
        guard !isLogAwake, isAlive, log.waiting > 0 else { return }
        isLogAwake = true
        world.schedule(.log, after: world.logLatency(of: self), index: node.index)
    }

    /// The log performs all waiting calls.
    func runLog() {
        guard !isFrozen else { return deferred.append { [self] in runLog() } }
        isLogAwake = false
        for _ in 0..<log.waiting {
            if !isDatabaseLost { world.fates.strikeNextCall(of: log, in: self) }
            log.step()
            world.noteRecords(by: hub.run)
        }
        turnAll()
        wakeLog()
    }

    func loopStopping(_ loop: Int) {
        turn(loop)
        hub.stopping(loop)
        hub.turnEnded(loop)
    }

    /// Whether anything is under way in it.
    var isBusy: Bool { !thoughts.isEmpty || log.waiting > 0 || loops.contains { $0.hasWork || !$0.held.isEmpty } }

    /// All calls that wait for the log are done and answered.
    func finishLog() {
        for _ in 0..<1_000 where log.waiting > 0 { runLog() }
    }

    func stopWrites() {
        takesWrites = false
        log.stopWrites(.cannotWrite(reason: "simulated"))
        turnAll()
    }

    func resumeWrites() {
        takesWrites = true
        log.resumeWrites()
        turnAll()
    }

    /// Turns all loops with posts until none is left.
    func turnAll() {
        for _ in 0..<Self.roundLimit {
            guard loops.contains(where: { $0.hasWork && !$0.isBlocked }) else { return }
            for index in world.order(of: loops.count) where loops[index].hasWork { turn(index) }
        }
        world.fail("a hub comes to rest", "its loops keep posting to one another")
    }

    private static let roundLimit = 10_000

    /// The process dies. Before that, `performed` calls of the log are done without anyone knowing, and the next append
    /// may be partly written. The next process finds out when it opens the log.
    func die(performed: Int, tearing: Bool) {
        isAlive = false
        log.crash(after: performed, tearing: tearing)
        thoughts = []
        for number in exchanges.keys.sorted() { exchanges[number]?.breakOff() }
        hub.discard()
        started = nil
    }
}
