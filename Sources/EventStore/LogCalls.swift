import Records
import Threads

/// What a log's callers hand to its two threads, and what these share.
final class LogCalls: Sendable {
    let reader: Mailbox<ReaderJob>
    let writer: Mailbox<WriterJob>
    let catchUps = CatchUps()
    let counters = SharedLogCounters()

    /// At most `limit` appends and as many reads wait.
    init(limit: Int) { (reader, writer) = (Mailbox(limit: limit), Mailbox(limit: limit)) }
}

enum ReaderJob: Sendable {
    case load(StreamName, after: Int, limit: Int, Ticket, any LogInbox)
    case loadNewest(Int, Ticket, any LogInbox)
    case catchUp(CatchUp, CatchUp.Progress)
    /// PostgreSQL: looks for what is new after this position.
    case poll(after: Int)
    /// PostgreSQL: finds out whether the server answers. The writer keeps refusing appends in that time.
    case probe
}

enum WriterJob: Sendable {
    case append(PendingAppend)
    /// A catch-up that has been read to the end.
    case attach(CatchUp, CatchUp.Progress)
    case unfollow(Ticket, any LogInbox)
    case watch(any LogInbox)
    /// SQLite: the disk answers again, after watchers were told that it does not.
    case diskAnswered
    /// PostgreSQL, as the following ones.
    case change(ClaimChange)
    /// Others are known to have written.
    case refresh
    /// The result of a poll; nil if it failed.
    case polled(FeedSlice?)
    /// Nil if the server answers, otherwise what is wrong.
    case probed(EventLogError?)
}

struct PendingAppend: Sendable {
    let commit: Commit
    let ticket: Ticket
    let answer: any LogInbox
    let handedOver: Nanoseconds
    /// PostgreSQL: it was sent before, and the connection was lost after that.
    var isUnsure = false
    /// PostgreSQL: the session that it was first sent through has ended.
    var isRepeated = false
    /// PostgreSQL: when the caller is told that nothing was written, or that the outcome is unknown.
    var deadline: ContinuousClock.Instant?

    func isLate(at now: ContinuousClock.Instant) -> Bool { deadline.map { $0 <= now } ?? false }
}
