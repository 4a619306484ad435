import EventStore

/// The faults of a hub and their times. Each kind has its own choices, so that leaving one kind out does not change
/// when the others strike.
final class Faults {
    unowned let world: World
    private let kinds: [FaultKind]
    private var choices: [Choices] = []
    /// Mean microseconds between two of a kind.
    private var pauses: [Int] = []
    private var quiet: Choices
    private(set) var isQuiet = false  // Nothing new strikes, so that all that waits can proceed.
    /// Kinds that struck recently, one bit each.
    private(set) var recent: UInt32 = 0
    /// Until when each kind is recent.
    private var recentUntil: [FaultKind: Int] = [:]

    // Faults ordered for the log's next calls.
    private var unanswered: InMemoryLog.Fault?
    private var overtakes = false
    private var fails = false
    private var misreads = false
    private var slowLogUntil = 0
    /// Microseconds after which the next request's connection ends.
    private var losesRequest: Int?
    private var losesRows: RowLoss?
    private var losesNote = false
    /// After the process has died and is back, microseconds for which no one comes, or all only watch.
    private var nextDesertion: Int?
    private var nextLull: Int?

    /// The replica that will take over, and whether the database is already out of reach.
    var replica: SimulatedReplica?
    var isPrimaryDead = false
    var lastReplica = 0
    /// World time at which each node reaches a database again.
    var returns: [Int] = []
    /// Whether all further starts are of the newest release.
    var isUpgrading = false

    private enum RowLoss { case all, newest }

    init(in world: World) {
        self.world = world
        kinds = FaultKind.allCases.filter { world.settings.faults.contains($0) && (world.isCluster || !$0.isOfNodes) }
        quiet = Choices(seed: world.settings.seed, part: 99)
        for kind in kinds {
            var choices = Choices(seed: world.settings.seed, part: 100 + UInt64(kind.rawValue))
            pauses.append(kind.usualPause << choices.number(in: 0...4))
            self.choices.append(choices)
        }
    }

    func scheduleFaults() {
        for index in kinds.indices { scheduleNext(index) }
        world.schedule(.quiet, after: quiet.number(in: 60...600) * 1_000_000)
    }

    private func scheduleNext(_ index: Int) {
        world.schedule(.fault, after: choices[index].number(in: 1...2 * pauses[index]), index: index)
    }

    // MARK: Striking

    func strike(_ index: Int) {
        scheduleNext(index)
        guard !isQuiet, let process = someProcess(&choices[index]) else { return }
        let kind = kinds[index]
        switch kind {
        case .cut, .slowReader, .slowLine: strikeLine(kind, &choices[index])
        case .slowPost, .stall: strikeLoop(kind, process, &choices[index])
        case .lostRequest: losesRequest = choices[index].number(in: 0...5_000)
        case .slowLog:
            let span = choices[index].number(in: 100...10_000) * 1_000
            slowLogUntil = world.now + span
            recordFault(kind, for: span)
        case .desertion, .lull: strikePeople(kind, &choices[index])
        case .failedAppend: fails = true
        case .unansweredAppend: unanswered = .outcomeUnknown(written: choices[index].chance(1, in: 2))
        case .failedReading: misreads = true
        case .conflict: overtakes = true
        case .logDown: stopWrites(process, for: choices[index].number(in: 1...30_000) * 1_000)
        case .crash, .restart: endProcess(process, isCrash: kind == .crash, &choices[index])
        case .clockStep:
            // Within half a day of the right time: a start refuses a clock that is further off.
            let hours = choices[index].number(in: -6 * 3_600_000...6 * 3_600_000)
            let machine = world.isCluster ? world.databaseMachine : process.node.machine
            let before = machine.wallOffset
            machine.wallOffset = SimulatedMachine.start + hours * 1_000_000
            if world.isCluster { world.model.databaseClockSet(by: (machine.wallOffset - before) / 1_000_000) }
            recordFault(kind)
        case .slowRows:
            let span = choices[index].number(in: 10...20_000) * 1_000
            world.disk.rows.lags = true
            world.schedule(.heal, after: span, index: Heal.rows.index(process.node))
            world.schedule(.rows, after: 1_000)
            recordFault(kind, for: span)
        case .lostRows:
            losesRows = choices[index].chance(1, in: 4) ? .all : .newest
            losesNote = choices[index].chance(1, in: 4)
        default: strikeNode(kind, process, &choices[index])
        }
    }

    private func someProcess(_ choices: inout Choices) -> HubProcess? {
        let processes = world.processes
        return processes.count > 1 ? choices.element(of: processes) : processes.first
    }

    /// A fault has struck for so many microseconds. It stays recent for a while after that.
    func recordFault(_ kind: FaultKind, for span: Int = 0) {
        if kind.hindersHub { world.hinder() }
        recent |= 1 << UInt32(kind.rawValue)
        let end = world.now + span + 5_000_000
        recentUntil[kind] = max(recentUntil[kind] ?? 0, end)
        world.schedule(.heal, at: end, index: kind.rawValue << 16)
        world.counts.faults[kind, default: 0] += 1
    }

    private func strikePeople(_ kind: FaultKind, _ choices: inout Choices) {
        let span = choices.number(in: 15...150) * 1_000_000
        // What a hub does without people matters most after a start.
        guard choices.chance(1, in: 4) else {
            if kind == .desertion { nextDesertion = span } else { nextLull = span }
            return
        }
        hold(kind, for: span)
    }

    private func hold(_ kind: FaultKind, for span: Int) {
        recordFault(kind, for: span)
        for person in world.people {
            if kind == .desertion {
                person.stayAway(until: world.now + span)
            } else {
                person.looksOnUntil = world.now + span
            }
        }
    }

