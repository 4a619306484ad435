import EventStore
import Games
import Records
import RoomRules
import Threads

/// Times in which no node could renew its lease, as found by the database. Each is recorded in the stream `hub`, and no
/// node judges anything before it has read that record.
struct SilenceWatch {
    /// The silences of the newest answer with their outages; nil for a silence that was not an outage.
    private var said: [Silence: Outage?] = [:]
    /// Outages that were returned to be recorded.
    private var recorded: Set<Silence> = []
    /// When this run sent the last answered renewal while it was serving.
    private var last: Nanoseconds?

    /// The answer to a renewal. `sent` and `answered` are uptimes of the machine, `now` is hub time.
    mutating func leaseRenewed(
        _ renewal: LeaseRenewal, isServing: Bool, sent: Nanoseconds, answered: Nanoseconds, at now: Milliseconds
    ) {
        // The database's clock may have been set forward. A run that renewed its lease before the silence knows how
        // long it was at most.
        let most = last.map { (answered - $0) / 1_000_000 }
        // Hub time follows the database's, with a short delay. If the database's clock was set back after a silence,
        // that counts as ending now, since nothing was judged after it.
        let latest = renewal.silences.map(\.until).reduce(renewal.time, max)
        let lead = now - latest
        var said: [Silence: Outage?] = [:]
        for silence in renewal.silences {
            said[silence] = self.said[silence] ?? outage(of: silence, notLongerThan: most, lead: lead)
        }
        self.said = said
        last = isServing ? sent : nil
    }

    /// Returns outages to record, each only once. `outages` are those in the log.
    mutating func takeUnrecorded(in outages: Outages) -> [Outage] {
        let new = said.filter { !recorded.contains($0.key) && !isIn(outages, $0.value) }
        recorded = Set(said.keys).intersection(recorded).union(new.keys)
        return new.values.compactMap(\.self).sorted { $0.from < $1.from }
    }

    /// The stream may have lost records.
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

    /// Whether they are all in the log, as far as it has been read.
    func areAllIn(_ outages: Outages) -> Bool { said.values.allSatisfy { isIn(outages, $0) } }

    /// The report for the next renewal. `end` is that of the stream as last read.
    func report(isServing: Bool, in outages: Outages, endingAt end: StreamEnd) -> SilenceReport {
        let recorded = said.filter { isIn(outages, $0.value) }.keys.sorted { $0.since < $1.since }
        return SilenceReport(isServing: isServing, recorded: recorded, in: end)
    }
}
