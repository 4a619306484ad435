import Cryptography
import Records

/// The address and timeouts of a log's connections.
struct DatabaseConnector: Sendable {
    let schema: DatabaseSchema
    let timeouts: ServerConnection.Timeouts
    /// The run of the process that writes: see `LeaseStore`.
    let run: String?

    /// `address` as libpq takes it.
    init(
        _ address: String, schema: String, timeouts: ServerConnection.Timeouts = .init(), run: String? = nil
    ) throws(EventLogError) {
        self.schema = DatabaseSchema(address: try DatabaseAddress(address, schema: schema))
        (self.timeouts, self.run) = (timeouts, run)
    }

    var address: DatabaseAddress { schema.address }

    /// Throws `cannotOpen` if no server answers.
    func connect() throws(EventLogError) -> ServerConnection {
        do throws(PostgreSQLError) {
            return try ServerConnection(to: address, settings: DatabaseSchema.session, timeouts: timeouts)
        } catch { throw .cannotOpen(path: address.shown, reason: error.reason) }
    }

    func openReader() throws(EventLogError) -> DatabaseReader {
        let connection = try connect()
        do throws(PostgreSQLError) {
            try connection.run("SET statement_timeout = '8s'")
            return try DatabaseReader(connection, schema)
        } catch { throw .cannotOpen(path: address.shown, reason: error.reason) }
    }

    /// A connection for a writer, once the tables exist.
    func openSession() throws(EventLogError) -> DatabaseSession {
        let connection = try connect()
        try schema.make(through: connection)
        do throws(PostgreSQLError) { return try DatabaseSession(connection, schema, run: run) } catch {
            throw .cannotOpen(path: address.shown, reason: error.reason)
        }
    }
}

/// Writes commits through one connection, one transaction at a time. Statements have no time limit: if the server ended
/// a COMMIT that waits for a replica, it would look as if the replica had it.
final class DatabaseSession {
    /// Most commits in a transaction. Bounds how long the first of them waits for the others, and how much the server
    /// has to send before anyone reads it: less than a socket holds.
    static let transactionLimit = 512

    enum Failure: Error {
        /// The server said so, or did not get the COMMIT.
        case notDone(PostgreSQLError)
        /// The connection was lost after the COMMIT was sent.
        case unknown(PostgreSQLError)

        var error: PostgreSQLError {
            switch self {
            case .notDone(let error), .unknown(let error): error
            }
        }
    }

    struct Judgement {
        let outcome: AppendFunction.Outcome
        let hashes: ArraySlice<Digest>
    }

