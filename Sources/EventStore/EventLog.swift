import Cryptography
import Records

/// The hub's memory: streams of events that are durable before anyone sees them. Engines: `SQLiteLog`, `PostgreSQLLog`,
/// `InMemoryLog`.
///
/// Every call returns at once. Its result is delivered to the given inbox from the log's own threads (the in-memory
/// engine: from the thread that steps it). An inbox gets everything in the order in which it happened. The records of
/// an append come before its answer, and the records of one commit come in one delivery.
///
/// An engine may let several processes write to one log, each through its own `EventLog`. Each process learns what the
/// others wrote in two ways: before an answer `conflict` or `repeated` (all of the commit's streams), and by polling
/// twice a second. Polling reads up to the first gap of positions, for followers of all streams and of single ones. If
/// no one follows all streams, only `hub` is polled: every other stream has one writer, or its readers are notified in
/// another way. No record is delivered twice, or before an earlier one.
///
/// A database that has failed over may have lost its newest records, and then reuses their positions. The log does not
/// report this by itself. An append that expects a lost record gets `conflict`, with an `actual` of an earlier version
/// or another head. A follower whose stream has grown from something other than what it was sent gets `followFailed`.
/// So followers of streams compare their ends when the log is available again, and followers of all streams start again
/// at the position that they have stored.
///
/// A log may be opened for one run of a process (see `LeaseStore`). Once that run is fenced (`Commit.fencing`), the log
/// never writes again: every append is answered `unavailable`, or `outcomeUnknown` if it was already sent. The log
/// notices this, and tells watchers, at its next write. Reads still work.
public protocol EventLog: AnyObject, Sendable {
    /// Hands over commits, in order. For each, the log does all of it, or nothing, and answers by `settled`.
    ///
    /// Each stream must end at the expected version with the expected head. If not, the answer is `conflict` with the
    /// first that does not. If one of the streams already has a commit of this id, nothing is written and the answer is
    /// `repeated`, no matter what was expected. The caller reads what that commit wrote, since someone else may have
    /// written it.
    ///
    /// While another writer has a transaction open on one of the streams, the engine cannot know whether it ends as
    /// expected. The log retries until that transaction ends, or answers `unavailable` after some seconds. It does not
    /// answer `conflict` with the very end that the caller expected, because the caller would ask the same again at
    /// once.
    ///
    /// An erased stream is as if it had never existed, including its commits' ids. But its positions are not reused,
    /// and its last head is kept for `followAll`. Followers of the stream and of all streams get `erased`.
    func append(_ commits: [TicketedCommit], answer: any LogInbox)

    /// Reads up to `limit` records of `stream` after `version`, checked against their chain. Answered by `loaded`.
    func load(_ stream: StreamName, after version: Int, limit: Int, ticket: Ticket, answer: any LogInbox)

    /// Reads up to `limit` of the newest records of all streams, in the order of their positions. Does not check
    /// chains. Answered by `loaded`.
    func loadNewest(_ limit: Int, ticket: Ticket, answer: any LogInbox)

    /// Delivers all records of `stream` after `version`, then each new one, without gaps or repeats: `records`, then
    /// `caughtUp`, then `records`. Delivers `followFailed` instead, and ends, if the chain is broken or the log cannot
    /// be read, or later if a new record does not follow from those delivered.
    func follow(_ stream: StreamName, after version: Int, ticket: Ticket, into inbox: any LogInbox)

    /// The same for all streams, in the order of their positions, with an `erased` in its place for each erasure after
    /// `position`. Does not check chains, so that one altered stream does not stop followers of all.
    ///
    /// With several writers, each draws positions before it commits. Lower positions may therefore appear after higher
    /// ones, or never. What follows such a gap is delivered when the appends that were under way at that time have
    /// ended. A commit of this log itself may thus be delivered after its answer.
    func followAll(after position: Int, ticket: Ticket, into inbox: any LogInbox)

    /// Ends the `follow` or `followAll` with this ticket and inbox. A delivery that is under way may still arrive.
    func unfollow(_ ticket: Ticket, into inbox: any LogInbox)

    /// Looks now for what other processes have written, besides polling. Does nothing if there are none.
    func refresh()

    /// Sends `inbox` the present state, then each change of whether the log takes writes.
    func watchAvailability(into inbox: any LogInbox)

    /// Counts since the log was opened; all zero if the engine does not count.
    var counters: LogCounters { get }

    /// What the acknowledged part of the log holds, for storing outside it; nil if the engine does not count it.
    /// Callable from any thread, also after `close`.
    var tally: LogTally? { get }

    /// Ends and answers what is under way, and closes files and threads. Later appends are answered `unavailable`.
    func close()
}

extension EventLog {
    public var tally: LogTally? { nil }

    /// The same with a single commit.
    public func append(_ commit: Commit, ticket: Ticket, answer: any LogInbox) {
        append([TicketedCommit(commit, ticket)], answer: answer)
    }
}

/// The caller's number for a request to the log, by which it recognises the answer.
public typealias Ticket = UInt64

/// A commit on its way to the log, and the ticket of its answer.
public struct TicketedCommit: Sendable {
    public let commit: Commit
    public let ticket: Ticket

    public init(_ commit: Commit, _ ticket: Ticket) { (self.commit, self.ticket) = (commit, ticket) }
}

/// Where a log delivers its answers: one for each event loop.
public protocol LogInbox: AnyObject, Sendable {
    /// Called from the log's threads with one batch at a time, in order. Hands the batch over and returns.
    func deliver(_ messages: [LogMessage])
}

