import Records

extension InMemoryLogState {
    mutating func load(_ stream: StreamName, after version: Int, limit: Int) -> Result<[Record], EventLogError> {
        if let error = takeReadError() { return .failure(error) }
        return storage.withLedger { ledger in
            do throws(EventLogError) {
                return .success(try ledger.load(stream, after: version, limit: limit, with: hasher))
            } catch {
                return .failure(error)
            }
        }
    }

    mutating func newest(_ limit: Int) -> Result<[Record], EventLogError> {
        if let error = takeReadError() { return .failure(error) }
        // The array's own suffix; a sequence's would walk through everything.
        let newest: ArraySlice<Record> = storage.records.suffix(limit)
        return .success(Array(newest))
    }

    mutating func follow(_ source: Followers.Source, after place: Int, _ ticket: Ticket, _ inbox: any LogInbox) {
        switch source {
        case .stream(let stream): follow(stream, after: place, ticket, inbox)
        case .all: followAll(after: place, ticket, inbox)
        }
    }

    private mutating func follow(_ stream: StreamName, after version: Int, _ ticket: Ticket, _ inbox: any LogInbox) {
        switch load(stream, after: version, limit: .max) {
        case .success(let records):
            if !records.isEmpty { outbox.add(.records(ticket, records), to: inbox) }
            let ledger = storage.snapshot.ledger
            let end = ledger.end(of: stream)
            outbox.add(.caughtUp(ticket, version: end.version, head: end.head), to: inbox)
            followers.add(ticket, inbox, to: stream, in: ledger)
        case .failure(let error): outbox.add(.followFailed(ticket, error), to: inbox)
        }
    }

    private mutating func followAll(after position: Int, _ ticket: Ticket, _ inbox: any LogInbox) {
        if let error = takeReadError() { return outbox.add(.followFailed(ticket, error), to: inbox) }
        let snapshot = storage.snapshot
        let reached = max(position, horizon.look(at: snapshot))
        let records = snapshot.ledger.records(after: position).prefix { $0.position <= reached }
        let erased = snapshot.ledger.erased(after: position).prefix { $0.erasure.position <= reached }
        let entries = [FeedEntry](Array(records), erased.map(\.erasure))
        for message in entries.messages(for: ticket) { outbox.add(message, to: inbox) }
        outbox.add(.caughtUp(ticket, version: reached, head: StreamName.all.origin), to: inbox)
        followers.addToAll(ticket, inbox, at: reached)
    }

    /// Why nothing can be read, or why this read was ordered to fail.
    private mutating func takeReadError() -> EventLogError? {
        if availability == .unavailable(.closed) { return .closed }
        if session == nil { return .cannotRead(reason: "there is no connection to the database") }
        return readFaults.isEmpty ? nil : readFaults.removeFirst()
    }
}
