import EventStore
import Games
import Threads

/// Times in which no node could renew its lease, as the database has found them: each is recorded in the stream `hub`,
/// and no node judges anything before it has read it there.
struct SilenceWatch {
    /// What the newest answer said, and the outage that each was; nil: none.
    private var said: [Silence: Outage?] = [:]
    /// What has been handed out to be recorded.
    private var recorded: Set<Silence> = []
    /// When this run sent the last renewal that was answered, as of a node that serves.
    private var last: Nanoseconds?

    /// The answer to a renewal that was sent and answered at these uptimes. `now`: hub time.
    mutating func take(
        _ renewal: LeaseRenewal, isServing: Bool, sent: Nanoseconds, answered: Nanoseconds, at now: Milliseconds
    ) {
        // A run that has renewed its own lease ahead of a silence knows how long that was at most: the database's clock
        // may have been set forward.
        let most = last.map { (answered - $0) / 1_000_000 }
        // Hub time runs as the database's does, but for the moment that it takes to follow it.
        let lead = now - renewal.time
        var said: [Silence: Outage?] = [:]
        for silence in renewal.silences {
            said[silence] = self.said[silence] ?? outage(of: silence, notLongerThan: most, lead: lead)
        }
        self.said = said
        last = isServing ? sent : nil
    }

    /// What is to be recorded, each once. `outages`: those that are in the log.
    mutating func takeUnrecorded(in outages: Outages) -> [Outage] {
        let new = said.filter { !recorded.contains($0.key) && !isIn(outages, $0.value) }
        recorded = Set(said.keys).intersection(recorded).union(new.keys)
        return new.values.compactMap(\.self).sorted { $0.from < $1.from }
    }

    /// The stream may have lost what was recorded.
    mutating func streamHasGoneBack() { recorded = [] }

    private func outage(of silence: Silence, notLongerThan most: Milliseconds?, lead: Milliseconds) -> Outage? {
        let span = min(silence.until - silence.since, most ?? .max)
        guard span >= Silence.least else { return nil }
        var outage = Outage(from: silence.until + lead - span, until: silence.until + lead)
        outage.silence = silence
        return outage
    }

    private func isIn(_ outages: Outages, _ outage: Outage?) -> Bool {
        outage?.silence.map { outages.holds($0) } ?? true
    }

    /// Whether all of it is in the log, as far as that has been read.
    func areAllIn(_ outages: Outages) -> Bool { said.values.allSatisfy { isIn(outages, $0) } }

    /// What goes with the next renewal. `end`: up to where the stream has been read.
    func report(isServing: Bool, in outages: Outages, endingAt end: StreamEnd) -> SilenceReport {
        let recorded = said.filter { isIn(outages, $0.value) }.keys.sorted { $0.since < $1.since }
        return SilenceReport(isServing: isServing, recorded: recorded, in: end)
    }
}
