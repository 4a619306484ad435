/// The only thread that writes: takes all that waits into one transaction, then tells everyone. What other nodes write
/// also comes through here, so that each inbox gets everything in order. After losing its connection it connects again.
final class DatabaseWriterThread: StoreThread {
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

    private let timing: Timing
    private let deliveries: LogDeliveries
    private let followers: DatabaseFollowerDesk
    private let claims: DatabaseClaims
    private let retries: RetryQueue
    private let sessions: DatabaseSessions
    private let appends: DatabaseAppends
    private var nextCheck = ContinuousClock.now

    init(_ connector: DatabaseConnector, timing: Timing, _ calls: LogCalls) throws(EventLogError) {
        self.timing = timing
        deliveries = LogDeliveries(calls.catchUps)
        followers = DatabaseFollowerDesk(calls, deliveries, timing)
        claims = DatabaseClaims(of: connector.run, deliveries)
        retries = RetryQueue(deliveries)
        sessions = try DatabaseSessions(connector, calls, deliveries, followers, claims, retries)
        appends = DatabaseAppends(sessions, followers, retries, deliveries, calls.counters, timing)
    }

    var nextDue: ContinuousClock.Instant? {
        [sessions.nextProbe ?? nextCheck, appends.nextRetry, followers.nextPoll].compactMap(\.self).min()
    }

    /// Writes appends together, and claims together, as far as nothing else comes between them.
    func runJobs(_ jobs: [WriterJob]) {
        var writing: [PendingAppend] = []
        var changes: [ClaimChange] = []
        for job in jobs {
            if case .append(var append) = job {
                claims.runChanges(&changes, through: sessions)
                append.deadline = .now + timing.retryLimit
                writing.append(append)
                if writing.count == DatabaseSession.transactionLimit { appends.write(&writing) }
                continue
            }
            appends.write(&writing)
            if case .change(let change) = job {
                changes.append(change)
                if changes.count == DatabaseSession.transactionLimit { claims.runChanges(&changes, through: sessions) }
                continue
            }
            claims.runChanges(&changes, through: sessions)
            runJob(job)
        }
        appends.write(&writing)
        claims.runChanges(&changes, through: sessions)
        deliveries.flush()
        doWhatIsDue(at: .now)
        deliveries.flush()
    }

    private func runJob(_ job: WriterJob) {
        switch job {
        case .attach(let catchUp, let progress): followers.attach(catchUp, progress, through: sessions)
        case .unfollow(let ticket, let inbox): followers.unfollow(ticket, inbox)
        case .watch(let inbox): sessions.watch(inbox)
        case .refresh: followers.pollSoon()
        case .polled(let slice): followers.pollAnswered(slice, through: sessions)
        case .probed(let problem): sessions.probeAnswered(problem)
        case .append, .change, .diskAnswered: preconditionFailure("these are not single jobs of a database")
        }
    }

    private func doWhatIsDue(at now: ContinuousClock.Instant) {
        func isDue(_ time: ContinuousClock.Instant?) -> Bool { time.map { $0 <= now } ?? false }
        if isDue(sessions.nextProbe) { sessions.probe() }
        if isDue(nextCheck) {
            nextCheck = now + timing.check
            _ = sessions.usableSession()
        }
        if isDue(appends.nextRetry) { appends.retry(at: now) }
        if isDue(followers.nextPoll) { followers.poll(through: sessions) }
    }

    func shutDown() {
        retries.giveUp(because: .closed)
        followers.failPostponed(.closed)
        sessions.shutDown()
        deliveries.flush()
    }
}
