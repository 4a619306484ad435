import EventStore

/// What befalls a hub, and when: each kind of fault by choices of its own.
final class Faults {
    private let kinds: [FaultKind]
    private var choices: [Choices] = []
    /// Mean microseconds between two of a kind.
    private var pauses: [Int] = []
    /// Of the next append.
    private var nextAppend: InMemoryLog.Fault?
    private var readFault = false
    private var slowLogUntil = 0
    /// Kinds that struck lately, a bit each.
    private(set) var recent: UInt32 = 0
    private(set) var isQuiet = false
    private var quietChoices: Choices

    init(_ settings: WorldSettings) {
        kinds = FaultKind.allCases.filter { settings.faults.contains($0) }
        quietChoices = Choices(seed: settings.seed, part: 99)
        for kind in kinds {
            var choices = Choices(seed: settings.seed, part: 100 + UInt64(kind.rawValue))
            pauses.append(kind.usualPause * (1 << choices.number(in: 0...4)))
            self.choices.append(choices)
        }
    }

    func begin(in world: World) {
        for index in kinds.indices { scheduleNext(index, in: world) }
        world.schedule(.quiet, after: quietChoices.number(in: 60...600) * 1_000_000)
    }

    private func scheduleNext(_ index: Int, in world: World) {
        world.schedule(.fault, after: choices[index].number(in: 1...2 * pauses[index]), index: index)
    }

    func strike(_ index: Int, in world: World) {
        scheduleNext(index, in: world)
        guard !isQuiet, let process = world.process else { return }
        let kind = kinds[index]
        recent |= 1 << UInt32(kind.rawValue)
        world.counts.faults[kind, default: 0] += 1
        switch kind {
        case .crash:
            world.crash(
                performed: choices[index].number(in: 0...3),
                downtime: choices[index].number(in: 1...20_000) * 1_000 * (choices[index].chance(1, in: 4) ? 60 : 1))
        case .stall:
            let loop = choices[index].number(below: process.loops.count)
            let span = choices[index].number(in: 100...5_000) * 1_000 * (choices[index].chance(1, in: 8) ? 12 : 1)
            process.standStill(loop, until: world.now + span)
            world.schedule(.heal, after: span, index: FaultKind.stall.rawValue << 8 | loop)
        case .unansweredAppend: nextAppend = .outcomeUnknown(written: choices[index].chance(1, in: 2))
        case .failedReading: readFault = true
        case .slowLog: slowLogUntil = world.now + choices[index].number(in: 100...10_000) * 1_000
        case .logDown:
            process.stopWrites()
            world.schedule(
                .heal, after: choices[index].number(in: 1...30_000) * 1_000, index: FaultKind.logDown.rawValue << 8)
        case .clockStep:
            let step = choices[index].number(in: 1...100_000_000)
            world.machine.wallOffset += (choices[index].chance(1, in: 2) ? step : -step) * 100_000
        default: break
        }
    }

    func heal(_ index: Int, in world: World) {
        switch FaultKind(rawValue: index >> 8) {
        case .stall: world.process?.goOn(index & 0xFF)
        case .logDown: world.process?.resumeWrites()
        default: break
        }
    }

    /// Nothing new befalls the hub until `endQuiet`.
    func beginQuiet(in world: World) {
        isQuiet = true
        slowLogUntil = 0
        world.schedule(.rest, after: 90_000_000)
    }

    /// All that waits should have gone on by now.
    func endQuiet(in world: World) {
        if let process = world.process { world.model.cameToRest(at: process.now) }
        world.counts.rests += 1
        recent = 0
        isQuiet = false
        world.schedule(.quiet, after: quietChoices.number(in: 60...600) * 1_000_000)
    }

    func logLatency(_ delays: inout Choices, now: Int) -> Int {
        if now < slowLogUntil { return delays.number(in: 1_000...2_000_000) }
        return delays.number(in: 50...1_500)
    }

    /// Has the call that the log performs next fail as was ordered.
    func putIn(_ log: InMemoryLog) {
        if log.isAppendNext, let fault = nextAppend {
            log.putIn(fault)
            nextAppend = nil
        }
        if readFault {
            log.putIn(.unreadable(.cannotRead(reason: "simulated")))
            readFault = false
        }
    }
}

extension FaultKind {
    /// Microseconds between two of them where they are frequent.
    fileprivate var usualPause: Int {
        switch self {
        case .cut, .slowReader, .slowLine, .failedAppend, .unansweredAppend, .conflict: 1_000_000
        case .crash, .restart, .logDown, .stall, .clockStep: 20_000_000
        default: 5_000_000
        }
    }
}
