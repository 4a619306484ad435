import Synchronization
import Threads

/// A log in a folder of its own, kept by SQLite: the default engine. One thread writes, one reads, and both answer
/// through inboxes.
///
/// Other processes may read the file `log.sqlite` at the same time (`SQLiteLogReader`), but `log.lock` keeps other
/// writers out.
public final class SQLiteLog: EventLog, ThreadedLog {
    struct Options: Sendable {
        /// Most appends, and most reads, that wait; further ones are refused. A room has one append under way.
        var waitingLimit = 65_536
        /// How often the log checks that its files are in their place, even if nothing moved near them, and how often
        /// writing is retried after a failure.
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

    let calls: LogCalls
    private let file: LogFile
    private let sharedTally: Shared<LogTally>
    private let stalls = StallWatch.Shared()
    /// Nil once the log is closed.
    private let workers: Mutex<Workers?>

    private struct Workers {
        let lock: LogLock
        let reader: Worker<ReaderJob>
        let writer: Worker<WriterJob>
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
        calls = LogCalls(limit: options.waitingLimit)
        let writer = try WriterThread(file, checkInterval: options.checkInterval, noted: noted, calls, stalls)
        (sharedTally, difference) = (writer.tally, writer.difference)
        let reader = ReaderThread(try SQLiteSource(file, writer.filePlaces), calls)
        let watch = StallWatch(stalls, limit: options.stallLimit, calls)
        workers = Mutex(
            Workers(
                lock: lock,
                reader: try Worker("log-reader", of: calls.reader, at: folder, doing: reader),
                writer: try Worker("log-writer", of: calls.writer, at: folder, doing: writer),
                watch: try Worker("log-watch", of: Mailbox(limit: 0), at: folder, doing: watch)))
    }

    deinit { close() }

    public var counters: LogCounters {
        var counters = calls.counters.snapshot(waiting: calls.writer.count)
        counters.journalBytes = file.journalBytes
        return counters
    }

    public var tally: LogTally? { sharedTally.current }

    var refusal: EventLogError? { stalls.refusal }

    // No other process writes to the file.
    public func refresh() {}

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
