import Records
import Synchronization
import Threads

/// A log in a PostgreSQL database, which several nodes may write to. One thread writes, one reads, each through its own
/// connection, and both answer through inboxes.
///
/// `EventLog` says what holds for a log that others write to. The role that it connects as owns the schema `flipside`,
/// or may create it (CREATE on the database), and needs nothing else. Erased data leaves the server's dead rows,
/// write-ahead log, replicas and backups when these are cleaned up, not at once.
public final class PostgreSQLLog: SharedEventLog {
    struct Options: Sendable {
        var schema = DatabaseAddress.usualSchema
        /// Most appends, and most reads, that wait; further ones are refused. A room has one append under way.
        var waitingLimit = 65_536
        var timeouts = ServerConnection.Timeouts()
        var timing = DatabaseWriterThread.Timing()
    }

    private let catchUps = CatchUps()
    private let sharedCounters = SharedLogCounters()
    private let readerMailbox: Mailbox<DatabaseReaderThread.Job>
    private let writerMailbox: Mailbox<DatabaseWriterThread.Job>
    /// Nil once the log is closed.
    private let workers: Mutex<(reader: Worker<DatabaseReaderThread.Job>, writer: Worker<DatabaseWriterThread.Job>)?>

    /// Connects to the database at `address` (`postgresql://USER@HOST:PORT/DATABASE`, as libpq takes it), and creates
    /// the log's tables if they are missing. Throws `cannotOpen` or `notALog`.
    ///
    /// - Parameter run: that of this process, if several write: see `LeaseStore`.
    public convenience init(address: String, run: String? = nil) throws(EventLogError) {
        try self.init(address: address, run: run, options: Options())
    }

    init(address: String, run: String? = nil, options: Options) throws(EventLogError) {
        let schema = DatabaseSchema(address: try DatabaseAddress(address, schema: options.schema))
        let connector = DatabaseConnector(schema: schema, timeouts: options.timeouts, run: run)
        readerMailbox = Mailbox(limit: options.waitingLimit)
        writerMailbox = Mailbox(limit: options.waitingLimit)
        let writer = try DatabaseWriterThread(
            connector, timing: options.timing, mailbox: writerMailbox, reader: readerMailbox, catchUps: catchUps,
            counters: sharedCounters)
        let reader = try DatabaseReaderThread(
            connector, mailbox: readerMailbox, writer: writerMailbox, catchUps: catchUps)
        let place = connector.address.shown
        let reading = try Worker("log-reader", of: readerMailbox, at: place) { reader.run() }
        let writing = try Worker("log-writer", of: writerMailbox, at: place) { writer.run() }
        workers = Mutex((reader: reading, writer: writing))
    }

    deinit { close() }

    public var counters: LogCounters { sharedCounters.snapshot(waiting: writerMailbox.count) }

    public func append(_ commit: Commit, ticket: Ticket, answer: any LogInbox) {
        let append = DatabaseWriterThread.Append(
            commit: commit, ticket: ticket, answer: answer, handedOver: SteadyClock.now())
        if let error = writerMailbox.post(.append(append)).refusal {
            answer.deliver([.settled(ticket, .unavailable(error))])
        }
    }

    public func load(
        _ stream: StreamName, after version: Int, limit: Int, ticket: Ticket, answer: any LogInbox
    ) {
        let posting = readerMailbox.post(.load(stream, after: version, limit: limit, ticket, answer))
        if let error = posting.refusal {
            answer.deliver([.loaded(ticket, .failure(error))])
        }
    }

    public func loadNewest(_ limit: Int, ticket: Ticket, answer: any LogInbox) {
        if let error = readerMailbox.post(.loadNewest(limit, ticket, answer)).refusal {
            answer.deliver([.loaded(ticket, .failure(error))])
        }
    }

    public func follow(_ stream: StreamName, after version: Int, ticket: Ticket, into inbox: any LogInbox) {
        follow(.stream(stream), after: version, ticket, inbox)
    }

    public func followAll(after position: Int, ticket: Ticket, into inbox: any LogInbox) {
        follow(.all, after: position, ticket, inbox)
    }

    private func follow(_ source: Followers.Source, after place: Int, _ ticket: Ticket, _ inbox: any LogInbox) {
        let catchUp = CatchUp(source, ticket: ticket, inbox: inbox)
        catchUps.add(catchUp)
        let posting = readerMailbox.post(.catchUp(catchUp, .init(reached: place, state: nil)))
        if let error = posting.refusal {
            catchUps.remove(ticket, inbox)
            inbox.deliver([.followFailed(ticket, error)])
        }
    }

    public func unfollow(_ ticket: Ticket, into inbox: any LogInbox) {
        catchUps.remove(ticket, inbox)
        writerMailbox.post(.unfollow(ticket, inbox), isOwed: true)
    }

    public func claim(_ stream: StreamName, ticket: Ticket, answer: any LogInbox) {
        let change = ClaimChange(kind: .claim, stream: stream, ticket: ticket, inbox: answer)
        if let error = writerMailbox.post(.change(change)).refusal {
            answer.deliver([.claimed(ticket, .failure(error))])
        }
    }

    public func release(_ stream: StreamName, owed: Int?, at time: Int, ticket: Ticket, answer: any LogInbox) {
        let change = ClaimChange(kind: .release(owed: owed, at: time), stream: stream, ticket: ticket, inbox: answer)
        if let error = writerMailbox.post(.change(change), isOwed: true).refusal {
            answer.deliver([.released(ticket, .failure(error))])
        }
    }

    public func refresh() { writerMailbox.post(.refresh, isOwed: true) }

    public func watchAvailability(into inbox: any LogInbox) {
        if writerMailbox.post(.watch(inbox), isOwed: true) == .closed {
            inbox.deliver([.availability(.unavailable(.closed))])
        }
    }

    /// Must not be called from an inbox, because it waits for the threads that deliver.
    public func close() {
        guard let (reader, writer) = workers.withLock({ $0.take() }) else { return }
        reader.close()
        writer.close()
    }
}
