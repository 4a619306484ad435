// An `InMemoryLog` on a storage that others write to: transactions that stay open for a while, records of others, and a
// connection that can be lost.
extension InMemoryLogState {
    // MARK: Transactions

    /// Takes the first waiting append into a transaction. Returns what must be delivered; nil if none waits, one is
    /// already open, or a delivery is under way.
    mutating func beginNext() -> Outbox? {
        guard !isDelivering, transaction == nil, let next = waiting.firstIndex(where: \.isAppend),
            case .append(let append) = waiting[next]
        else { return nil }
        waiting.remove(at: next)
        isDelivering = true
        var outbox = Outbox()
        noticeLoss(in: &outbox)
        if !appendFaults.isEmpty {
            perform(append, in: &outbox)
        } else if let number = begin(append, in: &outbox) {
            transaction = (number, append)
        }
        return outbox
    }

    /// Commits the open transaction. Returns what must be delivered; nil if none is open, or a delivery is under way.
    mutating func commitOpen() -> Outbox? {
        guard !isDelivering, let (number, append) = transaction else { return nil }
        isDelivering = true
        transaction = nil
        var outbox = Outbox()
        if case .unavailable(let error) = availability {
            storage.withDatabase { $0.rollBack(number) }
            settle(append, .unavailable(error), in: &outbox)
        } else {
            commit(number, of: append, in: &outbox)
            noticeLoss(in: &outbox)
        }
        return outbox
    }

    /// Rolls the open transaction back. Its append waits again, before all others.
    mutating func rollBackOpen() {
        guard let (number, append) = transaction else { return }
        transaction = nil
        storage.withDatabase { $0.rollBack(number) }
        waiting.insert(.append(append), at: 0)
    }

    // MARK: Others' records

    /// Sends followers what is new, no matter who wrote it. Returns what must be delivered; nil if a delivery is under
    /// way.
    mutating func poll() -> Outbox? {
        guard !isDelivering, !isCrashed else { return nil }
        isDelivering = true
        var outbox = Outbox()
        noticeLoss(in: &outbox)
        waiting.insert(contentsOf: heldBack.map { .append($0) }, at: 0)
        heldBack = []
        guard session != nil else { return outbox }
        let snapshot = storage.snapshot
        let reached = horizon.look(at: snapshot)
        let changes = snapshot.ledger.changes(after: polled, through: reached)
            .filter { followers.isAllFollowed || $0.stream == .hub }
        followers.tell(changes, of: snapshot.ledger, upTo: reached, with: hasher, in: &outbox)
        followers.tellOfAll(in: snapshot.ledger, upTo: reached, in: &outbox)
        polled = reached
        return outbox
    }

    // MARK: The connection

    /// Notices that the storage has ended the session.
    mutating func noticeLoss(in outbox: inout Outbox) {
        guard let session, !storage.withDatabase({ $0.isConnected(session) }) else { return }
        lose(.cannotWrite(reason: "the connection to the database was lost"), leaving: .rolledBack, in: &outbox)
    }

    mutating func disconnect(_ error: EventLogError, leaving fate: InMemoryLog.TransactionFate) -> Outbox {
        var outbox = Outbox()
        lose(error, leaving: fate, in: &outbox)
        return outbox
    }

    private mutating func lose(
        _ error: EventLogError, leaving fate: InMemoryLog.TransactionFate, in outbox: inout Outbox
    ) {
        guard session != nil else { return }
        if let transaction { settle(transaction.append, .outcomeUnknown, in: &outbox) }
        leave(fate)
        become(.unavailable(error), in: &outbox)
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
    mutating func reconnect() -> Outbox {
        var outbox = Outbox()
        noticeLoss(in: &outbox)
        guard !isCrashed, session == nil, availability != .unavailable(.closed) else { return outbox }
        session = storage.withDatabase { $0.connect() }
        claimAgain(in: &outbox)
        let snapshot = storage.snapshot
        for stream in followers.streams {
            followers.tell(of: stream, in: snapshot.ledger, with: hasher, in: &outbox)
        }
        horizon = Horizon()
        polled = horizon.look(at: snapshot)
        become(.available, in: &outbox)
        return outbox
    }
}
