import Cryptography
import Records

/// The hub's memory: streams of events that are durable before anyone hears of them. Engines: `SQLiteLog`,
/// `PostgreSQLLog`, `InMemoryLog`.
///
/// Every call returns at once; what comes of it is delivered to the inbox given, from the log's own threads (the
/// in-memory engine: from the thread that steps it). One inbox gets everything in the order in which it happened: the
/// records of an append always before the answer to it, in one delivery where they are of one commit.
///
/// An engine may let several processes write to one log, each through an `EventLog` of its own. Of several that write
/// to one log, each hears what the others wrote before the answer `conflict` or `repeated`, and when it polls: twice a
/// second. Before the answer it hears all of the commit's streams; by polling, all up to the first gap of positions,
/// for followers of all and of those streams. Where nobody follows all, polling is for the stream `hub` alone: all
/// other streams have one who writes, or others are told of them otherwise. Nobody hears of anything twice, or of a
/// record before those ahead of it.
///
/// A database that has failed over may have lost its newest records, and gives their positions again. Nobody is told of
/// that by itself. An append that expects what was lost is in `conflict`, with an `actual` behind it or another head. A
/// follower whose stream has grown, but not out of what it was told, gets `followFailed`. So whoever follows streams
/// compares their ends once the log is available again, and whoever follows all begins again where it stored that it
/// was.
///
/// A log may be opened for a run of a process (see `LeaseStore`). Once that run is fenced (`Commit.fencing`), the log
/// writes nothing more: every append is answered `unavailable`, or `outcomeUnknown` where it was sent before, and the
/// log never takes writes again. It finds that out, and tells watchers, when it is next to write. Reading goes on.
public protocol EventLog: AnyObject, Sendable {
    /// Does all of `commit`, or nothing. Answered by `settled`.
    ///
    /// Each of its streams must end where it is expected to, at that version and with that head: else `conflict`, of
    /// the first that does not. A commit that one of its streams holds already, by its id, is not written again:
    /// `repeated`, whatever is expected. What stands there is for whoever asked to read, who may not have written it.
    ///
    /// While another writer's transaction is open on one of the streams, what is expected is neither so nor otherwise.
    /// The log tries again by itself until that transaction has ended, or, after some seconds, answers `unavailable`:
    /// whoever were told `conflict` with the end that it expected would ask the same at once.
    ///
    /// A stream that is erased is as if it had never been, its commits' ids too, but its positions are not used again,
    /// and the head that it had stays, for `followAll`. Followers of it and of all get `erased`.
    func append(_ commit: Commit, ticket: Ticket, answer: any LogInbox)

    /// Up to `limit` records of `stream` behind version `after`, checked against their chain. Answered by `loaded`.
    func load(_ stream: StreamName, after version: Int, limit: Int, ticket: Ticket, answer: any LogInbox)

    /// Up to `limit` of the newest records of all streams, in the order of their positions. Chains are not checked.
    /// Answered by `loaded`.
    func loadNewest(_ limit: Int, ticket: Ticket, answer: any LogInbox)

    /// All records of `stream` behind `version`, and from then on each new one, without a gap or a double: `records`
    /// until `caughtUp`, `records` from then on. Or `followFailed`, if the chain is broken or the log cannot be read;
    /// also later, where what comes does not follow from what was told. That ends it.
    func follow(_ stream: StreamName, after version: Int, ticket: Ticket, into inbox: any LogInbox)

    /// The same over all streams, in the order of their positions, with an `erased` for each erasure behind `position`
    /// in its place among the records. Chains are not checked: one altered stream must not keep out whoever follows
    /// all.
    ///
    /// Of several writers each draws positions before it commits, so lower ones may come later than higher ones, or
    /// never. What is behind such a gap is told when the appends have ended that were under way when it was seen: of a
    /// commit of this log's own that may be after the answer to it.
    func followAll(after position: Int, ticket: Ticket, into inbox: any LogInbox)

    /// Ends what `follow` or `followAll` began with this ticket and inbox. A delivery under way may still come.
    func unfollow(_ ticket: Ticket, into inbox: any LogInbox)

    /// Looks now for what others have written, as by itself twice a second. Nothing where there are no others.
    func refresh()

    /// Tells `inbox` each time the log stops or starts taking writes; the state of this moment first.
    func watchAvailability(into inbox: any LogInbox)

    /// What was done since the log was opened; nothing, unless the engine counts.
    var counters: LogCounters { get }

    /// What the log holds that was acknowledged, to be noted outside it; nil where the engine keeps no count of it. To
    /// be asked from any thread, also after `close`.
    var tally: LogTally? { get }

    /// Ends what is under way, answers it, and lets go of files and threads. Appends that come later are answered
    /// `unavailable`.
    func close()
}

extension EventLog {
    public var tally: LogTally? { nil }
}

/// Names a request to the log, so that its answer can be told from others: drawn by whoever asks.
public typealias Ticket = UInt64

/// Where a log answers: one for each event loop.
public protocol LogInbox: AnyObject, Sendable {
    /// Called from the log's threads, a batch at a time and in order; hands the batch over and returns.
    func deliver(_ messages: [LogMessage])
}