/// A message of a log to an inbox.
public enum LogMessage: Sendable, Equatable {
    /// Durable records of one `follow` or `followAll`, in order.
    case records(Ticket, [Record])
    /// Everything that existed when `follow` started has been delivered. Has the stream's version and its head
    /// (`StreamName.origin` at version 0). For `followAll`: the highest position so far, or the last one before the
    /// first gap, and the digest of nothing.
    case caughtUp(Ticket, version: Int, head: Digest)
    case followFailed(Ticket, EventLogError)
    case settled(Ticket, AppendAnswer)
    case loaded(Ticket, Result<[Record], EventLogError>)
    /// The followed stream, or one of all streams, was erased. A follower of that stream starts again at version 1.
    case erased(Ticket, Erasure)
    case availability(Availability)
    /// Who holds the claim now, which may be another run.
    case claimed(Ticket, Result<Claim, EventLogError>)
    /// The claim is no one's, or not this run's; or that is unknown.
    case released(Ticket, Result<StreamName, EventLogError>)
    /// Another run has claimed a stream that this run had claimed.
    case claimLost(StreamName)
    /// This run has claimed a stream again after losing its connection, and the log has gone back to when another run
    /// held the stream. Time is owed because of that.
    case claimedAgain(Claim)
}

/// The answer to an append.
public enum AppendAnswer: Sendable, Equatable {
    /// On disk: it survives kill -9 and loss of power. `version` is that of the last record in the first stream that
    /// was appended to; 0 if the commit only erased.
    case appended(version: Int)
    /// A commit with this id was written before, with the same content or another. `version` is that of its last record
    /// in the first stream that has it.
    case repeated(version: Int)
    /// Nothing was written. The stream ends at `actual`, which is never the expected end.
    case conflict(StreamName, actual: StreamEnd)
    /// Nothing was written. Another run holds the claim of this stream.
    case claimed(StreamName)
    /// Nothing was written. The run to be fenced has renewed its lease, so it is not lost.
    case renewed
    /// Nothing was written. The log takes no writes now.
    case unavailable(EventLogError)
    /// The engine was lost during the append. Only reading the stream tells whether it was written.
    case outcomeUnknown
}

public enum Availability: Sendable, Equatable {
    case available
    case unavailable(EventLogError)
}

/// An error of a log. `sentence` describes it.
public enum EventLogError: Error, Sendable, Equatable {
    /// The folder or file cannot be opened or created, or the database cannot be reached.
    case cannotOpen(path: String, reason: String)
    /// Another process writes to this log.
    case inUse(path: String)
    /// The file or database holds no log, or one in a layout that this program does not know.
    case notALog(path: String, reason: String)
    /// The log was to be created, but something is already there.
    case notEmpty(path: String)
    /// A stream of a copied log does not end as it does in the original.
    case differs(path: String, stream: StreamName)
    /// The system or the engine refused to write: a full disk, a read-only file.
    case cannotWrite(reason: String)
    /// The disk has not answered for this long. It may still answer, so earlier calls are still under way.
    case stalled(milliseconds: Int)
    /// A file that the log has open was deleted or moved away.
    case vanished(path: String)
    /// Another file has replaced one that the log has open.
    case replaced(path: String)
    /// The engine refused to read, or found its file damaged.
    case cannotRead(reason: String)
    /// The rows next to the log cannot be read or written.
    case rowsFailed(reason: String)
    /// Too many calls are waiting, or the engine is too busy to answer. The data is fine, and the same call may succeed
    /// later.
    case busy(reason: String)
    /// The record at `version` does not fit the one before it.
    case chainBroken(stream: StreamName, version: Int)
    /// The run that the log was opened for was declared lost, or has left.
    case fenced
    /// `close` has been called.
    case closed
}

extension LogMessage {
    /// The request that this answers; nil if none.
    public var ticket: Ticket? {
        switch self {
        case .records(let ticket, _), .caughtUp(let ticket, _, _), .followFailed(let ticket, _),
            .erased(let ticket, _), .settled(let ticket, _), .loaded(let ticket, _), .claimed(let ticket, _),
            .released(let ticket, _):
            ticket
        case .availability, .claimLost, .claimedAgain: nil
        }
    }
}

extension EventLogError {
    /// For a full queue, in which `count` calls wait.
    static func busy(waiting count: Int) -> EventLogError { .busy(reason: "\(count) calls are already waiting") }

    /// The error and what helps, for a person.
    public var sentence: String {
        switch self {
        case .cannotOpen(let path, let reason): "The log cannot be opened: \(path): \(reason)."
        case .inUse(let path):
            "Another process writes to the log in \(path). Stop it, or name another folder with --data."
        case .notALog(let path, let reason): "\(path) is not a log that this program can read: \(reason)."
        case .notEmpty(let path): "\(path) already holds a log, which is left as it is. Name another place."
        case .differs(let path, let stream):
            "The copy in \(path) is unusable. \(stream.shownInLogs) does not end there as it should. Remove it."
        case .cannotWrite(let reason): "The log cannot be written: \(reason)."
        case .stalled(let span): "The disk has not answered for \(span) ms."
        case .vanished(let path):
            "\(path) was deleted or moved away while the hub ran. Put it back and play continues. If it is lost, "
                + "stop the hub and start it again on what is left or on a backup."
        case .replaced(let path):
            "Another file replaced \(path) while the hub ran. Put the original back and "
                + "play continues. If it is lost, stop the hub and start it again on what is left or on a backup."
        case .cannotRead(let reason): "The log cannot be read: \(reason)."
        case .rowsFailed(let reason): "The read models cannot be read or written: \(reason)."
        case .busy(let reason): "The log is busy: \(reason)."
        case .chainBroken(let stream, let version):
            "The log was altered: record \(version) of \(stream.shownInLogs) does not fit the one before it."
        case .fenced: "Another node has declared this process lost. It writes nothing more and ends. Restart it."
        case .closed: "The log is closed."
        }
    }
}
