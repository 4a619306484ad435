import Cryptography
import Records

/// A call on an `InMemoryLog`, with the inbox for its answer.
enum InMemoryCall: Sendable {
    case append(InMemoryAppend)
    case load(StreamName, after: Int, limit: Int, Ticket, any LogInbox)
    case loadNewest(Int, Ticket, any LogInbox)
    case follow(Followers.Source, after: Int, Ticket, any LogInbox)
    case unfollow(Ticket, any LogInbox)
    case watch(any LogInbox)
    case change(ClaimChange)
    /// Changes that were not delivered yet.
    case feed([StreamChange])

    var isAppend: Bool { if case .append = self { true } else { false } }
    fileprivate var feed: [StreamChange]? { if case .feed(let changes) = self { changes } else { nil } }
}

struct InMemoryAppend: Sendable {
    let commit: Commit
    let ticket: Ticket
    let inbox: any LogInbox
    /// How often another transaction had claimed one of its streams.
    var claimed = 0
}

/// The log itself, inside the lock of an `InMemoryLog`: calls in, messages out.
struct InMemoryLogState {
    let storage: InMemoryStorage
    let run: String?
    var pace: InMemoryLog.Pace
    let hasher = SHA256()
    var waiting: [InMemoryCall] = []
    /// Appends whose streams were claimed by another transaction. The next poll tries them again.
    var heldBack: [InMemoryAppend] = []
    var held: HeldClaims
    /// This log's own transaction, if one is open.
    var transaction: (number: Int, append: InMemoryAppend)?
    /// Nil while the log has no connection to the storage.
    var session: Int?
    var horizon = Horizon()
    /// The position up to which all followers of streams have been served.
    var polled: Int
    /// What was done inside the lock, to be delivered outside it.
    var outbox = Outbox()
    var isDelivering = false
    var isCrashed = false
    var availability = Availability.available
    var followers = InMemoryFollowers()
    var watchers: [any LogInbox] = []
    var appendFaults: [InMemoryLog.Fault] = []
    var readFaults: [EventLogError] = []

    init(storage: InMemoryStorage, run: String?, pace: InMemoryLog.Pace) {
        (self.storage, self.run, self.pace, held) = (storage, run, pace, HeldClaims(of: run))
        session = storage.withDatabase { $0.connect() }
        polled = horizon.look(at: storage.snapshot)
    }

    mutating func enqueue(_ call: InMemoryCall, limit: Int) {
        switch call {
        case _ where isCrashed: break
        case .append(let append) where waiting.count + heldBack.count >= limit:
            answer(append, .unavailable(.busy(waiting: limit)))
        default: waiting.append(call)
        }
    }

    mutating func takeOutbox() -> Outbox {
        defer { outbox = Outbox() }
        return outbox
    }

    mutating func putIn(_ fault: InMemoryLog.Fault) {
        if case .unreadable(let error) = fault { readFaults.append(error) } else { appendFaults.append(fault) }
    }

    mutating func become(_ availability: Availability) {
        guard !isCrashed, self.availability != .unavailable(.closed) else { return }
        if self.availability == .unavailable(.fenced), availability != .unavailable(.closed) { return }
        self.availability = availability
        for watcher in watchers { outbox.add(.availability(availability), to: watcher) }
    }

    mutating func close() {
        become(.unavailable(.closed))
        for append in heldBack { answer(append, .unavailable(.closed)) }
        heldBack = []
        leave(.rolledBack)
    }

    mutating func crash(tearing: Bool, leaving fate: InMemoryLog.TransactionFate) {
        if tearing, let session, case .append(let append) = waiting.first {
            storage.withDatabase { $0.tear(append.commit, by: session, with: hasher) }
        }
        (isCrashed, isDelivering, outbox) = (true, false, Outbox())
        (waiting, heldBack, watchers, followers) = ([], [], [], InMemoryFollowers())
        leave(fate)
    }

    /// The index of the next call; nil if there is none. Appends wait while a transaction is open.
    private var nextIndex: Int? {
        transaction == nil ? waiting.indices.first : waiting.firstIndex { !$0.isAppend }
    }

    var next: InMemoryCall? { nextIndex.map { waiting[$0] } }

    /// False if nothing can be performed, or a delivery is under way.
    mutating func performNext() -> Bool {
        guard !isDelivering, let next = nextIndex else { return false }
        isDelivering = true
        noticeLoss()
        runCall(waiting.remove(at: next))
        return true
    }