    private func stopWrites(_ process: HubProcess, for span: Int) {
        process.stopWrites()
        world.schedule(.heal, after: span, index: Heal.log.index(process.node))
        recordFault(.logDown, for: span)
    }

    private func endProcess(_ process: HubProcess, isCrash: Bool, _ choices: inout Choices) {
        let downtime = choices.number(in: 1...20_000) * 1_000 * (choices.chance(1, in: 4) ? 60 : 1)
        // A process must run to notice that it is told to stop.
        guard isCrash || !process.isFrozen else { return }
        recordFault(isCrash ? .crash : .restart, for: downtime)
        if let span = nextDesertion { hold(.desertion, for: downtime + span) }
        if let span = nextLull { hold(.lull, for: downtime + span) }
        (nextDesertion, nextLull) = (nil, nil)
        if isCrash {
            let performed = choices.number(in: 0...3)
            world.crash(process, performed: performed, tearing: choices.chance(1, in: 3), downtime: downtime)
            // Several nodes have their rows in the database.
            if world.isCluster { losesRows = nil }
            if losesRows == .all { world.disk.dropRows() } else if losesRows == .newest { world.disk.loseRows() }
            if losesRows != nil { recordFault(.lostRows) }
            if losesNote { world.disk.loseNote() }
            (losesRows, losesNote) = (nil, false)
        } else {
            world.stop(process, downtime: downtime)
        }
    }

    // MARK: Healing

    /// Things that end by themselves, in the highest byte of an index on the agenda. Without one, a fault stops being
    /// recent.
    enum Heal: Int {
        case stall = 1
        case post, log, rows, database, freeze, balancer

        /// On the agenda, for the process that runs there now.
        func index(_ node: SimulatedNode, _ loop: Int = 0) -> Int {
            rawValue << 24 | node.index << 20 | (node.boots & 0xFFF) << 8 | loop
        }
    }

    func heal(_ index: Int) {
        guard let heal = Heal(rawValue: index >> 24) else { return forget(index) }
        let node = world.nodes[index >> 20 & 0xF]
        // A fault of a process that has died does not affect the next one.
        guard index >> 8 & 0xFFF == node.boots & 0xFFF else { return }
        world.hinder()
        switch heal {
        case .stall: node.process?.resumeLoop(index & 0xFF)
        case .post: node.process?.releasePost(index & 0xFF)
        case .log: node.process?.resumeWrites()
        case .rows: world.disk.rows.lags = false
        case .database: if world.now >= node.cutOffUntil { node.process?.regainDatabase() }
        case .freeze: node.process?.thaw()
        case .balancer: node.process?.loseClients()
        }
    }

    private func forget(_ index: Int) {
        guard let kind = FaultKind(rawValue: index >> 16 & 0xFF) else { return }
        if world.now >= recentUntil[kind] ?? 0 { recent &= ~(1 << UInt32(kind.rawValue)) }
    }

    // MARK: Quiet times

    /// Nothing new strikes until `endQuiet`, and present faults end.
    func beginQuiet() {
        isQuiet = true
        world.hinder()
        slowLogUntil = min(slowLogUntil, world.now)
        (fails, overtakes, misreads, unanswered) = (false, false, false, nil)
        losesRequest = nil
        for person in world.people {
            person.slowUntil = 0
            person.looksOnUntil = 0
            for device in person.devices { device.stuckUntil = 0 }
        }
        world.disk.rows.lags = false
        endFailOver()
        for node in world.nodes {
            node.cutOffUntil = 0
            world.boot(node)
        }
        for process in world.processes { process.heal() }
        world.lines.heal()
        // Half-open connections end within a minute.
        world.schedule(.rest, after: quiet.number(in: 70...120) * 1_000_000)
    }

    /// Everything that waits should have proceeded. `attempt` as in `World.rest`.
    func endQuiet(attempt: Int) {
        guard world.rest(attempt) else { return world.schedule(.rest, after: 1_000, index: attempt + 1) }
        recent = 0
        isQuiet = false
        world.schedule(.quiet, after: quiet.number(in: 60...600) * 1_000_000)
    }

    /// Microseconds after which a request's connection ends; nil if it stays.
    func takeLossOfRequest() -> Int? {
        guard let span = losesRequest else { return nil }
        losesRequest = nil
        recordFault(.lostRequest)
        return span
    }

    // MARK: The log

    /// Whether the log is slow, also with calls that it has already begun.
    var slowsLog: Bool { world.now < slowLogUntil + Self.slowestCall }
    /// Microseconds.
    private static let slowestCall = 2_000_000

    func logLatency(of process: HubProcess, _ delays: inout Choices) -> Int {
        if process.isDatabaseLate { return delays.number(in: HubProcess.lateness) }
        return world.now < slowLogUntil ? delays.number(in: 1_000...Self.slowestCall) : delays.number(in: 50...1_500)
    }

    /// Lets the log's next call fail as ordered.
    func strikeNextCall(of log: InMemoryLog, in process: HubProcess) {
        if misreads, log.isReadingNext {
            log.putIn(.unreadable(.cannotRead(reason: "simulated")))
            misreads = false
            recordFault(.failedReading)
        }
        guard fails || overtakes || unanswered != nil, process.takesWrites, let commit = log.nextAppend else { return }
        if fails {
            log.putIn(.refused(.cannotWrite(reason: "simulated")))
            fails = false
            recordFault(.failedAppend)
        } else if let fault = unanswered {
            log.putIn(fault)
            unanswered = nil
            recordFault(.unansweredAppend)
        } else if let other = world.otherCommit(ahead: commit) {
            log.putIn(.overtaken(by: other, isToldLater: world.delays.chance(1, in: 2)))
            overtakes = false
            recordFault(.conflict)
        }
    }
}
