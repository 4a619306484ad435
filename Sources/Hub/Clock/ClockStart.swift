import EventStore
import Games
import Logging
import Records
import RoomRules

/// How time begins for a hub that starts: what time it is, and when its rooms could not be played. A hub that is the
/// first on its log gives it its id.
struct ClockStart {
    /// The newest records, among which the newest time of the log is looked for: hub time never goes back, so records
    /// of several loops are out of order by a turn at most.
    private static let newestLimit = 1_000

    let clock: HubClock
    let history: HubHistory
    /// Whether the clock begins before the last sign of life, since that was of a wrong one.
    let isSetBack: Bool
    /// Of the stream `hub`: its records up to here are in `history`.
    let hubEnd: StreamEnd

    /// Reads the log, starts the hub's clock, and records the outage since the last sign of life.
    ///
    /// Hub time starts at the latest of: the system's clock, the newest time in the log, the last sign of life. Throws
    /// `ClockAheadError` where these are over a day apart and nobody has said whom to trust, or `EventLogError`.
    ///
    /// - Parameter sharing: of a node: where others run, it starts at their time. When rooms were not served follows
    ///   from what nodes record.
    init(
        _ log: any EventLog, lastSignOfLife: Milliseconds?, source: any TimeSource, trusting trusted: TrustedClock?,
        sharing: NodeStart? = nil, run: String, logger: Logger
    ) throws {
        let log = BlockingLog(log)
        let past = try log.load(.hub)
        var telling = try log.loadNewest(Self.newestLimit)
        if let setting = past.last(where: { $0.event.type == ClockSetting.type }) {
            // Behind the newest word on which clock is right, only what is no room's says what time it is.
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
            logger.warning(
                "the system's clock is behind the log: hub time goes on from the log's and comes nearer by 1 % at most",
                metadata: ["hub ahead": "\(now - system) ms"])
        }
        // A hub that was killed within its first second, or a log that comes from a backup, has no note. Nor has one
        // that was carried over to where nodes share it, before the first of them: then they record what follows.
        if sharing == nil || !recorded.roll.hasServed, let last = lastSignOfLife ?? newest, last < now {
            queue.add(Outage(from: last, until: now))
        }
        while let commit = queue.next { try queue.settled(log.append(commit)) }
        let new = try log.load(.hub, after: end.version)
        history = HubHistory(past + new)
        hubEnd = new.last?.end ?? end
    }
}
