// What a test does to a log whose storage others write to.
extension InMemoryLog {
    /// What happens to a transaction that was open when the connection was lost.
    public enum TransactionFate: Sendable {
        case committed, rolledBack
        /// The storage does not notice for now: see `InMemoryStorage.endAbandonedTransactions`.
        case leftOpen
    }

    /// Appends that wait for other transactions to end. The next poll tries them again.
    public var heldBack: Int { state.withLock { $0.heldBack.count } }

    public var isInTransaction: Bool { state.withLock { $0.transaction != nil } }

    public var isConnected: Bool { state.withLock { $0.session != nil } }

    /// Takes the append that has waited longest into a transaction: it is judged, its streams are claimed and its
    /// positions drawn. Until `commit` or `rollBack`, others' appends to these streams cannot be judged. False if none
    /// waits or a transaction is already open. An append that is refused, or ordered to fail, is answered at once. If
    /// its streams are claimed, it is held back: see `isInTransaction`.
    @discardableResult
    public func beginTransaction() -> Bool { deliver { $0.beginNextTransaction() } }

    /// Commits the transaction, delivers its records and answers its append. False if none is open.
    @discardableResult
    public func commit() -> Bool { deliver { $0.commitOpen() } }

    /// Rolls the transaction back, as after an error: its positions are lost, and its append waits again, before all
    /// others.
    public func rollBack() { state.withLock { $0.rollBackOpen() } }

    /// Sends followers what others have written, up to the first gap. Appends that were held back wait again, before
    /// all others. An engine does this twice a second.
    public func poll() {
        _ = deliver { $0.poll() }
        if pace == .automatic { run() }
    }

    /// Cuts the connection to the storage. The append under way is answered `outcomeUnknown`, and watchers are told.
    /// Until `reconnect`, appends are answered `unavailable` and nothing can be read.
    public func disconnect(
        _ error: EventLogError = .cannotWrite(reason: "the connection to the database was lost"),
        leaving fate: TransactionFate = .rolledBack
    ) { change { $0.disconnect(error, leaving: fate) } }

    /// Ends `disconnect`, or the effect of `InMemoryStorage.failOver`. Followers of streams get what is new, then
    /// watchers learn that writes are taken.
    public func reconnect() { change { $0.reconnect() } }
}
