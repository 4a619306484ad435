/// Claims and releases streams in a database for the log's run.
final class DatabaseClaims {
    private var held: HeldClaims
    private let deliveries: LogDeliveries

    init(of run: String?, _ deliveries: LogDeliveries) { (held, self.deliveries) = (HeldClaims(of: run), deliveries) }

    /// Empties `changes`.
    func runChanges(_ changes: inout [ClaimChange], through sessions: DatabaseSessions) {
        guard !changes.isEmpty else { return }
        run(changes, through: sessions)
        changes.removeAll(keepingCapacity: true)
    }

    private func run(_ changes: [ClaimChange], through sessions: DatabaseSessions, isRepeated: Bool = false) {
        let session = sessions.usableSession()
        if case .unavailable(let error) = sessions.availability { return fail(changes, error) }
        guard let session else { return }
        do throws(PostgreSQLError) {
            for (change, claim) in zip(changes, try session.change(changes)) {
                held.answer(change, .success(claim), in: &deliveries.outbox)
            }
        } catch {
            if error.isFenced {
                fail(changes, .fenced)
                return sessions.becomeFenced()
            }
            let problem = EventLogError.cannotWrite(reason: error.reason)
            if !isRepeated, session.isEnded {
                // The next session claims again what is held.
                for change in changes { if case .release = change.kind { held.forget(change.stream) } }
                return run(changes, through: sessions, isRepeated: true)
            }
            fail(changes, error.isPassing ? .busy(reason: error.reason) : problem)
            if error.isConnectionLost || error.isAboutTheServer { sessions.goDown(because: problem) }
        }
    }

    private func fail(_ changes: [ClaimChange], _ error: EventLogError) {
        for change in changes { held.answer(change, .failure(error), in: &deliveries.outbox) }
    }

    /// Claims this log's streams again, through a new session, because the server may have lost the claims.
    func claimAgain(with session: DatabaseSession) throws(PostgreSQLError) {
        for part in held.all.inTransactions {
            for (change, claim) in zip(part, try session.change(part)) {
                held.claimedAgain(change, claim, in: &deliveries.outbox)
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
