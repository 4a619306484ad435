// Calls SQLite with C pointers; only values, or owners that close what they opened, leave this file.
import CSQLite
import Cryptography
import Glibc

/// SQLite's answer when it did not do what it was asked.
struct SQLiteError: Error, Equatable {
    /// The extended result code (sqlite.org/rescode.html).
    let code: Int32
    let reason: String

    /// The result code without its extension: `SQLITE_FULL`, `SQLITE_IOERR`.
    var primaryCode: Int32 { code & 0xFF }

    /// The error for readers of a log. Another process's lock or a lack of memory does not mean that the file is bad.
    var whenReading: EventLogError {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM: .busy(reason: reason)
        default: .cannotRead(reason: reason)
        }
    }

    /// Reads, and throws such an error.
    static func reading<Answer>(
        _ answer: @autoclosure () throws(SQLiteError) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(SQLiteError) { return try answer() } catch { throw error.whenReading }
    }
}

/// A connection to a database file, for one thread at a time.
final class Database {
    enum Access {
        case create, readWrite, readOnly
        /// No one writes to the file, nor to a log next to it: SQLite takes no locks and looks at no other file.
        case immutable
    }

    fileprivate let handle: OpaquePointer

    /// A database's file and all that SQLite may put next to it.
    static func fileNames(of name: String) -> [String] { ["", "-journal", "-wal", "-shm"].map { name + $0 } }

    /// `system` names the SQLite file system layer; nil means the usual one.
    init(path: String, access: Access, system: String? = nil) throws(SQLiteError) {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
        var query = ""
        switch access {
        case .create:
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            Database.makeFile(path)
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY
            query = "?immutable=1"
        }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2("file:" + Database.escape(path) + query, &opened, flags, system)
        guard let opened else { throw SQLiteError(code: code, reason: "out of memory") }
        guard code == SQLITE_OK else {
            let failure = SQLiteError(code: code, reason: String(cString: sqlite3_errmsg(opened)))
            sqlite3_close(opened)
            throw failure
        }
        handle = opened
    }

    // Statements keep their database, so none exists when this runs.
    deinit { sqlite3_close(handle) }

    /// Runs statements without rows, or whose rows do not matter.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code) }
    }

    func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw failure(code) }
        return Statement(prepared, of: self)
    }

    /// The first column of the first row; 0 if there is none.
    func integer(_ sql: String) throws(SQLiteError) -> Int {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// The first column of the first row; empty if there is none.
    func text(_ sql: String) throws(SQLiteError) -> String {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(0) : ""
    }

    /// Whether the file or its folder takes no writes.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Whether the file's header says that it uses a write-ahead log (sqlite.org/fileformat2.html, section 1.3.3); nil
    /// if it says nothing.
    var saysJournal: Bool? {
        readFile(2, at: 18).map { $0 == [2, 2] }
    }

    /// Bytes of the file itself, without the write-ahead log; nil if it is too short.
    func readFile(_ count: Int, at offset: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = flipside_sqlite_read_file(handle, &bytes, Int32(count), sqlite3_int64(offset))
        return code == SQLITE_OK ? bytes : nil
    }

    /// The write-ahead log, next to the file itself. If the opened path is a link, that is next to the link's target.
    var journalPath: String { String(cString: sqlite3_db_filename(handle, "main")) + "-wal" }

    /// Whether closing leaves the write-ahead log as it is, instead of copying it into the file and deleting it.
    var keepsJournal = false {
        didSet {
            let code = flipside_sqlite_keep_journal(handle, keepsJournal ? 1 : 0)
            precondition(code == SQLITE_OK, "SQLite knows no such setting (result code \(code))")
        }
    }

    /// Whether the last checkpoint copied all of the write-ahead log into the file, so that the next transaction may
    /// start a new one. The writer clears it once that is committed.
    var mayRestartJournal = false

    /// Pages written since the last call.
    func takePagesWritten() -> Int {
        var (current, highest) = (Int32(0), Int32(0))
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 1)
        return Int(current)
    }

    /// Copies as much of the write-ahead log into the file as readers permit. With `isThorough` and no reader in the
    /// way, copies all of it and empties the log. False if a reader was in the way: the next checkpoint gets further.
    /// Waits for no one.
    @discardableResult
    func checkpoint(isThorough: Bool = false) throws(SQLiteError) -> Bool {
        let mode = isThorough ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        if isThorough { sqlite3_busy_timeout(handle, 0) }
        var (frames, copied) = (Int32(0), Int32(0))
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &copied)
        if isThorough { sqlite3_busy_timeout(handle, Int32(LogFile.busyMilliseconds)) }
        if code & 0xFF != SQLITE_OK, code & 0xFF != SQLITE_BUSY { throw failure(code) }
        mayRestartJournal = code == SQLITE_OK && copied == frames
        return code & 0xFF == SQLITE_OK
    }

    fileprivate func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, reason: String(cString: sqlite3_errmsg(handle)))
    }

    /// SQLite by itself would create a file that everyone may read. The files next to it get its rights. If none can be
    /// created, SQLite reports why.
    private static func makeFile(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        // The process may take rights even from the owner (umask).
        fchmod(descriptor, 0o600)
        close(descriptor)
    }

    /// `path` as the path of a URI (sqlite.org/uri.html).
    private static func escape(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }
}

