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
    /// The streams that the run has claimed, and the inbox that learns of a lost claim.
    var held: [StreamName: any LogInbox] = [:]
    /// This log's own transaction, if one is open.
    var transaction: (number: Int, append: InMemoryAppend)?
    /// Nil while the log has no connection to the storage.
    var session: Int?
    var horizon = Horizon()
    /// The position up to which all followers of streams have been served.
    var polled: Int
    var isDelivering = false
    var isCrashed = false
    var availability = Availability.available
    var followers = InMemoryFollowers()
    var watchers: [any LogInbox] = []
    var appendFaults: [InMemoryLog.Fault] = []
    var readFaults: [EventLogError] = []

    init(storage: InMemoryStorage, run: String?, pace: InMemoryLog.Pace) {
        (self.storage, self.run, self.pace) = (storage, run, pace)
        session = storage.withDatabase { $0.connect() }
        polled = horizon.look(at: storage.snapshot)
    }

    mutating func take(_ call: InMemoryCall, limit: Int) -> Outbox {
        var refused = Outbox()
        if isCrashed { return refused }
        switch call {
        case .append(let append) where waiting.count + heldBack.count >= limit:
            let error = EventLogError.busy(waiting: limit)
            refused.add(.settled(append.ticket, .unavailable(error)), to: append.inbox)
        default: waiting.append(call)
        }
        return refused
    }

    mutating func putIn(_ fault: InMemoryLog.Fault) {
        if case .unreadable(let error) = fault { readFaults.append(error) } else { appendFaults.append(fault) }
    }

    mutating func stopWrites(_ error: EventLogError) -> Outbox {
        var outbox = Outbox()
        if session != nil { become(.unavailable(error), in: &outbox) }
        return outbox
    }

    mutating func resumeWrites() -> Outbox {
        var outbox = Outbox()
        if session != nil { become(.available, in: &outbox) }
        return outbox
    }

    mutating func become(_ availability: Availability, in outbox: inout Outbox) {
        guard !isCrashed, self.availability != .unavailable(.closed) else { return }
        if self.availability == .unavailable(.fenced), availability != .unavailable(.closed) { return }
        self.availability = availability
        for watcher in watchers { outbox.add(.availability(availability), to: watcher) }
    }

    mutating func close() -> Outbox {
        var outbox = Outbox()
        become(.unavailable(.closed), in: &outbox)
        for append in heldBack { outbox.add(.settled(append.ticket, .unavailable(.closed)), to: append.inbox) }
        heldBack = []
        leave(.rolledBack)
        return outbox
    }

    mutating func crash(tearing: Bool, leaving fate: InMemoryLog.TransactionFate) {
        if tearing, let session, case .append(let append) = waiting.first {
            storage.withDatabase { $0.tear(append.commit, by: session, with: hasher) }
        }
        isCrashed = true
        isDelivering = false
        (waiting, heldBack, watchers, followers) = ([], [], [], InMemoryFollowers())
        leave(fate)
    }

    /// The index of the next call; nil if there is none. Appends wait while a transaction is open.
    private var nextIndex: Int? {
        transaction == nil ? waiting.indices.first : waiting.firstIndex { !$0.isAppend }
    }

    var next: InMemoryCall? { nextIndex.map { waiting[$0] } }

    /// Returns what must be delivered; nil if nothing can be performed, or a delivery is under way.
    mutating func performNext() -> Outbox? {
        guard !isDelivering, let next = nextIndex else { return nil }
        isDelivering = true
        var outbox = Outbox()
        noticeLoss(in: &outbox)
        perform(waiting.remove(at: next), in: &outbox)
        return outbox
    }

    private mutating func perform(_ call: InMemoryCall, in outbox: inout Outbox) {
        switch call {
        case .append(let append): perform(append, in: &outbox)
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
        case .change(let change): perform(change, in: &outbox)
        case .feed(let changes): if session != nil { tell(changes, in: &outbox) }
        }
    }

    // MARK: Appending

    /// Begins and commits a transaction, unless a fault was ordered.
    mutating func perform(_ append: InMemoryAppend, in outbox: inout Outbox) {
        if case .available = availability {
            switch appendFaults.isEmpty ? nil : appendFaults.removeFirst() {
            case .refused(let error): return settle(append, .unavailable(error), in: &outbox)
            case .outcomeUnknown(let isWritten):
                if isWritten { waiting.append(.feed(write(append.commit, by: run))) }
                return settle(append, .outcomeUnknown, in: &outbox)
            case .overtaken(let other, let isToldLater):
                // Nothing is written if an open transaction, for example of a blocked process, holds the stream.
                let changes = write(other, by: run, judging: false)
                if isToldLater { waiting.append(.feed(changes)) } else { tellAll(changes, in: &outbox) }
            case .unreadable, nil: break
            }
        }
        if let number = begin(append, in: &outbox) { commit(number, of: append, in: &outbox) }
    }

    /// The number of its open transaction; nil if the append is answered or held back.
    mutating func begin(_ append: InMemoryAppend, in outbox: inout Outbox) -> Int? {
        if case .unavailable(let error) = availability {
            settle(append, .unavailable(error), in: &outbox)
            return nil
        }
        switch judge(append.commit) {
        case .begun(let number): return number
        case .refused(let result):
            let snapshot = storage.snapshot
            for part in append.commit.parts where !isToldLater(part.stream) {
                followers.tell(of: part.stream, in: snapshot.ledger, with: hasher, in: &outbox)
            }
            settle(append, result.answer, in: &outbox)
        case .claimed(let claimed): holdBack(append, at: claimed, in: &outbox)
        case .fenced:
            become(.unavailable(.fenced), in: &outbox)
            settle(append, .unavailable(.fenced), in: &outbox)
        }
        return nil
    }

    /// Appends to one stream stay in order.
    private func judge(_ commit: Commit) -> InMemoryDatabase.Beginning {
        for part in commit.parts
        where heldBack.contains(where: { $0.commit.parts.contains { $0.stream == part.stream } }) {
            return .claimed(part.stream.shownInLogs)
        }
        return storage.withDatabase { $0.begin(commit, by: run, with: hasher) }
    }

    /// Neither `conflict` nor `appended` would be true, and after a `conflict` the caller would ask again at once.
    private mutating func holdBack(_ append: InMemoryAppend, at claimed: String, in outbox: inout Outbox) {
        var append = append
        append.claimed += 1
        guard append.claimed <= InMemoryLog.claimLimit else {
            let reason = "another transaction has not released \(claimed)"
            return settle(append, .unavailable(.cannotWrite(reason: reason)), in: &outbox)
        }
        heldBack.append(append)
    }

    mutating func commit(_ number: Int, of append: InMemoryAppend, in outbox: inout Outbox) {
        // The database has failed over in between.
        guard let changes = storage.withDatabase({ $0.commit(number) }) else {
            return settle(append, .outcomeUnknown, in: &outbox)
        }
        tellAll(changes, in: &outbox)
        settle(append, AppendResult.written(changes).answer, in: &outbox)
    }

    func settle(_ append: InMemoryAppend, _ answer: AppendAnswer, in outbox: inout Outbox) {
        outbox.add(.settled(append.ticket, answer), to: append.inbox)
    }

    /// Writes without telling anyone; writes nothing if it does not fit. `judging`: whether the holder of the claims
    /// writes.
    private func write(_ commit: Commit, by run: String?, judging: Bool = true) -> [StreamChange] {
        storage.withDatabase { database in
            guard case .begun(let number) = database.begin(commit, by: run, with: hasher) else { return [] }
            return database.commit(number, judging: judging) ?? []
        }
    }

    /// Whether a later step delivers its changes, as ordered.
    private func isToldLater(_ stream: StreamName) -> Bool {
        waiting.contains { $0.feed?.contains { $0.stream == stream } ?? false }
    }

    /// Delivers earlier changes first, because followers of all streams get everything in the order of positions.
    private mutating func tellAll(_ changes: [StreamChange], in outbox: inout Outbox) {
        for earlier in waiting.compactMap(\.feed) { tell(earlier, in: &outbox) }
        waiting.removeAll { $0.feed != nil }
        tell(changes, in: &outbox)
    }

    private mutating func tell(_ changes: [StreamChange], in outbox: inout Outbox) {
        let snapshot = storage.snapshot
        followers.tell(
            changes, of: snapshot.ledger, upTo: horizon.look(at: snapshot), with: hasher, in: &outbox)
    }
}
