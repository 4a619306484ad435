import EventStore
import Hub
import Records
import ReferenceModel
import Transport
import WebProtocols

/// One or more hubs and everything around them, in one thread: the log, machines with their clocks, clients with their
/// connections, and faults. An agenda orders what happens by time, and everything follows from a seed.
final class World {
    /// A task on the agenda. `index`: the loop, person, fault or node.
    enum Task: UInt8 {
        case loop, log, computers, rows, act, arrive, life, fault, heal, quiet, rest, boot, poll, end, line, lease,
            abandoned, failOver
    }

    let settings: WorldSettings
    /// Microseconds since the world began, as the machine's uptime.
    private(set) var now = 0
    private var agenda = TimerHeap()
    let disk = SimulatedDisk()
    let databaseMachine = SimulatedMachine(ahead: 0)
    let nodes: [SimulatedNode]
    private(set) lazy var lines = NodeLines(in: self)
    let random: SimulatedRandom
    let logLines = LogLines()
    let model = HubModel()
    let trace: Trace?
    var people: [Person] = []
    private(set) var players: [String: Person] = [:]
    /// Codes of all rooms that were opened.
    var rooms: [String] = []
    var delays: Choices
    private(set) lazy var fates = Faults(in: self)
    var digest = RunDigest()
    var counts = Counts()
    /// How many changes of the log have been noted.
    var notedChanges = 0
    /// The run that has claimed each stream, and the number of changes at the last look.
    var claims: [StreamName: String] = [:]
    var claimChanges = 0
    var lastLink = 0
    var lastRequest = 0
    private(set) var steps = 0
    var otherCommits = 0
    /// Those that the hub still has.
    var links: [Int: Link] = [:]
    /// On their way to a loop of the hub.
    var arrivals: [UInt32: (Arrival, Int, HubProcess)] = [:]
    var lastArrival: UInt32 = 0
    let whims: Whims
    let openings = Openings()
    let accounts = AccountWhims()
    private(set) var failure: BrokenPromise?

    init(_ settings: WorldSettings, trace: Trace? = nil) {
        (self.settings, self.trace) = (settings, trace)
        random = SimulatedRandom(Choices(seed: settings.seed, part: 1))
        delays = Choices(seed: settings.seed, part: 2)
        var clocks = Choices(seed: settings.seed, part: 3)
        let older = NodeRelease.older(by: settings)
        nodes = (0..<settings.hubs).map { node in
            let machines = (0..<settings.machines).map { index in
                SimulatedMachine(ahead: node + index == 0 ? 0 : clocks.number(in: -3_600_000...3_600_000))
            }
            return SimulatedNode(node, on: machines, older: older)
        }
        whims = Whims(favourites: settings.favourites.compactMap(Whims.Whim.init(rawValue:)))
        for number in settings.people { people.append(Person(number, in: self)) }
    }

    /// Runs until so many steps are done, or a promise is broken.
    func run() {
        for node in nodes { boot(node) }
        for person in people { person.act(after: delays.number(in: 0...2_000_000)) }
        fates.scheduleFaults()
        schedule(.life, after: 1_000_000)
        while steps < settings.steps, failure == nil, let entry = agenda.popDue(at: .max) {
            steps += 1
            now = max(now, entry.time)
            for node in nodes { for machine in node.machines { machine.boot = now * 1_000 } }
            if isCluster { databaseMachine.boot = now * 1_000 }
            runTask(entry.token)
            checkLogLines()
            if let broken = model.broken { failure = broken }
        }
    }

    func breakReferenceCycles() {
        for process in processes { process.die(performed: 0, tearing: false) }
        for number in links.keys.sorted() { links[number]?.loseHub() }
        for person in people { person.releaseDevices() }
        for node in nodes { node.process = nil }
        (people, players, links, arrivals) = ([], [:], [:], [:])
    }

    func fail(_ rule: String, _ detail: String) { if failure == nil { failure = BrokenPromise(rule, detail) } }

