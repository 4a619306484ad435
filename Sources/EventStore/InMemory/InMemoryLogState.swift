import Cryptography

/// A call on an `InMemoryLog`, with whoever waits for its answer.
enum InMemoryCall: Sendable {
    case append(Commit, Ticket, any LogInbox)
    case load(StreamName, after: Int, limit: Int, Ticket, any LogInbox)
    case loadNewest(Int, Ticket, any LogInbox)
    case follow(Followers.Source, after: Int, Ticket, any LogInbox)
    case unfollow(Ticket, any LogInbox)
    case watch(any LogInbox)
    /// What nobody has been told of.
    case feed([StreamChange])

    fileprivate var isFeed: Bool { if case .feed = self { true } else { false } }
}

/// The log itself, behind the lock of an `InMemoryLog`: calls in, messages out.
struct InMemoryLogState {
    let storage: InMemoryStorage
    var pace: InMemoryLog.Pace
    let hasher = SHA256()
    var waiting: [InMemoryCall] = []
    var isDelivering = false
    var isCrashed = false
    var availability = Availability.available
    var followers = Followers()
    var watchers: [any LogInbox] = []
    var appendFaults: [InMemoryLog.Fault] = []
    var readFaults: [EventLogError] = []

    init(storage: InMemoryStorage, pace: InMemoryLog.Pace) { (self.storage, self.pace) = (storage, pace) }

    mutating func take(_ call: InMemoryCall, limit: Int) -> Outbox {
        var refused = Outbox()
        if isCrashed { return refused }
        switch call {
        case .append(_, let ticket, let inbox) where waiting.count >= limit:
            let error = EventLogError.cannotWrite(reason: "\(limit) calls wait already")
            refused.add(.settled(ticket, .unavailable(error)), to: inbox)
        default: waiting.append(call)
        }
        return refused
    }

    mutating func putIn(_ fault: InMemoryLog.Fault) {
        if case .unreadable(let error) = fault { readFaults.append(error) } else { appendFaults.append(fault) }
    }

    mutating func stopWrites(_ error: EventLogError) -> Outbox {
        var outbox = Outbox()
        guard !isCrashed, availability != .unavailable(.closed) else { return outbox }
        availability = .unavailable(error)
        for watcher in watchers { outbox.add(.availability(availability), to: watcher) }
        return outbox
    }

    mutating func resumeWrites() -> Outbox {
        var outbox = Outbox()
        guard !isCrashed, availability != .unavailable(.closed) else { return outbox }
        availability = .available
        for watcher in watchers { outbox.add(.availability(availability), to: watcher) }
        return outbox
    }

    mutating func crash(tearing: Bool) {
        if tearing, case .append(let commit, _, _) = waiting.first {
            storage.withLedger { $0.tear(commit, with: hasher) }
        }
        isCrashed = true
        isDelivering = false
        waiting = []
        followers = Followers()
        watchers = []
    }

    /// What is to be delivered; nil if nothing waits or a delivery is under way.
    mutating func performNext() -> Outbox? {
        guard !isDelivering, !waiting.isEmpty else { return nil }
        isDelivering = true
        var outbox = Outbox()
        perform(waiting.removeFirst(), in: &outbox)
        return outbox
    }

    private mutating func perform(_ call: InMemoryCall, in outbox: inout Outbox) {
        switch call {
        case .append(let commit, let ticket, let inbox):
            outbox.add(.settled(ticket, append(commit, in: &outbox)), to: inbox)
        case .load(let stream, let version, let limit, let ticket, let inbox):
            outbox.add(.loaded(ticket, load(stream, after: version, limit: limit)), to: inbox)
        case .loadNewest(let limit, let ticket, let inbox):
            outbox.add(.loaded(ticket, newest(limit)), to: inbox)
        case .follow(let source, let place, let ticket, let inbox):
            follow(source, after: place, ticket, inbox, in: &outbox)
        case .unfollow(let ticket, let inbox): followers.remove(ticket, inbox)
        case .watch(let inbox):
            watchers.append(inbox)
            outbox.add(.availability(availability), to: inbox)
        case .feed(let changes): tell(changes, in: &outbox)
        }
    }

