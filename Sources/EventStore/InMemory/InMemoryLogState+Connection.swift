// An `InMemoryLog` on a storage that others write to: transactions that stay open for a while, records of others, and a
// connection that can be lost.
extension InMemoryLogState {
    /// Takes the first waiting append into a transaction. False if none waits, one is already open, or a delivery is
    /// under way.
    mutating func beginNextTransaction() -> Bool {
        guard !isDelivering, transaction == nil, let next = waiting.firstIndex(where: \.isAppend),
            case .append(let append) = waiting[next]
        else { return false }
        waiting.remove(at: next)
        isDelivering = true
        noticeLoss()
        if !appendFaults.isEmpty {
            performAppend(append)
        } else if let number = beginTransaction(for: append) {
            transaction = (number, append)
        }
        return true
    }

    /// Commits the open transaction. False if none is open, or a delivery is under way.
    mutating func commitOpen() -> Bool {
        guard !isDelivering, let (number, append) = transaction else { return false }
        isDelivering = true
        transaction = nil
        if case .unavailable(let error) = availability {
            storage.withDatabase { $0.rollBack(number) }
            answer(append, .unavailable(error))
        } else {
            commit(number, of: append)
            noticeLoss()
        }
        return true
    }

    /// Rolls the open transaction back. Its append waits again, before all others.
    mutating func rollBackOpen() {
        guard let (number, append) = transaction else { return }
        transaction = nil
        storage.withDatabase { $0.rollBack(number) }
        waiting.insert(.append(append), at: 0)
    }

    /// Sends followers what is new, no matter who wrote it. False if a delivery is under way.
    mutating func poll() -> Bool {
        guard !isDelivering, !isCrashed else { return false }
        isDelivering = true
        noticeLoss()
        waiting.insert(contentsOf: heldBack.map { .append($0) }, at: 0)
        heldBack = []
        guard session != nil else { return true }
        let snapshot = storage.snapshot
        let reached = horizon.look(at: snapshot)
        let changes = snapshot.ledger.changes(after: polled, through: reached)
            .filter { followers.isAllFollowed || $0.stream == .hub }
        followers.tell(changes, of: snapshot.ledger, upTo: reached, with: hasher, in: &outbox)
        followers.tellOfAll(in: snapshot.ledger, upTo: reached, in: &outbox)
        polled = reached
        return true
    }

    /// Notices that the storage has ended the session.
    mutating func noticeLoss() {
        guard let session, !storage.withDatabase({ $0.isConnected(session) }) else { return }
        disconnect(.cannotWrite(reason: "the connection to the database was lost"), leaving: .rolledBack)
    }

    mutating func disconnect(_ error: EventLogError, leaving fate: InMemoryLog.TransactionFate) {
        guard session != nil else { return }
        if let transaction { answer(transaction.append, .outcomeUnknown) }
        leave(fate)
        become(.unavailable(error))
    }

    /// Ends the session and its open transaction.
    mutating func leave(_ fate: InMemoryLog.TransactionFate) {
        guard let session else { return }
        storage.withDatabase { database in
            database.disconnect(session)
            guard let number = transaction?.number else { return }
            switch fate {
            case .committed: _ = database.commit(number)
            case .rolledBack: database.rollBack(number)
            case .leftOpen: database.abandon(number)
            }
        }
        self.session = nil
        transaction = nil
    }

    /// A new connection. Followers of streams get what is new, then watchers learn of the connection. Followers of all
    /// streams get the rest with the next poll.
    mutating func reconnect() {
        noticeLoss()
        guard !isCrashed, session == nil, availability != .unavailable(.closed) else { return }
        session = storage.withDatabase { $0.connect() }
        claimAgain()
        let snapshot = storage.snapshot
        for stream in followers.streams {
            followers.tell(of: stream, in: snapshot.ledger, with: hasher, in: &outbox)
        }
        horizon = Horizon()
        polled = horizon.look(at: snapshot)
        become(.available)
    }
}
