import Records
import Synchronization

/// What `InMemoryLog`s have written: a disk, or a database with several connections. It outlives their crashes: open
/// another log on it.
public final class InMemoryStorage: Sendable {
    private let database = Mutex(InMemoryDatabase())

    public init() {}

    /// Starts as a copy of `other`.
    public init(copying other: InMemoryStorage) { failOver(to: other) }

    /// All records of `stream`, unchecked.
    public func records(of stream: StreamName) -> [Record] {
        withLedger { $0.records(of: stream) }
    }

    public func end(of stream: StreamName) -> StreamEnd { withLedger { $0.end(of: stream) } }

    /// All records of all streams in the order of their positions, unchecked.
    public var records: [Record] { withLedger { $0.records } }

    /// The records after `position`, in order, unchecked.
    public func records(after position: Int) -> ArraySlice<Record> {
        withLedger { $0.records(after: position) }
    }

    /// The streams that were erased after `position`, in order. No engine knows this; it is for tests.
    public func erasedStreams(after position: Int) -> [StreamName] {
        withLedger { $0.erased(after: position).map(\.stream) }
    }

    /// The highest position drawn so far.
    public var lastPosition: Int { withLedger { $0.lastPosition } }

    /// All changes after the first `count`, in the order of commits. A stream's records of one commit are together. A
    /// failover removes changes from the end.
    public func changes(after count: Int) -> ArraySlice<StreamChange> {
        database.withLock { $0.written.dropFirst(count) }
    }

    /// The holders of claims and the number of changes to claims; nil if `changes` is still that number.
    public func claims(since changes: Int) -> (holders: [StreamName: String], changes: Int)? {
        database.withLock { $0.claims.changes == changes ? nil : ($0.claims.holders, $0.claims.changes) }
    }

    /// Alters a record without the log's knowledge, which breaks the stream's chain from there.
    public func alter(_ stream: StreamName, version: Int, shown: [UInt8]) {
        withLedger { $0.alter(stream, version: version, shown: shown) }
    }

    /// Removes what `stream` has after `version`, as restoring a backup does.
    public func cutBack(_ stream: StreamName, to version: Int) {
        withLedger { $0.cutBack(stream, to: version) }
    }

    /// Continues as `replica`, an earlier copy. What was committed since is lost and its positions are reused. All
    /// connections and their transactions are lost, which each log notices at its next call.
    public func failOver(to replica: InMemoryStorage) {
        let replica = replica.snapshot
        database.withLock { $0 = InMemoryDatabase(replacing: $0, with: replica) }
    }

    /// Whether a commit has fenced `run`.
    public func isFenced(_ run: String) -> Bool { database.withLock { $0.leases.isFenced(run) } }

    /// Open transactions whose connection is lost.
    public var abandonedTransactions: Int { database.withLock { $0.abandoned.count } }

    /// The database notices that their connections are lost. It commits or rolls back the transactions.
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

    /// Everything committed at one moment, with the open transactions.
    var snapshot: InMemoryDatabase { database.withLock { $0 } }
}
