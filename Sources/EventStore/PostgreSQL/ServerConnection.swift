// Calls libpq with C pointers; only values, or owners that close what they opened, leave this file.
import CPostgreSQL
import Glibc

/// The answer of PostgreSQL, or of the way to it, when it did not do what it was asked.
struct PostgreSQLError: Error, Equatable {
    /// The server's code (PostgreSQL's manual, appendix A); empty if the server said nothing.
    let state: String
    /// On one line, without a password.
    let reason: String
    /// The connection is gone, and it is unknown whether what was sent was done.
    let isConnectionLost: Bool
}

/// A statement that each connection prepares once. Values go in and come out in PostgreSQL's binary formats.
struct PreparedStatement: Sendable {
    let name: String
    let sql: String

    init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }
}

/// A connection to a server, for one thread at a time. Every call ends within its timeouts: if the server is silent for
/// longer, the connection is given up.
final class ServerConnection {
    /// Most time to connect, and to wait for all answers of one call.
    struct Timeouts: Sendable {
        var connectSeconds = 5
        var answer = Duration.seconds(10)
    }

    /// Most messages that a server sends on its own between two calls, for example about a changed setting.
    private static let unaskedLimit = 16

    private let handle: OpaquePointer
    private let address: DatabaseAddress
    /// Those of the next calls.
    var timeouts: Timeouts
    private var isGivenUp = false
    /// Given up because the server did not answer in time.
    private(set) var isSilent = false
    /// Calls sent whose results have not come.
    private var underWay = 0
    /// Transactions that end before the last of these.
    private var endedTransactions = 0
    private var pointers: [UnsafePointer<CChar>?] = []
    private var formats: [Int32] = []

    /// `settings`: the session's first SQL.
    init(to address: DatabaseAddress, settings: String, timeouts: Timeouts = Timeouts()) throws(PostgreSQLError) {
        // The address may override settings before it, but not those after it.
        let options =
            [
                ("connect_timeout", "\(timeouts.connectSeconds)"), ("keepalives_idle", "5"),
                ("keepalives_interval", "2"),
                ("keepalives_count", "3"), ("tcp_user_timeout", "10000"), ("target_session_attrs", "read-write"),
                ("fallback_application_name", "flipside"),
            ] + address.protection.settings + [("dbname", address.text), ("client_encoding", "UTF8")]
        let opened = ServerConnection.withCStrings(options.map(\.0)) { keywords in
            ServerConnection.withCStrings(options.map(\.1)) { PQconnectdbParams(keywords, $0, 1) }
        }
        guard let opened else {
            throw PostgreSQLError(state: "", reason: "out of memory", isConnectionLost: true)
        }
        handle = opened
        self.address = address
        self.timeouts = timeouts
        // From here on `deinit` closes it.
        guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0 else { throw failure() }
        // By default, notices go to stderr.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        try run(settings)
    }

    deinit { PQfinish(handle) }

    /// `150018` for 15.18.
    var serverVersion: Int { Int(PQserverVersion(handle)) }

    var encoding: String { PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? "" }

    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// Runs statements and returns the rows of the last one.
    @discardableResult
    func run(_ sql: String) throws(PostgreSQLError) -> ResultRows? {
        guard PQsendQuery(handle, sql) == 1 else { throw failure() }
        let end = ContinuousClock.now + timeouts.answer
        var (last, problem) = (ResultRows?.none, PostgreSQLError?.none)
        while let result = try next(until: end) {
            if let error = error(of: result) { problem = problem ?? error } else { last = result }
        }
        if let problem { throw problem }
        return last
    }

    /// Each `@` in their SQL stands for the schema.
    func prepare(_ statements: [PreparedStatement], in schema: DatabaseSchema? = nil) throws(PostgreSQLError) {
        for statement in statements {
            let sql = schema?.sql(statement.sql) ?? statement.sql
            guard PQsendPrepare(handle, statement.name, sql, 0, nil) == 1 else { throw failure() }
            let end = ContinuousClock.now + timeouts.answer
            var problem: PostgreSQLError?
            while let result = try next(until: end) { problem = problem ?? error(of: result) }
            if let problem { throw problem }
        }
    }

