import Cryptography
import Records
import Synchronization
import Threads

/// A log in a folder of its own, kept by SQLite: the default engine. One thread writes, one reads, and both answer
/// through inboxes.
///
/// Other processes may read the file `log.sqlite` at the same time (`SQLiteLogReader`), but `log.lock` keeps other
/// writers out.
public final class SQLiteLog: EventLog {
    struct Options: Sendable {
        /// Most appends, and most reads, that wait; further ones are refused. A room has one append under way.
        var waitingLimit = 65_536
        /// How often an idle log checks that its files are in their place, and how often writing is retried after a
        /// failure.
        var checkInterval = Duration.seconds(1)
        /// How long one call to the disk may take. After that the log reports that it takes no writes.
        var stallLimit = Duration.seconds(2)
        /// SQLite's file system layer; nil means the usual one.
        var system: String?
    }

    /// The files that it creates in its folder.
    public static let fileNames =
        Database.fileNames(of: "log.sqlite") + Database.fileNames(of: "log.sqlite.new") + ["log.lock"]

    /// The file in which a hub notes what the log holds (`LogTally`).
    public static let tallyName = "log-end"

    /// How the log differs from the note.
    public let difference: LogDifference?

    private let file: LogFile
    private let catchUps = CatchUps()
    private let sharedCounters = SharedLogCounters()
    private let sharedTally: SharedTally
    private let readerMailbox: Mailbox<ReaderThread.Job>
    private let writerMailbox: Mailbox<WriterThread.Job>
    /// Nil once the log is closed.
    private let workers: Mutex<Workers?>
    private let stalls = StallWatch.Shared()

    private struct Workers {
        let lock: LogLock
        let reader: Worker<ReaderThread.Job>
        let writer: Worker<WriterThread.Job>
        let watch: Worker<StallWatch.Job>
    }

    /// Opens the log in `folder`, or creates both. Throws `inUse`, `cannotOpen`, `notALog` or `cannotRead`.
    ///
    /// - Parameter noted: the last note of what the log held. If nil, all of the log is read once.
    public convenience init(folder: String, noted: LogTally? = nil) throws(EventLogError) {
        try self.init(folder: folder, noted: noted, options: Options())
    }

    init(folder: String, noted: LogTally? = nil, options: Options) throws(EventLogError) {
        file = LogFile(folder: folder, system: options.system)
        try file.makeFolder()
        let lock = try LogLock(file)
        try file.create()
        readerMailbox = Mailbox(limit: options.waitingLimit)
        writerMailbox = Mailbox(limit: options.waitingLimit)
        let writer = try WriterThread(
            file, checkInterval: options.checkInterval, noted: noted, mailbox: writerMailbox, reader: readerMailbox,
            catchUps: catchUps, counters: sharedCounters, stalls: stalls)
        (sharedTally, difference) = (writer.tally, writer.difference)
        let reader = try ReaderThread(
            file, writer.filePlaces, mailbox: readerMailbox, writer: writerMailbox, catchUps: catchUps)
        let reading = try Worker("log-reader", of: readerMailbox, at: folder) { reader.run() }
        let writing = try Worker("log-writer", of: writerMailbox, at: folder) { writer.run() }
        let watchMailbox = Mailbox<StallWatch.Job>(limit: 0)
        let watch = StallWatch(
            stalls, limit: options.stallLimit, counters: sharedCounters, writer: writerMailbox, mailbox: watchMailbox)
        let watching = try Worker("log-watch", of: watchMailbox, at: folder) { watch.run() }
        workers = Mutex(Workers(lock: lock, reader: reading, writer: writing, watch: watching))
    }

    deinit { close() }

    public var counters: LogCounters {
        var counters = sharedCounters.snapshot(waiting: writerMailbox.count)
        counters.journalBytes = file.journalBytes
        return counters
    }

    public var tally: LogTally? { sharedTally.current }

    public func append(_ commit: Commit, ticket: Ticket, answer: any LogInbox) {
        let append = WriterThread.Append(
            commit: commit, ticket: ticket, answer: answer, handedOver: SteadyClock.now())
        if let error = stalls.refusal ?? writerMailbox.post(.append(append)).refusal {
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
        // Before the first read, so that no erasure is missed.
        catchUps.add(catchUp)
        let posting = readerMailbox.post(.catchUp(catchUp, CatchUp.Progress(reached: place)))
        if let error = posting.refusal {
            catchUps.remove(ticket, inbox)
            inbox.deliver([.followFailed(ticket, error)])
        }
    }

    public func unfollow(_ ticket: Ticket, into inbox: any LogInbox) {
        catchUps.remove(ticket, inbox)
        writerMailbox.post(.unfollow(ticket, inbox), isOwed: true)
    }

    // No other process writes to the file.
    public func refresh() {}

    public func watchAvailability(into inbox: any LogInbox) {
        if writerMailbox.post(.watch(inbox), isOwed: true) == .closed {
            inbox.deliver([.availability(.unavailable(.closed))])
        }
    }

    /// Must not be called from an inbox, because it waits for the threads that deliver.
    public func close() {
        // The lock is released last, at the end of this call.
        guard let workers = workers.withLock({ $0.take() }) else { return }
        defer { withExtendedLifetime(workers.lock) {} }
        workers.reader.close()
        workers.writer.close()
        workers.watch.close()
    }
}
