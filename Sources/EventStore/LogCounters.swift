import Threads

/// What a log has done since it was opened, for metrics.
public struct LogCounters: Sendable, Equatable {
    /// Time from call to answer of each commit that was written, repeated or in conflict.
    public var appends = Histogram()
    /// Time that each writing transaction waited for the disk.
    public var syncs = Histogram()
    /// Records written.
    public var records = 0
    /// Commits refused because another came first.
    public var conflicts = 0
    public var checkpoints = 0
    /// How often the log stopped taking writes.
    public var failures = 0
    /// How often the disk did not answer in time.
    public var stalls = 0
    /// Calls that wait for the writer thread, and the commits of its current batch.
    public var waiting = 0
    /// The size of the write-ahead log's file; 0 for engines without one.
    public var journalBytes = 0

    public init() {}
}

/// Counted by the writer thread, read by others.
final class SharedLogCounters: Sendable {
    let appends = HistogramCounter()
    let syncs = HistogramCounter()
    let records = Counter()
    let conflicts = Counter()
    let checkpoints = Counter()
    let failures = Counter()
    /// Counted by the thread that watches the writer.
    let stalls = Counter()
    /// Commits in the batch that is being written.
    let underWay = Counter()

    /// `waiting` are the jobs not yet under way.
    func snapshot(waiting: Int) -> LogCounters {
        var counters = LogCounters()
        (counters.appends, counters.syncs) = (appends.value, syncs.value)
        (counters.records, counters.checkpoints) = (records.value, checkpoints.value)
        counters.conflicts = conflicts.value
        (counters.failures, counters.stalls) = (failures.value, stalls.value)
        counters.waiting = waiting + underWay.value
        return counters
    }
}
