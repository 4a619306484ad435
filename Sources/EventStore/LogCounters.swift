import Threads

/// What a log has done since it was opened, for metrics.
public struct LogCounters: Sendable, Equatable {
    /// Commits that were judged, written, repeated or in conflict: from being handed over to being answered.
    public var appends = Histogram()
    /// Transactions that wrote something: how long each waited for the disk.
    public var syncs = Histogram()
    /// Records that were written.
    public var records = 0
    /// Commits that were refused, since another had come first.
    public var conflicts = 0
    public var checkpoints = 0
    /// How often the log stopped taking writes.
    public var failures = 0
    /// How often the disk did not answer in time.
    public var stalls = 0
    /// What waits for the thread that writes, and the commits that it is about to write.
    public var waiting = 0
    /// The size of the write-ahead log's file, in bytes; 0 of an engine that has none beside its log.
    public var journalBytes = 0

    public init() {}
}

/// Counts on the thread that writes, read by others.
final class SharedLogCounters: Sendable {
    let appends = HistogramCounter()
    let syncs = HistogramCounter()
    let records = Counter()
    let conflicts = Counter()
    let checkpoints = Counter()
    let failures = Counter()
    /// By the thread that watches the writer's.
    let stalls = Counter()
    /// Commits in the batch that is being written.
    let underWay = Counter()

    /// With `waiting` jobs besides those under way.
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
