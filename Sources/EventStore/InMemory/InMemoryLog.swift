import Records
import Synchronization

/// A log in memory for tests. It performs a call when told to, on the calling thread, and fails as ordered. Several on
/// one `InMemoryStorage` act like several processes on one PostgreSQL.
///
/// When stepped, every call waits for `step` or `run`. When automatic, a call is performed before it returns; if an
/// inbox makes it during a delivery, right after that delivery.
public final class InMemoryLog: SharedEventLog {
    /// When a call is performed.
    public enum Pace: Sendable {
        case stepped, automatic
    }

    /// A failure ordered for a later call.
    public enum Fault: Sendable, Equatable {
        /// Another writer appends this before the next append; it must fit. Followers get it before the answer, or by a
        /// later step.
        case overtaken(by: Commit, isToldLater: Bool = false)
        /// The next append alone is answered `unavailable`.
        case refused(EventLogError)
        /// The next append is answered `outcomeUnknown`. If it was written after all, followers get it by a later step.
        case outcomeUnknown(written: Bool)
        /// The next `load`, `follow` or `followAll` fails.
        case unreadable(EventLogError)
    }

    /// Most calls that may wait; beyond it, appends are `unavailable`. Far more than tests need, but it ends a runaway
    /// one.
    public static let waitingLimit = 65_536
    /// Most steps of one `run`. Beyond it, two parties keep feeding each other.
    public static let runLimit = 1_000_000
    /// How often an append is tried, once a poll, while another transaction claims its stream; then it is
    /// `unavailable`. At two polls a second, that is longer than a database leaves a transaction open that no one ends.
    public static let claimLimit = 20

    public let storage: InMemoryStorage
    private let waitingLimit: Int
    let state: Mutex<InMemoryLogState>

    /// `run` is that of the process that opens it, which another may fence.
    public init(
        storage: InMemoryStorage = InMemoryStorage(), run: String? = nil, pace: Pace = .automatic,
        waitingLimit: Int = waitingLimit
    ) {
        (self.storage, self.waitingLimit) = (storage, waitingLimit)
        state = Mutex(InMemoryLogState(storage: storage, run: run, pace: pace))
    }

    deinit { state.withLock { $0.leave(.rolledBack) } }

    public func append(_ commits: [TicketedCommit], answer: any LogInbox) {
        for it in commits { enqueue(.append(InMemoryAppend(commit: it.commit, ticket: it.ticket, inbox: answer))) }
    }

    public func load(_ stream: StreamName, after version: Int, limit: Int, ticket: Ticket, answer: any LogInbox) {
        enqueue(.load(stream, after: version, limit: limit, ticket, answer))
    }

    public func loadNewest(_ limit: Int, ticket: Ticket, answer: any LogInbox) {
        enqueue(.loadNewest(limit, ticket, answer))
    }

    public func follow(_ stream: StreamName, after version: Int, ticket: Ticket, into inbox: any LogInbox) {
        enqueue(.follow(.stream(stream), after: version, ticket, inbox))
    }

    public func followAll(after position: Int, ticket: Ticket, into inbox: any LogInbox) {
        enqueue(.follow(.all, after: position, ticket, inbox))
    }

    public func unfollow(_ ticket: Ticket, into inbox: any LogInbox) { enqueue(.unfollow(ticket, inbox)) }

    public func claim(_ stream: StreamName, ticket: Ticket, answer: any LogInbox) {
        enqueue(.change(ClaimChange(kind: .claim, stream: stream, ticket: ticket, inbox: answer)))
    }

    public func release(_ stream: StreamName, owed: Int?, at time: Int, ticket: Ticket, answer: any LogInbox) {
        enqueue(
            .change(ClaimChange(kind: .release(owed: owed, at: time), stream: stream, ticket: ticket, inbox: answer)))
    }

    public func refresh() { poll() }

    public func watchAvailability(into inbox: any LogInbox) { enqueue(.watch(inbox)) }

    public var counters: LogCounters { LogCounters() }

    public func close() {
        commit()
        run()
        change { $0.close() }
    }

    private func enqueue(_ call: InMemoryCall) {
        change { $0.enqueue(call, limit: waitingLimit) }
        if pace == .automatic { run() }
    }

    /// Changes the state, and delivers what follows from it.
    func change<Answer: Sendable>(_ work: (inout InMemoryLogState) -> Answer) -> Answer {
        var (answer, outbox) = state.withLock { (work(&$0), $0.takeOutbox()) }
        outbox.flush()
        return answer
    }
}

/// What a test does to the log.
extension InMemoryLog {
    /// When calls are performed from now on.
    public var pace: Pace {
        get { state.withLock { $0.pace } }
        set { state.withLock { $0.pace = newValue } }
    }

    /// Calls that wait, without those that are held back.
    public var waiting: Int { state.withLock { $0.waiting.count } }

    public var isReadingNext: Bool {
        state.withLock {
            switch $0.next {
            case .load, .loadNewest, .follow: true
            default: false
            }
        }
    }

    /// The next call, if it is an append.
    public var nextAppend: Commit? {
        state.withLock { if case .append(let append) = $0.next { append.commit } else { nil } }
    }

    /// Performs the call that has waited longest and delivers the result. False if none waits, or during a delivery.
    /// While a transaction is open, it takes the first call that is not an append.
    @discardableResult
    public func step() -> Bool { deliver { $0.performNext() } }

    /// Does a part of the work and delivers the result; false if there is none.
    func deliver(_ work: (inout InMemoryLogState) -> Bool) -> Bool {
        guard change(work) else { return false }
        state.withLock { $0.isDelivering = false }
        return true
    }

    /// Steps until nothing waits.
    public func run() {
        for _ in 0..<InMemoryLog.runLimit {
            guard step() else { return }
        }
        preconditionFailure("the log was still busy after \(InMemoryLog.runLimit) steps")
    }

    /// Orders a later call to fail. Faults of one kind are used in order.
    public func putIn(_ fault: Fault) { state.withLock { $0.putIn(fault) } }

    /// From now on appends are answered `unavailable`. Watchers learn of it at once.
    public func stopWrites(_ error: EventLogError) {
        change { if $0.session != nil { $0.become(.unavailable(error)) } }
    }

    /// Ends `stopWrites`.
    public func resumeWrites() { change { if $0.session != nil { $0.become(.available) } } }

    /// The process dies: what was written stays in `storage`, waiting calls are lost, and this log delivers nothing
    /// more.
    ///
    /// - Parameters:
    ///   - count: calls that are performed before that, without anyone being told.
    ///   - tearing: whether a part of the next append is written too, which the next log on this storage drops; never
    ///     if others use the storage.
    ///   - fate: what happens to an open transaction.
    public func crash(after count: Int = 0, tearing: Bool = false, leaving fate: TransactionFate = .rolledBack) {
        state.withLock {
            for _ in 0..<count {
                _ = $0.performNext()
                $0.isDelivering = false
            }
            $0.crash(tearing: tearing, leaving: fate)
        }
    }
}