    // MARK: The agenda

    func schedule(_ task: Task, after span: Int, index: Int = 0) { schedule(task, at: now + span, index: index) }

    func schedule(_ task: Task, at time: Int, index: Int = 0) {
        agenda.insert(UInt64(task.rawValue) << 32 | UInt64(UInt32(index)), at: max(now, time))
    }

    private func runTask(_ token: UInt64) {
        let index = Int(token & 0xFFFF_FFFF)
        guard let task = Task(rawValue: UInt8(token >> 32)) else { preconditionFailure("it was scheduled") }
        digest.add(Int(token))
        digest.add(now)
        switch task {
        case .loop: nodes[index >> 8].process?.turnIfDue(index & 0xFF)
        case .log: nodes[index].process?.runLog()
        case .computers: nodes[index].process?.runComputers()
        case .rows:
            disk.rows.runCalls(1)
            if disk.rows.lags { schedule(.rows, after: delays.number(in: 1...20_000)) }
        case .act: people[index].actIfDue()
        case .arrive: arrive(UInt32(index))
        case .life:
            for process in processes { process.showLife() }
            checkTime()
            if delays.chance(1, in: 20) { disk.syncRows() }
            schedule(.life, after: 1_000_000)
        case .fault: fates.strike(index)
        case .heal: fates.heal(index)
        case .quiet: fates.beginQuiet()
        case .rest: fates.endQuiet(attempt: index)
        case .boot: boot(nodes[index])
        case .poll: nodes[index].process?.poll()
        case .end: nodes[index & 0xFF].process.map { endProcess($0, boot: index >> 8) }
        case .line: lines.heal(index)
        case .lease: nodes[index].process?.database?.leases?.runOldestCall()
        case .abandoned:
            disk.storage.endAbandonedTransactions(committing: delays.chance(1, in: 2))
            noteRecords()
        case .failOver: fates.failOver(index)
        }
        // What loops have posted to one another.
        for node in nodes { node.process?.turnAll() }
    }

    // MARK: The hub

    func boot(_ node: SimulatedNode) {
        guard node.process == nil else { return }
        // The operator tries again.
        guard now >= node.cutOffUntil else { return schedule(.boot, after: 1_000_000, index: node.index) }
        if node.machines.count > 1 { node.machine = delays.element(of: node.machines) }
        do {
            node.boots += 1
            if fates.isUpgrading { node.older = nil }
            trace("\(node.name) boots")
            let begun = try HubProcess(in: self, at: node, loops: settings.loops)
            node.process = begun
            noteRecords()
            if isCluster {
                model.nodeStarted(
                    node: node.name, run: begun.hub.run, lacking: node.older ?? NodeRelease(), now: begun.now)
                schedule(.poll, after: delays.number(in: 0...500_000), index: node.index)
            } else {
                model.hubStarted(loops: settings.loops, lastPlayed: disk.lastSignOfLife, now: begun.now)
            }
            counts.reach.expect(begun.eventTypes)
            counts.starts += 1
            for loop in begun.loops.indices { begun.turn(loop) }
        } catch { fail("a hub starts again", "\(error)") }
    }

    /// When a replica last replaced the database.
    var lastFailOver = Int.min / 2
    /// When a process last died, and how long others may not know of it, in microseconds.
    var lastDeath = Int.min / 2
    private static let lossTime = 12_000_000

    /// The process is gone. `performed` and `tearing`: see `HubProcess.die`.
    func crash(_ process: HubProcess, performed: Int, tearing: Bool = false, downtime: Int) {
        let requests = process.exchanges.keys.sorted()
        trace("\(process.node.name) dies")
        lastDeath = now
        if isCluster { process.node.refuses = delays.chance(1, in: 2) }
        process.die(performed: performed, tearing: tearing)
        process.node.process = nil
        if isCluster { noteRecords() }
        let gone = links(of: process)
        for link in gone {
            link.loseHub()
            links[link.number] = nil
        }
        arrivals = arrivals.filter { $0.value.2 !== process }
        if isCluster {
            lines.processEnded(process)
            model.nodeDied(node: process.node.name, connections: gone.map(\.number), requests: requests)
        } else {
            model.hubDied()
        }
        schedule(.boot, after: downtime, index: process.node.index)
    }

