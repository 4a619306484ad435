extension DatabaseWriterThread {
    func change(_ changes: inout [ClaimChange]) {
        guard !changes.isEmpty else { return }
        let all = changes
        changes.removeAll(keepingCapacity: true)
        let session = usableSession()
        if case .unavailable(let error) = availability { return fail(all, error) }
        guard let session else { return }
        do throws(PostgreSQLError) {
            for (change, claim) in zip(all, try session.change(all)) { tell(change, claim) }
        } catch {
            if error.isFenced {
                fail(all, .fenced)
                return becomeFenced()
            }
            fail(all, error.isPassing ? .busy(reason: error.reason) : .cannotWrite(reason: error.reason))
            if error.isConnectionLost || error.isAboutTheServer {
                goDown(because: .cannotWrite(reason: error.reason))
            }
        }
    }

    private func fail(_ changes: [ClaimChange], _ error: EventLogError) {
        for change in changes {
            switch change.kind {
            case .claim: outbox.add(.claimed(change.ticket, .failure(error)), to: change.inbox)
            case .release:
                // A stream that was given up must not be claimed again.
                held[change.stream] = nil
                outbox.add(.released(change.ticket, .failure(error)), to: change.inbox)
            }
        }
    }

    private func tell(_ change: ClaimChange, _ claim: Claim?) {
        guard let claim else {
            held[change.stream] = nil
            return outbox.add(.released(change.ticket, .success(change.stream)), to: change.inbox)
        }
        held[change.stream] = claim.holder == connector.run ? change.inbox : nil
        outbox.add(.claimed(change.ticket, .success(claim)), to: change.inbox)
    }

    /// Claims this log's streams again, through a new session, because the server may have lost the claims.
    func claimAgain(with session: DatabaseSession) throws(PostgreSQLError) {
        let all = held.map { ClaimChange(kind: .claim, stream: $0.key, ticket: 0, inbox: $0.value) }
        for start in stride(from: 0, to: all.count, by: DatabaseSession.transactionLimit) {
            let part = Array(all[start..<min(start + DatabaseSession.transactionLimit, all.count)])
            for (change, claim) in zip(part, try session.change(part)) {
                if claim?.holder != connector.run {
                    held[change.stream] = nil
                    outbox.add(.claimLost(change.stream), to: change.inbox)
                } else if let claim, claim.since != nil {
                    outbox.add(.claimedAgain(claim), to: change.inbox)
                }
            }
        }
    }
}

extension PostgreSQLError {
    /// Another transaction was in the way (lock_not_available, deadlock_detected).
    fileprivate var isPassing: Bool { isHeld || state == "40P01" }
}