/// What a log tells an inbox.
public enum LogMessage: Sendable, Equatable {
    /// Records that are durable, of one `follow` or `followAll`, in order.
    case records(Ticket, [Record])
    /// What was there when `follow` began has been delivered: the stream's version, and its head (`StreamName.origin`
    /// at version 0). For `followAll`: the highest position given so far, or the last one before the first gap, and the
    /// digest of nothing.
    case caughtUp(Ticket, version: Int, head: Digest)
    case followFailed(Ticket, EventLogError)
    case settled(Ticket, AppendAnswer)
    case loaded(Ticket, Result<[Record], EventLogError>)
    /// The stream, or one of all, was erased. Whoever follows that stream alone begins again at version 1.
    case erased(Ticket, Erasure)
    case availability(Availability)
    /// Who holds the claim now, which may be another run.
    case claimed(Ticket, Result<Claim, EventLogError>)
    /// The claim is nobody's, or not this run's; or it is not known whether it is.
    case released(Ticket, Result<StreamName, EventLogError>)
    /// Another run has this stream, whose claim was this one's.
    case claimLost(StreamName)
    /// This run has claimed a stream again after its connection was lost, and something is owed by that: the log has
    /// gone back to where another run had it.
    case claimedAgain(Claim)
}

/// What became of an append.
public enum AppendAnswer: Sendable, Equatable {
    /// On disk: it survives kill -9 and loss of power. The version of the last record in the first stream that was
    /// appended to; 0 if the commit only erased.
    case appended(version: Int)
    /// A commit with this id was written before, as it was sent now or otherwise: the version of its last record, in
    /// the first of the streams that hold it.
    case repeated(version: Int)
    /// The stream ends otherwise than expected: at `actual`, which is never what was expected. Nothing was written.
    case conflict(StreamName, actual: StreamEnd)
    /// Another run holds the claim of this stream. Nothing was written.
    case claimed(StreamName)
    /// The run that the commit fences has renewed its lease: it is not lost. Nothing was written.
    case renewed
    /// The log takes no writes now. Nothing was written.
    case unavailable(EventLogError)
    /// The engine was lost in the middle: read the stream to find out. Nothing is promised.
    case outcomeUnknown
}

/// Whether a log takes writes.
public enum Availability: Sendable, Equatable {
    case available
    case unavailable(EventLogError)
}

/// What is wrong with a log.
public enum EventLogError: Error, Sendable, Equatable {
    /// The folder or file cannot be opened or created, or the database not be reached.
    case cannotOpen(path: String, reason: String)
    /// Another process writes to this log.
    case inUse(path: String)
    /// The file or database holds no log, or one of another layout than this program's.
    case notALog(path: String, reason: String)
    /// The log was to be made, and holds something.
    case notEmpty(path: String)
    /// A stream of a log that was carried over does not end as it did.
    case differs(path: String, stream: StreamName)
    /// The system or the engine refused to write: a full disk, a read-only file.
    case cannotWrite(reason: String)
    /// The disk has not answered for so long, and may do so yet: what was handed over before is still under way.
    case stalled(milliseconds: Int)
    /// A file that the log has open was deleted or moved away.
    case vanished(path: String)
    /// Another file is in the place of one that the log has open.
    case replaced(path: String)
    /// The engine refused to read, or found its file damaged.
    case cannotRead(reason: String)
    /// The rows beside the log cannot be read or written.
    case rowsFailed(reason: String)
    /// So many calls wait already, or the engine is too busy to answer: nothing is wrong with what it holds. Tried
    /// again later, the same call is done.
    case busy(reason: String)
    /// The record at `version` does not fit the one before it.
    case chainBroken(stream: StreamName, version: Int)
    /// The run that the log was opened for was declared lost, or has left.
    case fenced
    /// `close` has been called.
    case closed
}

extension LogMessage {
    /// The request that this answers; nil for what comes unasked.
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
    /// Of a queue in which `count` calls wait, as many as may.
    static func busy(waiting count: Int) -> EventLogError { .busy(reason: "\(count) calls wait already") }

    /// What is wrong, and what would help, for a person.
    public var sentence: String {
        switch self {
        case .cannotOpen(let path, let reason): "The log cannot be opened: \(path): \(reason)."
        case .inUse(let path):
            "Another process writes to the log in \(path): stop it, or name another folder with --data."
        case .notALog(let path, let reason): "\(path) is not a log that this program can read: \(reason)."
        case .notEmpty(let path): "\(path) holds a log already, which stays as it is: name another place."
        case .differs(let path, let stream):
            "The copy in \(path) is of no use: \(stream.shownInLogs) does not end there as it should. Remove it."
        case .cannotWrite(let reason): "The log cannot be written: \(reason)."
        case .stalled(let span): "The disk has not answered for \(span) ms."
        case .vanished(let path):
            "\(path) was deleted or moved away while the hub ran. Put it back, and play goes on; if it is lost, "
                + "stop the hub, and start it again on what there is or on a backup."
        case .replaced(let path):
            "Another file has taken the place of \(path) while the hub ran. Put the one back that was there, and "
                + "play goes on; if it is lost, stop the hub, and start it again on what there is or on a backup."
        case .cannotRead(let reason): "The log cannot be read: \(reason)."
        case .rowsFailed(let reason): "The read models cannot be read or written: \(reason)."
        case .busy(let reason): "The log is busy: \(reason)."
        case .chainBroken(let stream, let version):
            "The log was altered: record \(version) of \(stream.shownInLogs) does not fit the one before it."
        case .fenced:
            "Another node has declared this process lost. It writes nothing more and ends: restart it."
        case .closed: "The log is closed."
        }
    }
}