    /// The process of a node ends by itself, because it has left or was declared lost.
    private func endProcess(_ process: HubProcess, boot: Int) {
        guard process.node.boots == boot else { return }
        if let downtime = process.downtime { return close(process, downtime: downtime) }
        crash(process, performed: 0, downtime: delays.number(in: 1_000...3_000_000))
    }

    /// Stops the process; one of several hands on first what it serves.
    func stop(_ process: HubProcess, downtime: Int) {
        guard isCluster else { return close(process, downtime: downtime) }
        guard process.downtime == nil else { return }
        process.leave(downtime: downtime)
        // As in the program: what cannot be handed on in time is taken over.
        schedule(.end, after: 3_000_000, index: process.node.boots << 8 | process.node.index)
    }

    private func close(_ process: HubProcess, downtime: Int) {
        for loop in process.loops.indices { process.loopStopping(loop) }
        process.finishLog()
        if !isCluster { disk.rows.close() }
        for link in links(of: process) { closedByHub(link, code: 1012) }
        process.showLife()
        crash(process, performed: 0, downtime: downtime)
    }

    private var serving: [HubProcess] { processes.filter { $0.isServing && model.serves($0.node.name) } }
    /// The earliest time of all serving processes; nil if none serves.
    private var servedTime: Int? { serving.map(\.turnedAt).min() }
    /// Something keeps hubs from their work, including those whose loops are blocked.
    func hinder() {
        for process in serving { model.timePassed(to: process.now, of: process.node.name) }
        model.hubHindered()
    }

    /// Everything due has been done, unless something hinders the hub.
    private func checkTime() {
        guard let time = servedTime else { return }
        if isCluster { lines.checkWay() }
        if isCluster, now < lastDeath + Self.lossTime { hinder() }
        if processes.count < nodes.count || processes.contains(where: \.isHindered) || disk.rows.lags || fates.slowsLog
            || lines.isHindered || isCluster && model.areNodesUnsettled
        {
            hinder()
        }
        model.loopsTurned(at: time)
    }

    /// Faults ended a while ago, so everything that waited has proceeded.
    ///
    /// - Parameter attempt: how often it was put off because something was under way.
    func rest(_ attempt: Int) -> Bool {
        for process in processes { process.showLife() }
        guard let time = servedTime else { return processes.isEmpty }
        guard arrivals.isEmpty, !processes.contains(where: \.isBusy), !disk.rows.isBusy else {
            if attempt >= Self.restLimit { fail("a hub comes to rest", "something is always under way") }
            return false
        }
        counts.rests += 1
        model.cameToRest(at: time)
        return true
    }

    /// Milliseconds in which something may be under way again and again.
    private static let restLimit = 10_000

    /// The person to whom the hub's id of a player belongs.
    func people(named id: String, is person: Person?) { players[id] = person }

    /// A loop turns when its timer is due.
    func wake(_ loop: Int, of process: HubProcess, at hubTime: Int) {
        // While hub time is slewed, the timer comes nearer in steps. An early turn changes nothing.
        process.schedule(loop, at: now + max(0, hubTime - process.now) * 1_000)
    }

    func logLatency(of process: HubProcess) -> Int { fates.logLatency(of: process, &delays) }

    /// Loops in a random order.
    func order(of count: Int) -> [Int] {
        if count == 1 { return [0] }
        let first = delays.number(below: count)
        return (0..<count).map { ($0 + first) % count }
    }
}

extension Frame {
    /// Whether it is a recorded event, which begins with its version.
    var isEvent: Bool { bytes[payloadStart + 2] == UInt8(ascii: "v") }
}
