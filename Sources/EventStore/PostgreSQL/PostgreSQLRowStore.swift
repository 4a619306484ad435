import Threads

/// Rows next to the log in a PostgreSQL database, on their own thread and connection. Tables of another layout are
/// dropped: their position is 0, and the fold of the log fills them again.
///
/// Only one node writes them at a time, the last one that began. A node that finds another one writing them writes only
/// notes until it begins again. So does a node that has connected again, perhaps to a database that has lost what its
/// changes come from. Notes from before that are not written either.
public final class PostgreSQLRowStore: RowStore, ThreadedRowStore {
    struct Options: Sendable {
        var schema = DatabaseAddress.usualSchema
        /// Most calls that wait. Beyond it questions fail, and changes are dropped, also later ones, until the next
        /// `startWriting`. They come again from the position that was reached.
        var waitingLimit = 65_536
        /// Most changes kept while the database refuses them. Beyond it they are dropped until the next
        /// `startWriting`, and come again from the position of the rows.
        var unwrittenLimit = 65_536
        var timeouts = ServerConnection.Timeouts()
    }

    let mailbox: Mailbox<RowJob>
    let status = RowStatus()
    let worker: Worker<RowJob>

    /// Connects to the database at `address`, and creates the tables of `layout` if they are missing. Throws
    /// `cannotOpen` or `notALog`.
    public convenience init(address: String, layout: RowLayout) throws(EventLogError) {
        try self.init(address: address, layout: layout, options: Options())
    }

    init(address: String, layout: RowLayout, options: Options) throws(EventLogError) {
        mailbox = Mailbox(limit: options.waitingLimit)
        let connector = try DatabaseConnector(address, schema: options.schema, timeouts: options.timeouts)
        let rows = try DatabaseRowThread(connector, layout, status, unwrittenLimit: options.unwrittenLimit)
        worker = try Worker("read-models", of: mailbox, at: connector.address.shown, doing: rows)
    }

    deinit { close() }

    public func noteRow(_ row: [RowValue], in table: RowTable) {
        table.checkNote(row)
        // If the mailbox is full the note is lost, which is allowed: the updater writes rooms, and a later snapshot
        // comes.
        mailbox.post(.note(row, table, connection: status.connections.value))
    }
}
