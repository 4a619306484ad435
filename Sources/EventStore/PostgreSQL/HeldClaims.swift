import Records

/// The streams that the log's run has claimed.
final class HeldClaims {
    private let run: String?
    private let deliveries: LogDeliveries
    /// The inbox that learns of a lost claim.
    private var inboxes: [StreamName: any LogInbox] = [:]

    init(of run: String?, _ deliveries: LogDeliveries) { (self.run, self.deliveries) = (run, deliveries) }

    /// Empties `changes`.
    func perform(_ changes: inout [ClaimChange], through sessions: DatabaseSessions) {
        guard !changes.isEmpty else { return }
        defer { changes.removeAll(keepingCapacity: true) }
        let session = sessions.usableSession()
        if case .unavailable(let error) = sessions.availability { return fail(changes, error) }
        guard let session else { return }
        do throws(PostgreSQLError) {
            for (change, claim) in zip(changes, try session.change(changes)) { record(change, claim) }
        } catch {
            if error.isFenced {
                fail(changes, .fenced)
                return sessions.becomeFenced()
            }
            fail(changes, error.isPassing ? .busy(reason: error.reason) : .cannotWrite(reason: error.reason))
            if error.isConnectionLost || error.isAboutTheServer {
                sessions.goDown(because: .cannotWrite(reason: error.reason))
            }
        }
    }

    private func fail(_ changes: [ClaimChange], _ error: EventLogError) {
        for change in changes {
            switch change.kind {
            case .claim: deliveries.outbox.add(.claimed(change.ticket, .failure(error)), to: change.inbox)
            case .release:
                // A stream that was given up must not be claimed again.
                inboxes[change.stream] = nil
                deliveries.outbox.add(.released(change.ticket, .failure(error)), to: change.inbox)
            }
        }
    }

    private func record(_ change: ClaimChange, _ claim: Claim?) {
        guard let claim else {
            inboxes[change.stream] = nil
            return deliveries.outbox.add(.released(change.ticket, .success(change.stream)), to: change.inbox)
        }
        inboxes[change.stream] = claim.holder == run ? change.inbox : nil
        deliveries.outbox.add(.claimed(change.ticket, .success(claim)), to: change.inbox)
    }

    /// Claims this log's streams again, through a new session, because the server may have lost the claims.
    func claimAgain(with session: DatabaseSession) throws(PostgreSQLError) {
        let all = inboxes.map { ClaimChange(kind: .claim, stream: $0.key, ticket: 0, inbox: $0.value) }
        for part in all.inTransactions {
            for (change, claim) in zip(part, try session.change(part)) {
                if claim?.holder != run {
                    inboxes[change.stream] = nil
                    deliveries.outbox.add(.claimLost(change.stream), to: change.inbox)
                } else if let claim, claim.since != nil {
                    deliveries.outbox.add(.claimedAgain(claim), to: change.inbox)
                }
            }
        }
    }
}

extension Array {
    /// Split into parts for one transaction each.
    var inTransactions: [[Element]] {
        stride(from: 0, to: count, by: DatabaseSession.transactionLimit).map {
            Array(self[$0..<Swift.min($0 + DatabaseSession.transactionLimit, count)])
        }
    }
}

extension PostgreSQLError {
    /// Another transaction was in the way (lock_not_available, deadlock_detected).
    fileprivate var isPassing: Bool { isHeld || state == "40P01" }
}