    /// Reads through the same connection.
    let reader: DatabaseReader
    private let connection: ServerConnection
    private let append: PreparedStatement
    /// Starts a transaction, with its values. Its lock tells followers of all streams that positions may yet come: see
    /// `Feed`.
    private let enter: PreparedStatement
    private var entering = BinaryValues()
    private let enterToFence: PreparedStatement
    private let fence: PreparedStatement
    private let findFence: PreparedStatement
    private let claim, release: PreparedStatement
    private let run: [UInt8]?
    /// The other half of the lock's key: the schema's number.
    private let key: Int
    private let beginning = PreparedStatement(name: "begin", sql: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    private let ending = PreparedStatement(name: "commit", sql: "COMMIT")
    private let hasher = SHA256()
    private var values = BinaryValues()

    init(_ connection: ServerConnection, _ schema: DatabaseSchema, run: String?) throws(PostgreSQLError) {
        self.connection = connection
        self.run = run.map { Array($0.utf8) }
        let number = PreparedStatement(
            name: "number", sql: "SELECT to_regnamespace($$\(schema.name)$$)::oid::int8")
        try connection.prepare([number])
        key = Int(Int32(truncatingIfNeeded: try connection.rows(of: number).integer(0, 0)))
        func statement(_ statement: PreparedStatement) -> PreparedStatement {
            PreparedStatement(name: statement.name, sql: schema.sql(statement.sql))
        }
        append = statement(AppendFunction.call)
        enter = statement(self.run == nil ? FenceFunctions.enterForNobody : FenceFunctions.enter)
        (enterToFence, fence) = (statement(FenceFunctions.enterToFence), statement(FenceFunctions.fence))
        findFence = statement(FenceFunctions.isFenced)
        (claim, release) = (statement(ClaimFunctions.claim), statement(ClaimFunctions.release))
        if let run = self.run { entering.add(run) }
        entering.add(DatabaseSchema.lockClass)
        entering.add(key)
        try connection.prepare(
            [append, enter, enterToFence, fence, findFence, claim, release, ClaimFunctions.unsynced, beginning, ending])
        reader = try DatabaseReader(connection, schema)
    }

    func isAlive() -> Bool { connection.isAlive() }

    /// Whether the run was declared lost, or has left.
    func isFenced() throws(PostgreSQLError) -> Bool {
        guard let run else { return false }
        values.removeAll()
        values.add(run)
        return try connection.rows(of: findFence, values).integer(0, 0) == 1
    }

    /// Writes a commit that fences a run, in a transaction of its own. The fence and the commit come together or not at
    /// all.
    func write(_ commit: Commit, fencing other: Fencing) throws(Failure) -> Judgement {
        var hashes: [Digest] = []
        let outcome: AppendFunction.Outcome
        do throws(PostgreSQLError) {
            try connection.send(beginning)
            values.removeAll()
            values.add(orNull: run)
            values.add(Array(other.run.utf8))
            values.add(DatabaseSchema.lockClass)
            values.add(key)
            try connection.send(enterToFence, values)
            AppendFunction.bind(commit, by: run, to: &values, hashes: &hashes, with: hasher)
            try connection.send(append, values)
            let results = try connection.finish()
            outcome = AppendFunction.outcome(in: results[results.count - 1])
        } catch { throw rollBack(error) }
        do throws(PostgreSQLError) {
            if case .written = outcome {
                values.removeAll()
                values.add(Array(other.run.utf8))
                for number in [other.renewals, other.settled, other.time] { values.add(orNull: number) }
                try connection.send(fence, values)
            }
            try end()
        } catch {
            if error.isConnectionLost { throw .unknown(error) }
            let failure = rollBack(error)
            guard error.isRenewed else { throw failure }
            return Judgement(outcome: .renewed, hashes: hashes[...])
        }
        return Judgement(outcome: outcome, hashes: hashes[...])
    }

    /// Writes each by itself: one that does not fit, or whose stream another transaction has, does not affect the
    /// others.
    func write(_ commits: some Collection<Commit>) throws(Failure) -> [Judgement] {
        var hashes: [Digest] = []
        var bounds = [0]
        do throws(PostgreSQLError) {
            try connection.send(beginning)
            try connection.send(enter, entering)
            for commit in commits {
                AppendFunction.bind(commit, by: run, to: &values, hashes: &hashes, with: hasher)
                bounds.append(hashes.count)
                try connection.send(append, values)
            }
        } catch { throw .notDone(error) }
        let results: [ResultRows]
        do throws(PostgreSQLError) { results = try end() } catch {
            throw error.isConnectionLost ? .unknown(error) : rollBack(error)
        }
        return results[2..<(results.count - 1)].enumerated().map { index, row in
            Judgement(
                outcome: AppendFunction.outcome(in: row), hashes: hashes[bounds[index]..<bounds[index + 1]])
        }
    }

    /// Makes claims and releases, in order for each stream. Returns a claim for each, or nil for a release. Throws if
    /// nothing was done or that is unknown; a repetition has the same result.
    func change(_ changes: [ClaimChange]) throws(PostgreSQLError) -> [Claim?] {
        // The sort is not stable by itself.
        let order = changes.indices.sorted { one, other in
            let (left, right) = (changes[one].stream.text.utf8, changes[other].stream.text.utf8)
            return left.elementsEqual(right) ? one < other : left.lexicographicallyPrecedes(right)
        }
        var claims = [Claim?](repeating: nil, count: changes.count)
        do throws(PostgreSQLError) {
            try connection.send(beginning)
            try connection.send(ClaimFunctions.unsynced)
            try connection.send(enter, entering)
            for index in order { try send(changes[index]) }
            let rows = try end()[3...].dropLast()
            for (index, row) in zip(order, rows) {
                if case .claim = changes[index].kind {
                    claims[index] = ClaimFunctions.claim(of: changes[index].stream, in: row)
                }
            }
        } catch { throw rollBack(error).error }
        return claims
    }

    private func send(_ change: ClaimChange) throws(PostgreSQLError) {
        values.removeAll()
        values.add(orNull: run)
        values.add(Array(change.stream.text.utf8))
        switch change.kind {
        case .claim: try connection.send(claim, values)
        case .release(let owed, let time):
            values.add(orNull: owed)
            values.add(time)
            try connection.send(release, values)
        }
    }

    /// Ends the transaction and returns the results of all that was sent.
    @discardableResult
    private func end() throws(PostgreSQLError) -> [ResultRows] {
        try connection.send(ending)
        let results = try connection.finish()
        guard results.last?.tag == "COMMIT" else {
            let reason = "the transaction ended with \(results.last?.tag ?? "nothing")"
            throw PostgreSQLError(state: "", reason: reason, isConnectionLost: false)
        }
        return results
    }

    private func rollBack(_ error: PostgreSQLError) -> Failure {
        // If this fails, the connection is gone too, which its next use shows. The transaction is void in any case.
        if !error.isConnectionLost { _ = try? connection.run("ROLLBACK") }
        return .notDone(error)
    }
}

extension Commit {
    /// The change to each stream, with the stream's number.
    func changes(
        streams: [Int], positions: [Int], hashes: ArraySlice<Digest>
    ) -> [(stream: Int, change: StreamChange)] {
        var positions = positions[...]
        var hashes = hashes
        return zip(parts, streams).map { part, id in
            switch part {
            case .append(let events, let stream, let end):
                let records = events.enumerated().map { index, event in
                    Record(
                        stream: stream, version: end.version + 1 + index, position: positions.removeFirst(),
                        commit: self.id, event: event, hash: hashes.removeFirst())
                }
                return (id, .records(records))
            case .erase(let stream, let end):
                return (id, .erased(Erasure(position: positions.removeFirst(), head: end.head), of: stream))
            }
        }
    }
}
