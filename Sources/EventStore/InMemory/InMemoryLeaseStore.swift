import Records

/// Leases in memory, for tests: every call is done and answered before it returns.
public final class InMemoryLeaseStore: LeaseStore {
    private let storage: InMemoryStorage
    private let run: String
    private let clock: @Sendable () -> Int
    private let isClosed = Flag()

    /// `storage` is that of the log; `clock` is the database's, in milliseconds since 1970.
    public init(storage: InMemoryStorage, run: String, clock: @escaping @Sendable () -> Int) {
        (self.storage, self.run, self.clock) = (storage, run, clock)
    }

    public func renew(
        _ note: [UInt8], presence: PresenceReport, silences: SilenceReport, answer: @escaping LeaseReply
    ) { answer(renewLease(reporting: presence) { $0.renew(run, note, presence, silences, at: $1) }) }

    public func read(answer: @escaping LeaseReply) {
        answer(renewLease { _, _ in })
    }

    public func close() { isClosed.raise() }

    private func renewLease(
        reporting presence: PresenceReport? = nil, _ change: (inout InMemoryDatabase, Int) -> Void
    ) -> Result<LeaseRenewal, EventLogError> {
        if isClosed.isRaised { return .failure(.closed) }
        let time = clock()
        return .success(
            storage.withDatabase { database in
                change(&database, time)
                return database.renewal(of: run, at: time, behind: presence)
            })
    }
}