    /// Adds a statement to the pipeline; `finish` returns its rows. Copies the values.
    func send(_ statement: PreparedStatement, _ values: BinaryValues) throws(PostgreSQLError) {
        if underWay == 0, PQenterPipelineMode(handle) == 0 { throw failure() }
        let count = values.sizes.count
        while formats.count < count { formats.append(1) }
        let isSent = values.bytes.withUnsafeBytes { bytes in
            pointers.removeAll(keepingCapacity: true)
            for (offset, size) in zip(values.offsets, values.sizes) {
                pointers.append(
                    size < 0 ? nil : bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self))
            }
            return PQsendQueryPrepared(handle, statement.name, Int32(count), pointers, values.sizes, formats, 1) == 1
        }
        guard isSent else { throw failure() }
        underWay += 1
    }

    /// Ends the transaction of the statements sent so far. The rest of the pipeline is another transaction, which is
    /// done even if this one fails.
    func endTransaction() throws(PostgreSQLError) {
        guard PQpipelineSync(handle) == 1 else { throw failure() }
        endedTransactions += 1
    }

    /// Waits for all that was sent. Throws the first error after everything is answered. Later statements of the same
    /// transaction were not done.
    func finish() throws(PostgreSQLError) -> [ResultRows] {
        guard underWay > 0 else { return [] }
        guard PQpipelineSync(handle) == 1 else { throw failure() }
        let end = ContinuousClock.now + timeouts.answer
        var results: [ResultRows] = []
        results.reserveCapacity(underWay)
        var problem: PostgreSQLError?
        while true {
            // Nil separates the results of two statements.
            guard let result = try next(until: end) else { continue }
            if result.status == PGRES_PIPELINE_SYNC {
                if endedTransactions == 0 { break }
                endedTransactions -= 1
                continue
            }
            if let error = error(of: result) { problem = problem ?? error } else { results.append(result) }
        }
        underWay = 0
        guard PQexitPipelineMode(handle) == 1 else { throw failure() }
        if let problem { throw problem }
        return results
    }

    /// Whether the server has not closed the connection since. Checks without waiting.
    func isAlive() -> Bool {
        // Its message that it stops comes before the end of the connection, and hides it.
        for _ in 0..<ServerConnection.unaskedLimit where !isGivenUp {
            var waiting = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 0) > 0 else { return PQstatus(handle) == CONNECTION_OK }
            guard PQconsumeInput(handle) == 1 else { break }
        }
        return false
    }

    /// The next result, once it has arrived; nil after the last of a statement.
    private func next(until end: ContinuousClock.Instant) throws(PostgreSQLError) -> ResultRows? {
        var isFlushing = true
        while true {
            if isFlushing {
                let code = PQflush(handle)
                if code < 0 { throw failure() }
                isFlushing = code == 1
            }
            if PQisBusy(handle) == 0 { return PQgetResult(handle).map(ResultRows.init) }
            try wait(until: end, toWrite: isFlushing)
            guard PQconsumeInput(handle) == 1 else { throw failure() }
        }
    }

    private func wait(until end: ContinuousClock.Instant, toWrite: Bool) throws(PostgreSQLError) {
        var waiting = pollfd(fd: PQsocket(handle), events: Int16(POLLIN | (toWrite ? POLLOUT : 0)), revents: 0)
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: end))
            let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
            let code = poll(&waiting, 1, Int32(milliseconds))
            if code > 0 { return }
            if code == 0 {
                (isGivenUp, isSilent) = (true, true)
                throw PostgreSQLError(
                    state: "", reason: "the server has not answered for \(timeouts.answer)", isConnectionLost: true)
            }
            if errno != EINTR { throw failure() }
        }
    }

    /// The result's error; nil if there is none.
    private func error(of result: ResultRows) -> PostgreSQLError? {
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_SYNC: return nil
        case PGRES_PIPELINE_ABORTED: return PostgreSQLError(state: "", reason: "not done", isConnectionLost: false)
        default: break
        }
        // Class 57P: an operator ends the session, which the server says before it closes the connection.
        let isLost = PQstatus(handle) != CONNECTION_OK || result.state.hasPrefix("57P")
        isGivenUp = isGivenUp || isLost
        return PostgreSQLError(
            state: result.state, reason: address.redact(result.message), isConnectionLost: isLost)
    }

    /// The library's message about its last call, which fails when the connection does.
    private func failure() -> PostgreSQLError {
        isGivenUp = true
        let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return PostgreSQLError(
            state: "", reason: address.redact(message.isEmpty ? "the connection is lost" : message),
            isConnectionLost: true)
    }

    private static func withCStrings<Answer>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Answer
    ) -> Answer {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
    }
}

/// A statement's result, in binary.
final class ResultRows {
    private let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    fileprivate var status: ExecStatusType { PQresultStatus(handle) }
    fileprivate var message: String { PQresultErrorMessage(handle).map { String(cString: $0) } ?? "" }
    /// The column is 'C' for SQLSTATE (libpq's PG_DIAG_SQLSTATE).
    fileprivate var state: String {
        PQresultErrorField(handle, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
    }

    var count: Int { Int(PQntuples(handle)) }

    /// The command that was done, such as `COMMIT` or `UPDATE 1`.
    var tag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) == 1 }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] { withValue(row, column) { [UInt8]($0) } }

    func text(_ row: Int, _ column: Int) -> String { withValue(row, column) { String(decoding: $0, as: UTF8.self) } }

    /// An integer of any size; 0 for null.
    func integer(_ row: Int, _ column: Int) -> Int { withValue(row, column) { ResultRows.integer($0) } }

    /// An array without nulls; empty for null.
    func integers(_ row: Int, _ column: Int) -> [Int] {
        withValue(row, column) { bytes in
            // Dimensions, whether there are nulls, and the type; length and first index of the one dimension; then the
            // values, each after its size.
            guard bytes.count >= 20 else { return [] }
            return (0..<ResultRows.integer(.init(rebasing: bytes[12..<16]))).map { index in
                ResultRows.integer(.init(rebasing: bytes[(24 + 12 * index)..<(32 + 12 * index)]))
            }
        }
    }

    private func withValue<Answer>(_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        let (row, column) = (Int32(row), Int32(column))
        return body(
            UnsafeRawBufferPointer(
                start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column))))
    }

    private static func integer(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let first = bytes.first else { return 0 }
        return bytes.dropFirst().reduce(Int(Int8(bitPattern: first))) { $0 << 8 | Int($1) }
    }
}
