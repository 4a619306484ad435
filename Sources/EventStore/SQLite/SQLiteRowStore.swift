import Threads

/// Rows in a file `read-models.sqlite` beside the log's, kept by a thread of their own. A file that is damaged or of
/// another layout is dropped: its position is 0, and the fold of the log fills it again. One that is found damaged
/// while it is used is dropped at once, and made again by the next `begin`.
public final class SQLiteRowStore: RowStore {
    /// Most calls that wait. Past it questions fail; changes are given up, and with them every later one, until the
    /// next `begin`, and come again from the position that was reached.
    static let waitingLimit = 65_536
    static let fileName = "read-models.sqlite"
    /// The files that it makes in its folder.
    public static let fileNames = Database.fileNames(of: fileName)

    private let mailbox: Mailbox<RowStoreThread.Job>
    private let status = RowStatus()
    private let worker: Worker<RowStoreThread.Job>

    /// Opens the rows in `folder`, which exists, or makes them. Throws `cannotOpen`.
    public convenience init(folder: String, layout: RowLayout) throws(EventLogError) {
        try self.init(folder: folder, layout: layout, waitingLimit: SQLiteRowStore.waitingLimit)
    }

    init(folder: String, layout: RowLayout, waitingLimit: Int, system: String? = nil) throws(EventLogError) {
        mailbox = Mailbox(limit: waitingLimit)
        let file = RowStoreFile(path: folder + "/" + SQLiteRowStore.fileName, layout: layout, system: system)
        let rows = RowStoreThread(try file.open(), of: file, mailbox: mailbox, status: status)
        worker = try Worker("read-models", of: mailbox, at: folder) { rows.run() }
    }

    /// Removes the rows in `folder`, which no store has open: they are filled again from the log.
    public static func drop(in folder: String) {
        RowStoreFile(path: folder + "/" + fileName, layout: RowLayout(meaning: 0, tables: []), system: nil).drop()
    }

    deinit { close() }

    public func apply(_ changes: [RowChange], reached position: Int?) {
        for case .put(let row, let table) in changes { table.check(row) }
        let posting = mailbox.post(.apply(changes, reached: position))
        if case .full(let limit) = posting { status.halt(.givenUp(.busy(waiting: limit))) }
    }

    public func ask(_ queries: [RowQuery], answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void) {
        if let error = mailbox.post(.ask(queries, answer)).refusal { answer(.failure(error)) }
    }

    public func begin(answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void) {
        if let error = mailbox.post(.begin(answer)).refusal { answer(.failure(error)) }
    }

    public var halt: RowHalt? { status.halt }
    public var writeFailure: EventLogError? { status.writeFailure }

    /// Not to be called from an answer: it waits for the thread that gives them.
    public func close() { worker.close() }
}
