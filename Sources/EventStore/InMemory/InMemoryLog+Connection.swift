// What a test does to a log on a storage that others write to.
extension InMemoryLog {
    /// What becomes of a transaction that was open when the connection was lost.
    public enum TransactionFate: Sendable {
        case committed, rolledBack
        /// The storage does not notice for now: see `InMemoryStorage.endAbandonedTransactions`.
        case leftOpen
    }

    /// How many appends wait for others' transactions to end: they are tried again with the next poll.
    public var heldBack: Int { state.withLock { $0.heldBack.count } }

    /// Whether a transaction of this log is open.
    public var isInTransaction: Bool { state.withLock { $0.transaction != nil } }

    /// Whether it has a connection to its storage.
    public var isConnected: Bool { state.withLock { $0.session != nil } }

    /// Takes the append that has waited longest into a transaction: it is judged, its streams are claimed and its
    /// positions drawn, and others' appends to these streams cannot be judged until `commit` or `rollBack`. False if
    /// none waits, or a transaction is open already. One that is refused, or fails as ordered, is answered at once;
    /// one whose streams are claimed is held back: see `isInTransaction`.
    @discardableResult
    public func begin() -> Bool { deliver { $0.beginNext() } }

    /// Ends the transaction: its records are there, are told, and its append is answered. False if none is open.
    @discardableResult
    public func commit() -> Bool { deliver { $0.commitOpen() } }

    /// The transaction comes to nothing, as after an error: its positions are lost, and its append waits again, before
    /// all others.
    public func rollBack() { state.withLock { $0.rollBackOpen() } }

    /// Tells followers what others have written, up to the first gap; what was held back waits again, before all
    /// others. An engine does so twice a second.
    public func poll() {
        _ = deliver { $0.poll() }
        if pace == .automatic { run() }
    }

    /// The connection to the storage is lost. The append under way is answered `outcomeUnknown`, watchers are told,
    /// and until `reconnect` appends are answered `unavailable` and nothing can be read.
    public func disconnect(
        _ error: EventLogError = .cannotWrite(reason: "the connection to the database was lost"),
        leaving fate: TransactionFate = .rolledBack
    ) {
        var outbox = state.withLock { $0.disconnect(error, leaving: fate) }
        outbox.flush()
    }

    /// Ends `disconnect`, or what `InMemoryStorage.failOver` did. Followers of streams hear what is new, then watchers
    /// that writes are taken.
    public func reconnect() {
        var outbox = state.withLock { $0.reconnect() }
        outbox.flush()
    }
}
