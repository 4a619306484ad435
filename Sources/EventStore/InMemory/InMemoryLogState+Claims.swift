extension InMemoryLogState {
    mutating func changeClaim(_ change: ClaimChange) {
        let result = judge(change)
        held.answer(change, result, in: &outbox)
        if result == .failure(.fenced) { become(.unavailable(.fenced)) }
    }

    /// The claim; nil for a release.
    private func judge(_ change: ClaimChange) -> Result<Claim?, EventLogError> {
        if case .unavailable(let error) = availability { return .failure(error) }
        guard let run else { preconditionFailure("a log without a run cannot claim") }
        return storage.withDatabase { database in
            if database.leases.isFenced(run) { return .failure(.fenced) }
            switch change.kind {
            case .claim: return .success(database.claim(change.stream, by: run))
            case .release(let owed, let time):
                database.release(change.stream, by: run, owed: owed, at: time)
                return .success(nil)
            }
        }
    }

    /// Claims again what the storage has lost, since it may be another one.
    mutating func claimAgain() {
        guard let run, storage.withDatabase({ !$0.leases.isFenced(run) }) else { return }
        for change in held.all {
            held.claimedAgain(change, storage.withDatabase { $0.claim(change.stream, by: run) }, in: &outbox)
        }
    }
}