    private mutating func runCall(_ call: InMemoryCall) {
        switch call {
        case .append(let append): performAppend(append)
        case .load(let stream, let version, let limit, let ticket, let inbox):
            outbox.add(.loaded(ticket, load(stream, after: version, limit: limit)), to: inbox)
        case .loadNewest(let limit, let ticket, let inbox):
            outbox.add(.loaded(ticket, newest(limit)), to: inbox)
        case .follow(let source, let place, let ticket, let inbox):
            follow(source, after: place, ticket, inbox)
        case .unfollow(let ticket, let inbox): followers.remove(ticket, inbox)
        case .watch(let inbox):
            watchers.append(inbox)
            outbox.add(.availability(availability), to: inbox)
        case .change(let change): changeClaim(change)
        case .feed(let changes): if session != nil { tell(changes) }
        }
    }

    // MARK: Appending

    /// Begins and commits a transaction, unless a fault was ordered.
    mutating func performAppend(_ append: InMemoryAppend) {
        if case .available = availability {
            switch appendFaults.isEmpty ? nil : appendFaults.removeFirst() {
            case .refused(let error): return answer(append, .unavailable(error))
            case .outcomeUnknown(let isWritten):
                if isWritten { waiting.append(.feed(write(append.commit, by: run))) }
                return answer(append, .outcomeUnknown)
            case .overtaken(let other, let isToldLater):
                // Nothing is written if an open transaction, for example of a blocked process, holds the stream.
                let changes = write(other, by: run, judging: false)
                if isToldLater { waiting.append(.feed(changes)) } else { tellAll(changes) }
            case .unreadable, nil: break
            }
        }
        if let number = beginTransaction(for: append) { commit(number, of: append) }
    }

    /// The number of its open transaction; nil if the append is answered or held back.
    mutating func beginTransaction(for append: InMemoryAppend) -> Int? {
        if case .unavailable(let error) = availability {
            answer(append, .unavailable(error))
            return nil
        }
        switch judge(append.commit) {
        case .begun(let number): return number
        case .refused(let result):
            let snapshot = storage.snapshot
            for part in append.commit.parts where !isToldLater(part.stream) {
                followers.tell(of: part.stream, in: snapshot.ledger, with: hasher, in: &outbox)
            }
            answer(append, result.answer)
        case .claimed(let claimed): holdBack(append, at: claimed)
        case .fenced:
            become(.unavailable(.fenced))
            answer(append, .unavailable(.fenced))
        }
        return nil
    }

    /// Appends to one stream stay in order.
    private func judge(_ commit: Commit) -> InMemoryDatabase.Beginning {
        for part in commit.parts
        where heldBack.contains(where: { $0.commit.parts.contains { $0.stream == part.stream } }) {
            return .claimed(part.stream.shownInLogs)
        }
        return storage.withDatabase { $0.beginTransaction(for: commit, by: run, with: hasher) }
    }

    /// Neither `conflict` nor `appended` would be true, and after a `conflict` the caller would ask again at once.
    private mutating func holdBack(_ append: InMemoryAppend, at claimed: String) {
        var append = append
        append.claimed += 1
        guard append.claimed <= InMemoryLog.claimLimit else {
            let reason = "another transaction has not released \(claimed)"
            return answer(append, .unavailable(.cannotWrite(reason: reason)))
        }
        heldBack.append(append)
    }

    mutating func commit(_ number: Int, of append: InMemoryAppend) {
        // The database has failed over in between.
        guard let changes = storage.withDatabase({ $0.commit(number) }) else {
            return answer(append, .outcomeUnknown)
        }
        tellAll(changes)
        answer(append, AppendResult.written(changes).answer)
    }

    mutating func answer(_ append: InMemoryAppend, _ answer: AppendAnswer) {
        outbox.add(.settled(append.ticket, answer), to: append.inbox)
    }

    /// Writes without telling anyone; writes nothing if it does not fit. `judging`: whether the holder of the claims
    /// writes.
    private func write(_ commit: Commit, by run: String?, judging: Bool = true) -> [StreamChange] {
        storage.withDatabase { database in
            guard case .begun(let number) = database.beginTransaction(for: commit, by: run, with: hasher) else {
                return []
            }
            return database.commit(number, judging: judging) ?? []
        }
    }

    /// Whether a later step delivers its changes, as ordered.
    private func isToldLater(_ stream: StreamName) -> Bool {
        waiting.contains { $0.feed?.contains { $0.stream == stream } ?? false }
    }

    /// Delivers earlier changes first, because followers of all streams get everything in the order of positions.
    private mutating func tellAll(_ changes: [StreamChange]) {
        for earlier in waiting.compactMap(\.feed) { tell(earlier) }
        waiting.removeAll { $0.feed != nil }
        tell(changes)
    }

    private mutating func tell(_ changes: [StreamChange]) {
        let snapshot = storage.snapshot
        followers.tell(changes, of: snapshot.ledger, upTo: horizon.look(at: snapshot), with: hasher, in: &outbox)
    }
}
