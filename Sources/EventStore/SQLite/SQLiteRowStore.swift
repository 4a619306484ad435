import Threads

/// Rows in a file `read-models.sqlite` next to the log's, kept by their own thread. A file that is damaged or of
/// another layout is dropped: its position is 0, and the fold of the log fills it again. If damage is found during use,
/// the file is dropped at once and the next `begin` creates it again.
public final class SQLiteRowStore: RowStore {
    /// Most calls that wait. Beyond it questions fail, and changes are dropped, also later ones, until the next
    /// `begin`. They come again from the position that was reached.
    static let waitingLimit = 65_536
    static let fileName = "read-models.sqlite"
    /// The files that it creates in its folder.
    public static let fileNames = Database.fileNames(of: fileName)

    private let mailbox: Mailbox<RowStoreThread.Job>
    private let status = RowStatus()
    private let worker: Worker<RowStoreThread.Job>

    /// Opens the rows in `folder`, which exists, or creates them. Throws `cannotOpen`.
    public convenience init(folder: String, layout: RowLayout) throws(EventLogError) {
        try self.init(folder: folder, layout: layout, waitingLimit: SQLiteRowStore.waitingLimit)
    }

    init(folder: String, layout: RowLayout, waitingLimit: Int, system: String? = nil) throws(EventLogError) {
        mailbox = Mailbox(limit: waitingLimit)
        let file = RowStoreFile(path: folder + "/" + SQLiteRowStore.fileName, layout: layout, system: system)
        let rows = RowStoreThread(try file.open(), of: file, mailbox: mailbox, status: status)
        worker = try Worker("read-models", of: mailbox, at: folder) { rows.run() }
    }

    /// Removes the rows in `folder`, which no store has open. The log fills them again.
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

    /// Must not be called from an answer, because it waits for the thread that answers.
    public func close() { worker.close() }
}
