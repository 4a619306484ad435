import Synchronization

/// What a log has done since it was opened, for metrics.
public struct LogCounters: Sendable, Equatable {
    /// Appends that were judged: written, repeated or in conflict.
    public var appends = 0
    /// Records that were written.
    public var records = 0
    /// Transactions that wrote something; each waited for the disk once.
    public var transactions = 0
    public var checkpoints = 0
    /// How often the log stopped taking writes.
    public var failures = 0

    public init() {}
}

/// Counts on one thread, read by others: taken once a batch.
final class Tally: Sendable {
    private let counters = Mutex(LogCounters())

    var snapshot: LogCounters { counters.withLock { $0 } }

    func count(_ change: (inout LogCounters) -> Void) { counters.withLock { change(&$0) } }
}
