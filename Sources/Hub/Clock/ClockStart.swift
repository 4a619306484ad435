import Cluster
import EventStore
import Games
import Logging
import Records
import RoomRules
import Transport

/// The start of a hub's time: what time it is, and when rooms could not be played. The first hub on a log gives it
/// its id.
struct ClockStart {
    /// The newest records, whose newest time counts for the log. Hub time never goes back, so records of several loops
    /// are out of order by at most one turn.
    private static let newestLimit = 1_000

    let clock: HubClock
    let history: HubHistory
    /// Whether the clock starts before the last sign of life, which came from a wrong clock.
    let isSetBack: Bool
    /// The end of the stream `hub`, up to which `history` has its records.
    let hubEnd: StreamEnd

    /// Reads the log, starts the hub's clock, and records the outage since the last sign of life.
    ///
    /// Hub time starts at the latest of the system's clock, the newest time in the log, and the last sign of life.
    /// Throws `ClockAheadError` if these are over a day apart and the operator has not said which is right, or
    /// `EventLogError`.
    ///
    /// - Parameter sharing: a node's start, which takes over the time of running nodes. Nodes' own records say when
    ///   rooms were not served.
    init(
        _ log: any EventLog, lastSignOfLife: Milliseconds?, source: any TimeSource, trusting trusted: TrustedClock?,
        sharing: NodeStart? = nil, run: String, logger: Logger
    ) throws {
        let log = BlockingLog(log)
        let past = try log.load(.hub)
        var telling = try log.loadNewest(Self.newestLimit)
        if let setting = past.last(where: { $0.event.type == ClockSetting.type }) {
            // After the newest setting, only records outside of rooms say what time it is.
            telling = (telling + past).filter { $0.position >= setting.position && $0.stream.roomCode == nil }
        }
        let system = source.read().wall / 1_000_000
        let lastSignOfLife = lastSignOfLife.map { max(0, $0) }
        let newest = telling.map(\.event.time).max().map { max(0, $0) }
        let recorded = HubHistory(past)
        let runs = recorded.roll.runs
        let known = [newest, lastSignOfLife, sharing?.leastTime(of: runs)].compactMap(\.self).max()

        let end = past.last?.end ?? StreamName.hub.start
        var queue = HubStreamQueue(behind: end)
        if let others = sharing?.time(of: runs) {
            clock = HubClock(source, startingAt: others, logger: logger)
            isSetBack = false
        } else if let known, known - system > ClockSetting.tolerance {
            guard let trusted else { throw ClockAheadError(log: known, system: system) }
            clock = HubClock(source, startingAt: trusted == .log ? known : system, logger: logger)
            isSetBack = trusted == .system
            if isSetBack { queue.add(ClockSetting(from: known, to: system)) }
        } else {
            clock = HubClock(source, startingAt: max(system, known ?? system), logger: logger)
            isSetBack = false
        }
        let now = clock.now()
        if recorded.log == nil { queue.add(LogOrigin(id: run, at: now)) }
        if now - system > HubTime.stepLimitNanoseconds / 1_000_000 {
            logger.write(.clockBehindLog, ["hub ahead": "\(now - system) ms"])
        }
        // There is no sign of life after a kill within the first second, or in a restored backup. Nor is there in a log
        // that was carried over for nodes, before the first of them. Nodes then record what follows.
        if sharing == nil || !recorded.roll.hasServed, let last = lastSignOfLife ?? newest, last < now {
            queue.add(Outage(from: last, until: now))
        }
        while let commit = queue.next { try queue.appendSettled(log.append(commit)) }
        let new = try log.load(.hub, after: end.version)
        history = HubHistory(past + new)
        hubEnd = new.last?.end ?? end
    }
}