    private mutating func append(_ commit: Commit, in outbox: inout Outbox) -> AppendAnswer {
        if case .unavailable(let error) = availability { return .unavailable(error) }
        switch appendFaults.isEmpty ? nil : appendFaults.removeFirst() {
        case .refused(let error): return .unavailable(error)
        case .outcomeUnknown(let isWritten):
            if isWritten { waiting.append(.feed(write(commit).changes)) }
            return .outcomeUnknown
        case .overtaken(let other, let isToldLater):
            let result = write(other)
            precondition(!result.changes.isEmpty, "what another writer appends must fit: \(result)")
            if isToldLater { waiting.append(.feed(result.changes)) } else { tellAll(result.changes, in: &outbox) }
        case .unreadable, nil: break
        }
        let result = write(commit)
        tellAll(result.changes, in: &outbox)
        return result.answer
    }

    /// What nobody has been told of comes first: whoever follows all gets everything in the order of positions.
    private mutating func tellAll(_ changes: [StreamChange], in outbox: inout Outbox) {
        if !changes.isEmpty, waiting.contains(where: \.isFeed) {
            for case .feed(let earlier) in waiting { tell(earlier, in: &outbox) }
            waiting.removeAll(where: \.isFeed)
        }
        tell(changes, in: &outbox)
    }

    private func tell(_ changes: [StreamChange], in outbox: inout Outbox) {
        for change in changes { followers.tell(change, in: &outbox) }
    }

    private func write(_ commit: Commit) -> AppendResult { storage.withLedger { $0.append(commit, with: hasher) } }

    private mutating func load(
        _ stream: StreamName, after version: Int, limit: Int
    ) -> Result<[Record], EventLogError> {
        if availability == .unavailable(.closed) { return .failure(.closed) }
        if !readFaults.isEmpty { return .failure(readFaults.removeFirst()) }
        return storage.withLedger { ledger in
            do throws(EventLogError) {
                return .success(try ledger.load(stream, after: version, limit: limit, with: hasher))
            } catch {
                return .failure(error)
            }
        }
    }

    private mutating func newest(_ limit: Int) -> Result<[Record], EventLogError> {
        if availability == .unavailable(.closed) { return .failure(.closed) }
        if !readFaults.isEmpty { return .failure(readFaults.removeFirst()) }
        // The array's own suffix: a sequence's would go through all that there is.
        let newest: ArraySlice<Record> = storage.records.suffix(limit)
        return .success(Array(newest))
    }

    private mutating func follow(
        _ source: Followers.Source, after place: Int, _ ticket: Ticket, _ inbox: any LogInbox,
        in outbox: inout Outbox
    ) {
        switch source {
        case .stream(let stream):
            switch load(stream, after: place, limit: .max) {
            case .success(let records):
                if !records.isEmpty { outbox.add(.records(ticket, records), to: inbox) }
                let end = storage.end(of: stream)
                outbox.add(.caughtUp(ticket, version: end.version, head: end.head), to: inbox)
                followers.add(ticket, inbox, to: source)
            case .failure(let error): outbox.add(.followFailed(ticket, error), to: inbox)
            }
        case .all:
            if availability == .unavailable(.closed) {
                return outbox.add(.followFailed(ticket, .closed), to: inbox)
            }
            if !readFaults.isEmpty {
                return outbox.add(.followFailed(ticket, readFaults.removeFirst()), to: inbox)
            }
            let (records, erasures, position) = storage.withLedger { ledger in
                (
                    Array(ledger.records(after: place)), ledger.erasures.filter { $0.position > place },
                    ledger.lastPosition
                )
            }
            for message in AllStreamsSlice(records, erasures, limit: .max, for: ticket).messages {
                outbox.add(message, to: inbox)
            }
            outbox.add(.caughtUp(ticket, version: position, head: StreamName.all.origin), to: inbox)
            followers.add(ticket, inbox, to: source)
        }
    }
}
