import Records
import Threads

/// Leases in the database of a log, on their own thread and connection, so that slow appends do not delay renewals. A
/// call fails after some seconds if the database does not answer.
///
/// The tables of leases and presence are unlogged: they are empty after a crash of the server, and on a replica that
/// takes over. Those of `SilenceTable` are logged.
public final class PostgreSQLLeaseStore: LeaseStore {
    struct Options: Sendable {
        var schema = DatabaseAddress.usualSchema
        /// Most calls that wait; further ones fail.
        var waitingLimit = 64
        /// Shorter than a log's, because a late renewal is useless.
        var timeouts = ServerConnection.Timeouts(connectSeconds: 2, answer: .seconds(2))
    }

    private let mailbox: Mailbox<DatabaseLeaseThread.Job>
    private let worker: Worker<DatabaseLeaseThread.Job>

    /// Connects to the database at `address`, and creates the tables if they are missing. Throws `cannotOpen` or
    /// `notALog`.
    public convenience init(address: String, run: String) throws(EventLogError) {
        try self.init(address: address, run: run, options: Options())
    }

    init(address: String, run: String, options: Options) throws(EventLogError) {
        mailbox = Mailbox(limit: options.waitingLimit)
        let connector = try DatabaseConnector(address, schema: options.schema, timeouts: options.timeouts)
        let leases = try DatabaseLeaseThread(connector, run: run)
        worker = try Worker("leases", of: mailbox, at: connector.address.shown, doing: leases)
    }

    deinit { close() }

    public func renew(
        _ note: [UInt8], presence: PresenceReport, silences: SilenceReport, answer: @escaping LeaseReply
    ) {
        let renewal = DatabaseLeaseThread.Job.Renewal(note: note, presence: presence, silences: silences)
        post(DatabaseLeaseThread.Job(renewal: renewal, answer: answer))
    }

    public func read(answer: @escaping LeaseReply) {
        post(DatabaseLeaseThread.Job(renewal: nil, answer: answer))
    }

    private func post(_ job: DatabaseLeaseThread.Job) {
        if let error = mailbox.post(job).refusal { job.answer(.failure(error)) }
    }

    /// Must not be called from an answer, because it waits for the thread that answers.
    public func close() { worker.close() }
}

/// Renews and reads leases in the order of calls.
final class DatabaseLeaseThread: StoreThread {
    struct Job: Sendable {
        struct Renewal: Sendable {
            let note: [UInt8]
            let presence: PresenceReport
            let silences: SilenceReport
        }

        /// Nil if leases are only read.
        let renewal: Renewal?
        let answer: LeaseReply
    }

    private let connector: DatabaseConnector
    private let runName: [UInt8]
    /// Nil after a failure, until a later call connects again.
    private var connection: ServerConnection?

    private static let renew = PreparedStatement(
        "renew",
        """
        INSERT INTO @.leases AS l SELECT $1, $2, 1, clock_timestamp(), $3::int8 = 1
        WHERE NOT EXISTS (SELECT FROM @.fences WHERE run = $1)
        ON CONFLICT (run) DO UPDATE SET note = $2, renewals = l.renewals + 1, renewed = clock_timestamp(),
        serves = excluded.serves
        """)
    private static let read = PreparedStatement(
        "read leases",
        """
        SELECT @.clock(),
        (EXISTS (SELECT FROM @.fences WHERE run = $1))::int::int8, l.run, l.note, l.renewals
        FROM (SELECT) one LEFT JOIN @.leases l ON NOT EXISTS (SELECT FROM @.fences f WHERE f.run = l.run)
        ORDER BY l.run
        """)
    // Leases of runs that have left, or that no one was there to declare lost.
    private static let tidy = PreparedStatement(
        "tidy leases", "DELETE FROM @.leases WHERE renewed < now() - interval '1 day'")

    init(_ connector: DatabaseConnector, run: String) throws(EventLogError) {
        (self.connector, runName) = (connector, Array(run.utf8))
        // Until the first answer, a start may wait for longer than a renewal, for example while other nodes start.
        let opened = try connector.connect(timeouts: .init())
        try connector.schema.make(through: opened)
        do throws(PostgreSQLError) {
            try prepare(opened)
            _ = try opened.rows(of: Self.tidy)
            try PresenceTable.tidy(through: opened)
        } catch { throw .cannotOpen(path: connector.address.shown, reason: error.reason) }
        connection = opened
    }

    func runJobs(_ jobs: [Job]) { for job in jobs { job.answer(answer(to: job)) } }

    private func answer(to job: Job) -> Result<LeaseRenewal, EventLogError> {
        do throws(EventLogError) {
            let connection = try connected()
            do throws(PostgreSQLError) {
                let renewal = try renewal(job, through: connection)
                connection.timeouts = connector.timeouts
                return .success(renewal)
            } catch {
                if error.isConnectionLost || error.isAboutTheServer { self.connection = nil }
                throw .cannotWrite(reason: error.reason)
            }
        } catch { return .failure(error) }
    }

    private func renewal(_ job: Job, through connection: ServerConnection) throws(PostgreSQLError) -> LeaseRenewal {
        if let renewal = job.renewal {
            let serves = renewal.silences.isServing ? 1 : 0
            try connection.send(Self.renew, .bytes(runName), .bytes(renewal.note), .integer(serves))
            try PresenceTable.send(renewal.presence, of: runName, through: connection)
            try SilenceTable.send(renewal.silences, of: runName, through: connection)
        }
        try connection.send(Self.read, .bytes(runName))
        if let renewal = job.renewal {
            try PresenceTable.sendQuestion(renewal.presence, of: runName, through: connection)
            // The renewal finds a silence when it commits.
            try connection.endTransaction()
        }
        try SilenceTable.sendQuestion(through: connection)
        var results = try connection.finish()
        let (found, hubVersion) = SilenceTable.answer(in: results.removeLast())
        let said = job.renewal == nil ? [:] : PresenceTable.rooms(in: results.removeLast())
        let rows = results[results.count - 1]
        // Without leases there is one row of nulls.
        let leases = (0..<rows.count).filter { !rows.isNull($0, 2) }.map {
            Lease(run: rows.text($0, 2), note: rows.bytes($0, 3), renewals: rows.integer($0, 4))
        }
        return LeaseRenewal(
            time: rows.integer(0, 0), isFenced: rows.integer(0, 1) == 1, leases: leases, presence: said,
            silences: found, hubVersion: hubVersion)
    }

    private func connected() throws(EventLogError) -> ServerConnection {
        if let connection, connection.isAlive() { return connection }
        connection = nil
        let opened = try connector.connect()
        do throws(PostgreSQLError) { try prepare(opened) } catch { throw .cannotWrite(reason: error.reason) }
        connection = opened
        return opened
    }

    private func prepare(_ connection: ServerConnection) throws(PostgreSQLError) {
        // While a replica is away, a renewal would wait for it because of the silences' tables, and later ones would
        // wait for its row. The node would seem lost. `SilenceTable` says what a crash may undo.
        try connection.run("SET synchronous_commit = off")
        let statements = [Self.renew, Self.read, Self.tidy] + PresenceTable.statements + SilenceTable.statements
        try connection.prepare(statements, in: connector.schema)
    }
}
