import Records
import Threads

/// The only thread that writes: takes all that waits into one transaction, then tells everyone. What other nodes write
/// also comes through here, so that each inbox gets everything in order.
///
/// After losing its connection it connects again. It appends commits of unknown outcome again under their ids: if they
/// are in the log, they are found.
final class DatabaseWriterThread {
    struct Append: Sendable {
        let commit: Commit
        let ticket: Ticket
        let answer: any LogInbox
        let handedOver: Nanoseconds
    }

    enum Job: Sendable {
        case append(Append)
        case change(ClaimChange)
        /// A catch-up that has been read to the end.
        case attach(CatchUp, DatabaseReaderThread.Progress)
        case unfollow(Ticket, any LogInbox)
        case watch(any LogInbox)
        /// Others are known to have written.
        case refresh
        /// The result of a poll; nil if it failed.
        case polled(FeedSlice?)
        /// Nil if the server answers, otherwise what is wrong.
        case probed(EventLogError?)
    }

    /// A commit that is retried.
    struct Retry {
        let append: Append
        /// It was sent before, and the connection was lost after that.
        let isUnsure: Bool
        /// When the caller is told that nothing was written, or that the outcome is unknown.
        let deadline: ContinuousClock.Instant
    }

    enum State {
        case writing(DatabaseSession)
        case down(EventLogError, retry: ContinuousClock.Instant)
    }

    struct Timing: Sendable {
        /// Between two looks for what other nodes have written, while anyone follows all streams.
        var poll = Duration.milliseconds(500)
        /// The same while waiting for a gap.
        var heldPoll = Duration.milliseconds(20)
        /// Between two checks of an idle log's connection.
        var check = Duration.seconds(1)
        /// How long a commit is retried. The transaction of a stopped node ends within 5 s.
        var retryLimit = Duration.seconds(10)
        /// Between two attempts at a commit whose stream another transaction has.
        var heldRetry = Duration.milliseconds(5)
    }

    let connector: DatabaseConnector
    let timing: Timing
    private let mailbox: Mailbox<Job>
    let reader: Mailbox<DatabaseReaderThread.Job>
    let catchUps: CatchUps
    let counters: SharedLogCounters
    var state: State
    /// The run of this log is lost, for good.
    var isFenced = false
    var followed = FollowedStreams()
    var watchers: [any LogInbox] = []
    var outbox = Outbox()
    /// In the order of their calls.
    var retries: [Retry] = []
    var nextRetry = ContinuousClock.now
    /// The streams that the run has claimed, and the inbox that learns of a lost claim.
    var held: [StreamName: any LogInbox] = [:]
    /// Catch-ups whose end could not be found while there was no connection.
    var postponed: [(CatchUp, DatabaseReaderThread.Progress)] = []
    var pause = ReconnectPause()
    private var nextCheck = ContinuousClock.now
    var nextPoll = ContinuousClock.now
    var isPolling = false
    var isProbing = false

    init(
        _ connector: DatabaseConnector, timing: Timing, mailbox: Mailbox<Job>,
        reader: Mailbox<DatabaseReaderThread.Job>, catchUps: CatchUps, counters: SharedLogCounters
    ) throws(EventLogError) {
        self.connector = connector
        self.timing = timing
        self.mailbox = mailbox
        self.reader = reader
        self.catchUps = catchUps
        self.counters = counters
        state = .writing(try connector.openSession())
    }

    func run() {
        while let jobs = mailbox.takeAll(waiting: max(.zero, ContinuousClock.now.duration(to: nextDue))) {
            perform(jobs)
            doWhatIsDue(at: .now)
            outbox.flush()
        }
        for retry in retries { answer(retry, because: .closed) }
        for (catchUp, _) in postponed { fail(catchUp, .closed) }
        for watcher in watchers { outbox.add(.availability(.unavailable(.closed)), to: watcher) }
        outbox.flush()
    }

    var availability: Availability {
        if isFenced { return .unavailable(.fenced) }
        return switch state {
        case .writing: .available
        case .down(let error, _): .unavailable(error)
        }
    }