/// A prepared statement. Parameters count from 1, columns from 0, as in SQLite. All parameters are bound in order
/// before it runs.
final class Statement {
    private let handle: OpaquePointer
    private let database: Database
    /// Texts and blobs are copied here until the statement has run, if there is room. SQLite would allocate memory for
    /// each.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_024, alignment: 1)
    private var usedRoom = 0

    fileprivate init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
        room.deallocate()
    }

    func bind(_ value: Int?, at parameter: Int32) {
        if parameter == 1 { usedRoom = 0 }
        if let value {
            check(sqlite3_bind_int64(handle, parameter, Int64(value)))
        } else {
            check(sqlite3_bind_null(handle, parameter))
        }
    }

    func bind(_ text: String, at parameter: Int32) {
        let utf8 = text.utf8Span.span.bytes
        keep(utf8, for: parameter) { start, owner in
            sqlite3_bind_text64(
                handle, parameter, start.assumingMemoryBound(to: CChar.self), UInt64(utf8.byteCount), owner,
                UInt8(SQLITE_UTF8))
        }
    }

    /// Binds a blob, so that comparisons look at the very same bytes, zeros included.
    func bind(bytesOf text: String, at parameter: Int32) { bind(text.utf8Span.span.bytes, at: parameter) }

    func bind(_ bytes: [UInt8]?, at parameter: Int32) {
        guard let bytes else { return check(sqlite3_bind_null(handle, parameter)) }
        bind(bytes.span.bytes, at: parameter)
    }

    private func bind(_ bytes: RawSpan, at parameter: Int32) {
        keep(bytes, for: parameter) { start, owner in
            sqlite3_bind_blob64(handle, parameter, start, UInt64(bytes.byteCount), owner)
        }
    }

    /// Calls `bind` with bytes that stay valid until the statement has run. If there is no room, SQLite copies them.
    private func keep(
        _ bytes: RawSpan, for parameter: Int32,
        bind: (UnsafeRawPointer, sqlite3_destructor_type?) -> Int32
    ) {
        if parameter == 1 { usedRoom = 0 }
        bytes.withUnsafeBytes { bytes in
            let free = UnsafeMutableRawBufferPointer(rebasing: room[usedRoom...])
            // Even empty bytes have an address here. SQLite takes a null pointer for NULL.
            guard bytes.count < free.count, let start = free.baseAddress else {
                guard let start = bytes.baseAddress else { preconditionFailure("no bytes need no room") }
                return check(bind(start, flipside_sqlite_transient()))
            }
            free.copyMemory(from: bytes)
            usedRoom += bytes.count
            check(bind(start, nil))
        }
    }

    /// Moves to the next row; false, and ready for new parameters, if there is none.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        case let code:
            let failure = database.failure(code)
            sqlite3_reset(handle)
            throw failure
        }
    }

    /// Runs to the end and ignores rows.
    func run() throws(SQLiteError) { while try step() {} }

    /// Runs to the end, and returns what `read` makes of each row.
    func rows<Row>(_ read: (Statement) -> Row) throws(SQLiteError) -> [Row] {
        var rows: [Row] = []
        while try step() { rows.append(read(self)) }
        return rows
    }

    /// Drops the rows that were not read.
    func reset() { sqlite3_reset(handle) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    /// Of a text, or of a blob that holds one.
    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Nil unless the column has the length of a digest.
    func digest(_ column: Int32) -> Digest? {
        guard let start = sqlite3_column_blob(handle, column) else { return nil }
        return Digest(bytes: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    private func check(_ code: Int32) {
        precondition(code == SQLITE_OK, "SQLite refused a parameter (result code \(code))")
    }
}
