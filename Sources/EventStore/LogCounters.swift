import Synchronization

/// What a log has done since it was opened, for metrics.
public struct LogCounters: Sendable, Equatable {
    /// Commits that were judged: written, repeated or in conflict.
    public var appends: Int
    /// Records that were written.
    public var records: Int
    /// Transactions that wrote something; each waited for the disk once.
    public var transactions: Int
    public var checkpoints: Int
    /// How often the log stopped taking writes.
    public var failures: Int

    public init(appends: Int = 0, records: Int = 0, transactions: Int = 0, checkpoints: Int = 0, failures: Int = 0) {
        self.appends = appends
        self.records = records
        self.transactions = transactions
        self.checkpoints = checkpoints
        self.failures = failures
    }
}

/// Counts on one thread, read by others: taken once a batch.
final class SharedLogCounters: Sendable {
    private let counters = Mutex(LogCounters())

    var snapshot: LogCounters { counters.withLock { $0 } }

    func count(_ change: (inout LogCounters) -> Void) { counters.withLock { change(&$0) } }
}
