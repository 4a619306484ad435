extension InMemoryLogState {
    mutating func perform(_ change: ClaimChange) {
        let answer = judge(change)
        switch (change.kind, answer) {
        case (.claim, .success(let claim)):
            held[change.stream] = claim?.holder == run ? change.inbox : nil
            if let claim { outbox.add(.claimed(change.ticket, .success(claim)), to: change.inbox) }
        case (.claim, .failure(let error)): outbox.add(.claimed(change.ticket, .failure(error)), to: change.inbox)
        case (.release, .success):
            held[change.stream] = nil
            outbox.add(.released(change.ticket, .success(change.stream)), to: change.inbox)
        case (.release, .failure(let error)):
            held[change.stream] = nil
            outbox.add(.released(change.ticket, .failure(error)), to: change.inbox)
        }
        if answer == .failure(.fenced) { become(.unavailable(.fenced)) }
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
        for stream in held.keys.sorted(by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }) {
            guard let inbox = held[stream] else { continue }
            let claim = storage.withDatabase { $0.claim(stream, by: run) }
            if claim.holder != run {
                held[stream] = nil
                outbox.add(.claimLost(stream), to: inbox)
            } else if claim.since != nil {
                outbox.add(.claimedAgain(claim), to: inbox)
            }
        }
    }
}
