import Records
import Synchronization

/// What `InMemoryLog`s have written: a disk, or a database with several that are connected to it. It outlives their
/// crashes: open another log on it.
public final class InMemoryStorage: Sendable {
    private let database = Mutex(InMemoryDatabase())

    public init() {}

    /// Another with the same in it, from which each goes its own way.
    public init(copying other: InMemoryStorage) { failOver(to: other) }

    /// All records of `stream`, as they are: unchecked.
    public func records(of stream: StreamName) -> [Record] {
        withLedger { $0.records(of: stream) }
    }

    public func end(of stream: StreamName) -> StreamEnd { withLedger { $0.end(of: stream) } }

    /// All records of all streams in the order of their positions, unchecked.
    public var records: [Record] { withLedger { $0.records } }

    /// The records behind `position`, in order, unchecked.
    public func records(after position: Int) -> ArraySlice<Record> {
        withLedger { $0.records(after: position) }
    }

    /// The streams that were erased behind `position`, in order: no engine can tell, but whoever looks on.
    public func erasedStreams(after position: Int) -> [StreamName] {
        withLedger { $0.erased(after: position).map(\.stream) }
    }

    /// The highest position given so far.
    public var lastPosition: Int { withLedger { $0.lastPosition } }

    /// What was done to which stream, in the order of commits, behind the first `count`: a stream's records of one
    /// commit together. A failover takes from the end of it.
    public func changes(after count: Int) -> ArraySlice<StreamChange> {
        database.withLock { $0.written.dropFirst(count) }
    }

    /// Which runs have claimed which streams, and how often that has changed; nil: no more often than that.
    public func claims(since changes: Int) -> (holders: [StreamName: String], changes: Int)? {
        database.withLock { $0.claims.changes == changes ? nil : ($0.claims.holders, $0.claims.changes) }
    }

    /// Alters a record behind the log's back: from there on the stream's chain is broken.
    public func alter(_ stream: StreamName, version: Int, shown: [UInt8]) {
        withLedger { $0.alter(stream, version: version, shown: shown) }
    }

    /// Takes from `stream` what is behind `version`, as going back to a backup does.
    public func cutBack(_ stream: StreamName, to version: Int) {
        withLedger { $0.cutBack(stream, to: version) }
    }

    /// Goes on as `replica`, a copy made earlier: what was committed since is lost, its positions are given again, and
    /// every connection is lost with what was under way on it, which each log finds with its next call.
    public func failOver(to replica: InMemoryStorage) {
        let replica = replica.snapshot
        database.withLock { $0 = InMemoryDatabase(replacing: $0, with: replica) }
    }

    /// Whether a commit was done that fences `run`.
    public func isFenced(_ run: String) -> Bool { database.withLock { $0.leases.isFenced(run) } }

    /// How many transactions are open whose connection is lost.
    public var abandonedTransactions: Int { database.withLock { $0.abandoned.count } }

    /// The database notices that nobody is behind them: they are rolled back, or committed where that had been asked
    /// for.
    public func endAbandonedTransactions(committing: Bool) {
        database.withLock { database in
            for number in database.abandoned.sorted() {
                if committing { _ = database.commit(number) } else { database.rollBack(number) }
            }
        }
    }

    func withLedger<Answer: Sendable>(_ body: (inout Ledger) -> Answer) -> Answer {
        database.withLock { body(&$0.ledger) }
    }

    func withDatabase<Answer: Sendable>(_ body: (inout InMemoryDatabase) -> Answer) -> Answer {
        database.withLock { body(&$0) }
    }

    /// All that is committed at one moment, and what is open.
    var snapshot: InMemoryDatabase { database.withLock { $0 } }
}
