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
    func connect(timeouts: ServerConnection.Timeouts? = nil) throws(EventLogError) -> ServerConnection {
        do throws(PostgreSQLError) {
            let timeouts = timeouts ?? self.timeouts
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
    /// What starts a transaction. Its lock tells followers of all streams that positions may yet come: see `Feed`.
    private let enter: PreparedStatement
    private var entering = BinaryValues()
    private let run: [UInt8]?
    /// The other half of the lock's key: the schema's number.
    private let key: Int
    private static let begin = PreparedStatement("begin", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    private static let commit = PreparedStatement("commit", "COMMIT")
    private let hasher = SHA256()
    private var values = BinaryValues()

    init(_ connection: ServerConnection, _ schema: DatabaseSchema, run: String?) throws(PostgreSQLError) {
        self.connection = connection
        self.run = run.map { Array($0.utf8) }
        let number = PreparedStatement("number", "SELECT to_regnamespace($$@$$)::oid::int8")
        enter = run == nil ? FenceFunctions.enterForNobody : FenceFunctions.enter
        try connection.prepare(
            [
                number, AppendFunction.call, enter, FenceFunctions.enterToFence, FenceFunctions.fence,
                FenceFunctions.isFenced, ClaimFunctions.claim, ClaimFunctions.release, ClaimFunctions.unsynced,
                Self.begin, Self.commit,
            ], in: schema)
        key = Int(Int32(truncatingIfNeeded: try connection.rows(of: number).integer(0, 0)))
        if let run = self.run { entering.add(run) }
        entering.add(DatabaseSchema.lockClass)
        entering.add(key)
        reader = try DatabaseReader(connection, schema)
    }

    func isAlive() -> Bool { connection.isAlive() }

    /// Whether the server has ended it. A server that is silent has not.
    var isEnded: Bool { !connection.isSilent && !connection.isAlive() }

    /// Whether the run was declared lost, or has left.
    func isFenced() throws(PostgreSQLError) -> Bool {
        guard let run else { return false }
        return try connection.rows(of: FenceFunctions.isFenced, .bytes(run)).integer(0, 0) == 1
    }

    /// Writes a commit that fences a run, in a transaction of its own. The fence and the commit come together or not at
    /// all.
    func write(_ commit: Commit, fencing other: Fencing) throws(Failure) -> Judgement {
        var hashes: [Digest] = []
        let outcome: AppendFunction.Outcome
        do throws(PostgreSQLError) {
            try connection.send(Self.begin)
            try connection.send(
                FenceFunctions.enterToFence, .bytes(run), .text(other.run), .integer(DatabaseSchema.lockClass),
                .integer(key))
            AppendFunction.bind(commit, by: run, to: &values, hashes: &hashes, with: hasher)
            try connection.send(AppendFunction.call, values)
            let results = try connection.finish()
            outcome = AppendFunction.outcome(in: results[results.count - 1])
        } catch { throw rollBack(error) }
        do throws(PostgreSQLError) {
            if case .written = outcome {
                try connection.send(
                    FenceFunctions.fence, .text(other.run), .integer(other.renewals), .integer(other.settled),
                    .integer(other.time))
            }
            try commitTransaction()
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
            try connection.send(Self.begin)
            try connection.send(enter, entering)
            for commit in commits {
                AppendFunction.bind(commit, by: run, to: &values, hashes: &hashes, with: hasher)
                bounds.append(hashes.count)
                try connection.send(AppendFunction.call, values)
            }
        } catch { throw .notDone(error) }
        let results: [ResultRows]
        do throws(PostgreSQLError) { results = try commitTransaction() } catch {
            throw error.isConnectionLost ? .unknown(error) : rollBack(error)
        }
        return results[2..<(results.count - 1)].enumerated().map { index, row in
            Judgement(outcome: AppendFunction.outcome(in: row), hashes: hashes[bounds[index]..<bounds[index + 1]])
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
            try connection.send(Self.begin)
            try connection.send(ClaimFunctions.unsynced)
            try connection.send(enter, entering)
            for index in order { try send(changes[index]) }
            let rows = try commitTransaction()[3...].dropLast()
            for (index, row) in zip(order, rows) {
                if case .claim = changes[index].kind {
                    claims[index] = ClaimFunctions.claim(of: changes[index].stream, in: row)
                }
            }
        } catch { throw rollBack(error).error }
        return claims
    }

    private func send(_ change: ClaimChange) throws(PostgreSQLError) {
        let stream = BinaryValue.text(change.stream.text)
        switch change.kind {
        case .claim: try connection.send(ClaimFunctions.claim, .bytes(run), stream)
        case .release(let owed, let time):
            try connection.send(ClaimFunctions.release, .bytes(run), stream, .integer(owed), .integer(time))
        }
    }

    /// Ends the transaction and returns the results of all that was sent.
    @discardableResult
    private func commitTransaction() throws(PostgreSQLError) -> [ResultRows] {
        try connection.send(Self.commit)
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
