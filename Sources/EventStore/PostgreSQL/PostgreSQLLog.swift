import Records
import Synchronization
import Threads

/// A log in a PostgreSQL database, which several nodes may write to. One thread writes, one reads, each through its own
/// connection, and both answer through inboxes.
///
/// `EventLog` says what holds for a log that others write to. The role that it connects as owns the schema `flipside`,
/// or may create it (CREATE on the database), and needs nothing else. Erased data leaves the server's dead rows,
/// write-ahead log, replicas and backups when these are cleaned up, not at once.
public final class PostgreSQLLog: SharedEventLog, ThreadedLog {
    struct Options: Sendable {
        var schema = DatabaseAddress.usualSchema
        /// Most appends, and most reads, that wait; further ones are refused. A room has one append under way.
        var waitingLimit = 65_536
        var timeouts = ServerConnection.Timeouts()
        var timing = DatabaseWriterThread.Timing()
    }

    let calls: LogCalls
    /// Nil once the log is closed.
    private let workers: Mutex<(reader: Worker<ReaderJob>, writer: Worker<WriterJob>)?>

    /// Connects to the database at `address` (`postgresql://USER@HOST:PORT/DATABASE`, as libpq takes it), and creates
    /// the log's tables if they are missing. Throws `cannotOpen` or `notALog`.
    ///
    /// - Parameter run: that of this process, if several write: see `LeaseStore`.
    public convenience init(address: String, run: String? = nil) throws(EventLogError) {
        try self.init(address: address, run: run, options: Options())
    }

    init(address: String, run: String? = nil, options: Options) throws(EventLogError) {
        let connector = try DatabaseConnector(address, schema: options.schema, timeouts: options.timeouts, run: run)
        calls = LogCalls(limit: options.waitingLimit)
        let writer = try DatabaseWriterThread(connector, timing: options.timing, calls)
        let reader = ReaderThread(try DatabaseSource(connector), calls)
        let place = connector.address.shown
        workers = Mutex(
            (
                reader: try Worker("log-reader", of: calls.reader, at: place, doing: reader),
                writer: try Worker("log-writer", of: calls.writer, at: place, doing: writer)
            ))
    }

    deinit { close() }

    public var counters: LogCounters { calls.counters.snapshot(waiting: calls.writer.count) }

    var refusal: EventLogError? { nil }

    public func claim(_ stream: StreamName, ticket: Ticket, answer: any LogInbox) {
        let change = ClaimChange(kind: .claim, stream: stream, ticket: ticket, inbox: answer)
        if let error = calls.writer.post(.change(change)).refusal {
            answer.deliver([.claimed(ticket, .failure(error))])
        }
    }

    public func release(_ stream: StreamName, owed: Int?, at time: Int, ticket: Ticket, answer: any LogInbox) {
        let change = ClaimChange(kind: .release(owed: owed, at: time), stream: stream, ticket: ticket, inbox: answer)
        if let error = calls.writer.post(.change(change), isOwed: true).refusal {
            answer.deliver([.released(ticket, .failure(error))])
        }
    }

    public func refresh() { calls.writer.post(.refresh, isOwed: true) }

    /// Must not be called from an inbox, because it waits for the threads that deliver.
    public func close() {
        guard let (reader, writer) = workers.withLock({ $0.take() }) else { return }
        reader.close()
        writer.close()
    }
}