    private var nextDue: ContinuousClock.Instant {
        var due = nextCheck
        if case .down(_, let retry) = state, !isProbing { due = retry }
        if !retries.isEmpty { due = min(due, nextRetry) }
        if isPolled, !isPolling { due = min(due, nextPoll) }
        return due
    }

    private func perform(_ jobs: [Job]) {
        var appends: [Retry] = []
        var changes: [ClaimChange] = []
        for job in jobs {
            if case .append(let append) = job {
                change(&changes)
                appends.append(Retry(append: append, isUnsure: false, deadline: .now + timing.retryLimit))
                if appends.count == DatabaseSession.transactionLimit { write(&appends) }
                continue
            }
            write(&appends)
            if case .change(let claim) = job {
                changes.append(claim)
                if changes.count == DatabaseSession.transactionLimit { change(&changes) }
                continue
            }
            change(&changes)
            switch job {
            case .append, .change: break
            case .attach(let catchUp, let progress): attach(catchUp, progress)
            case .unfollow(let ticket, let inbox): followed.remove(ticket, inbox)
            case .watch(let inbox):
                watchers.append(inbox)
                outbox.add(.availability(availability), to: inbox)
            // Even if a poll is under way, since it may have looked before.
            case .refresh: nextPoll = .now
            case .polled(let slice): take(slice)
            case .probed(let problem): finishProbe(problem)
            }
        }
        write(&appends)
        change(&changes)
        outbox.flush()
    }

    private func doWhatIsDue(at now: ContinuousClock.Instant) {
        if case .down(_, let retry) = state, retry <= now, !isProbing { probe() }
        if nextCheck <= now {
            nextCheck = now + timing.check
            _ = usableSession()
        }
        if !retries.isEmpty, nextRetry <= now { tryAgain(at: now) }
        if isPolled, !isPolling, nextPoll <= now {
            nextPoll = now + timing.poll
            poll()
        }
    }

    /// Whether a follower depends on polling.
    private var isPolled: Bool { followed.isAllFollowed || followed.states[.hub] != nil }

    private func poll() {
        if followed.isAllFollowed {
            isPolling = reader.post(.poll(after: followed.reached), isOwed: true) == .taken
        } else if let session = usableSession(), let problem = refresh([.hub], with: session) {
            // What was read through a closed session is read again through the next one.
            if session.isAlive() { goDown(because: problem) } else { nextPoll = .now }
        }
    }

    private func write(_ appends: inout [Retry]) {
        guard !appends.isEmpty else { return }
        counters.underWay.set(appends.count)
        write(appends)
        counters.underWay.set(0)
        appends.removeAll(keepingCapacity: true)
        outbox.flush()
    }

    private func tryAgain(at now: ContinuousClock.Instant) {
        nextRetry = now + timing.heldRetry
        let all = retries
        retries = []
        for late in all where late.deadline <= now { answer(late, because: held(late.append.commit)) }
        let rest = all.filter { $0.deadline > now }
        guard case .writing = state else { return retries = rest }
        var batch: [Retry] = []
        for retry in rest {
            batch.append(retry)
            if batch.count == DatabaseSession.transactionLimit { write(&batch) }
        }
        write(&batch)
    }

    private func held(_ commit: Commit) -> EventLogError {
        let streams = commit.parts.map(\.stream.shownInLogs).joined(separator: ", ")
        let run = commit.fencing.map { ", or one of run \($0.run) has not ended," } ?? ""
        return .cannotWrite(
            reason: "another node's transaction has not released \(streams)\(run) for \(timing.retryLimit)")
    }

    /// Gives up retrying it.
    func answer(_ retry: Retry, because error: EventLogError) {
        answer(retry.append, retry.isUnsure ? .outcomeUnknown : .unavailable(error))
    }

    func answer(_ append: Append, _ answer: AppendAnswer) {
        outbox.add(.settled(append.ticket, answer), to: append.answer)
    }
}
