import Threads

/// Rows beside the log in a PostgreSQL database, kept by a thread and a connection of their own. Tables of another
/// layout are dropped: their position is 0, and whoever folds the log fills them again.
///
/// One node writes them at a time, the one that has begun last. One that finds that another has gone on with them
/// writes nothing more until it begins again, but what it notes; nor does one that was connected anew, perhaps to a
/// database that has lost what its changes come from: what was noted before that is not written either.
public final class PostgreSQLRowStore: RowStore {
    /// What an operator or a test may set otherwise.
    struct Options: Sendable {
        var schema = DatabaseAddress.usualSchema
        /// Most calls that wait. Past it questions fail; changes are given up, and with them every later one, until the
        /// next `begin`, and come again from the position that was reached.
        var waitingLimit = 65_536
        /// Most changes that are kept while the database refuses them. Past it they are given up until the next
        /// `begin`, and come again from where the rows are.
        var unwrittenLimit = 65_536
        var timeouts = ServerConnection.Timeouts()
    }

    private let mailbox: Mailbox<DatabaseRowThread.Job>
    private let status = RowStatus()
    private let worker: Worker<DatabaseRowThread.Job>

    /// Connects to the database at `address`, and makes the tables of `layout` where they are not. Throws `cannotOpen`
    /// or `notALog`.
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
        // One that does not fit is lost, as notes may be: the updater writes rooms, and a later snapshot comes.
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

    /// Not to be called from an answer: it waits for the thread that gives them.
    public func close() { worker.close() }
}
