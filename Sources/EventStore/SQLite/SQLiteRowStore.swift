import Threads

/// Rows in a file `read-models.sqlite` next to the log's, kept by their own thread. A file that is damaged or of
/// another layout is dropped: its position is 0, and the fold of the log fills it again. If damage is found during use,
/// the file is dropped at once and the next `startWriting` creates it again.
public final class SQLiteRowStore: RowStore, ThreadedRowStore {
    /// Most calls that wait. Beyond it questions fail, and changes are dropped, also later ones, until the next
    /// `startWriting`. They come again from the position that was reached.
    static let waitingLimit = 65_536
    static let fileName = "read-models.sqlite"
    /// The files that it creates in its folder.
    public static let fileNames = Database.fileNames(of: fileName)

    let mailbox: Mailbox<RowJob>
    let status = RowStatus()
    let worker: Worker<RowJob>

    /// Opens the rows in `folder`, which exists, or creates them. Throws `cannotOpen`.
    public convenience init(folder: String, layout: RowLayout) throws(EventLogError) {
        try self.init(folder: folder, layout: layout, waitingLimit: SQLiteRowStore.waitingLimit)
    }

    init(folder: String, layout: RowLayout, waitingLimit: Int, system: String? = nil) throws(EventLogError) {
        mailbox = Mailbox(limit: waitingLimit)
        let file = RowStoreFile(path: folder + "/" + SQLiteRowStore.fileName, layout: layout, system: system)
        let rows = RowStoreThread(try file.open(), of: file, status)
        worker = try Worker("read-models", of: mailbox, at: folder, doing: rows)
    }

    /// Removes the rows in `folder`, which no store has open. The log fills them again.
    public static func drop(in folder: String) {
        RowStoreFile(path: folder + "/" + fileName, layout: RowLayout(meaning: 0, tables: []), system: nil).drop()
    }

    deinit { close() }
}
