import Threads

/// Rows next to the log in a PostgreSQL database, on their own thread and connection. Tables of another layout are
/// dropped: their position is 0, and the fold of the log fills them again.
///
/// Only one node writes them at a time, the last one that began. A node that finds another one writing them writes only
/// notes until it begins again. So does a node that has connected again, perhaps to a database that has lost what its
/// changes come from. Notes from before that are not written either.
public final class PostgreSQLRowStore: RowStore {
    struct Options: Sendable {
        var schema = DatabaseAddress.usualSchema
        /// Most calls that wait. Beyond it questions fail, and changes are dropped, also later ones, until the next
        /// `begin`. They come again from the position that was reached.
        var waitingLimit = 65_536
        /// Most changes kept while the database refuses them. Beyond it they are dropped until the next `begin`, and
        /// come again from the position of the rows.
        var unwrittenLimit = 65_536
        var timeouts = ServerConnection.Timeouts()
    }

    private let mailbox: Mailbox<DatabaseRowThread.Job>
    private let status = RowStatus()
    private let worker: Worker<DatabaseRowThread.Job>

    /// Connects to the database at `address`, and creates the tables of `layout` if they are missing. Throws
    /// `cannotOpen` or `notALog`.
    public convenience init(address: String, layout: RowLayout) throws(EventLogError) {
        try self.init(address: address, layout: layout, options: Options())
    }

    init(address: String, layout: RowLayout, options: Options) throws(EventLogError) {
        mailbox = Mailbox(limit: options.waitingLimit)
        let schema = DatabaseSchema(address: try DatabaseAddress(address, schema: options.schema))
        let connector = DatabaseConnector(schema: schema, timeouts: options.timeouts)
        let rows = try DatabaseRowThread(
            connector, layout, mailbox: mailbox, status: status, unwrittenLimit: options.unwrittenLimit)
        worker = try Worker("read-models", of: mailbox, at: connector.address.shown) { rows.run() }
    }

    deinit { close() }

    public func apply(_ changes: [RowChange], reached position: Int?) {
        for case .put(let row, let table) in changes { table.check(row) }
        let posting = mailbox.post(.apply(changes, reached: position))
        if case .full(let limit) = posting { status.halt(.givenUp(.busy(waiting: limit))) }
    }

    public func note(_ row: [RowValue], in table: RowTable) {
        table.checkNote(row)
        let note = DatabaseRowThread.Job.note(row, table, connection: status.connections.value)
        // If the mailbox is full the note is lost, which is allowed: the updater writes rooms, and a later snapshot
        // comes.
        mailbox.post(note)
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
