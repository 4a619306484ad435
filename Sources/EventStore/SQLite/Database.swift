// Calls SQLite with C pointers; what leaves this file is a value, or an owner that closes what it opened.
import CSQLite
import Cryptography
import Glibc

/// What SQLite answered instead of doing what it was asked.
struct SQLiteError: Error, Equatable {
    /// The extended result code (sqlite.org/rescode.html).
    let code: Int32
    let reason: String

    /// The result code without its extension: `SQLITE_FULL`, `SQLITE_IOERR`.
    var primaryCode: Int32 { code & 0xFF }

    /// What a reader of a log is told. A lock that somebody else holds and memory that is short say nothing against
    /// the file.
    var whenReading: EventLogError {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM: .busy(reason: reason)
        default: .cannotRead(reason: reason)
        }
    }
}

/// A connection to a database file, for one thread at a time.
final class Database {
    enum Access {
        case create, readWrite, readOnly
        /// Nobody writes to the file, not even a log beside it: no locks are taken and no other file is looked at.
        case immutable
    }

    fileprivate let handle: OpaquePointer

    /// Of a database, with all that SQLite may put beside it.
    static func fileNames(of name: String) -> [String] { ["", "-journal", "-wal", "-shm"].map { name + $0 } }

    /// `system` names the SQLite file system layer to go through; nil: the usual one.
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
        guard let opened else { throw SQLiteError(code: code, reason: "no memory is left") }
        guard code == SQLITE_OK else {
            let failure = SQLiteError(code: code, reason: String(cString: sqlite3_errmsg(opened)))
            sqlite3_close(opened)
            throw failure
        }
        handle = opened
    }

    // Statements keep their database, so none is left when this runs.
    deinit { sqlite3_close(handle) }

    /// Runs statements that give no rows, or whose rows do not matter.
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

    /// Whether the file, or the place it is in, takes no writes.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Whether the file says of itself that it is written through a write-ahead log (sqlite.org/fileformat2.html,
    /// section 1.3.3); nil where it says nothing.
    var saysJournal: Bool? {
        readFile(2, at: 18).map { $0 == [2, 2] }
    }

    /// Bytes of the file, as they are without the write-ahead log; nil where it has none there.
    func readFile(_ count: Int, at offset: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = flipside_sqlite_read_file(handle, &bytes, Int32(count), sqlite3_int64(offset))
        return code == SQLITE_OK ? bytes : nil
    }

    /// The write-ahead log, beside the file itself: where the path that was opened is a link, beside what it shows to.
    var journalPath: String { String(cString: sqlite3_db_filename(handle, "main")) + "-wal" }

    /// Whether closing leaves the write-ahead log as it is, instead of bringing it into the file and deleting it.
    var keepsJournal = false {
        didSet {
            let code = flipside_sqlite_keep_journal(handle, keepsJournal ? 1 : 0)
            precondition(code == SQLITE_OK, "SQLite knows no such setting (result code \(code))")
        }
    }

    /// Whether the last checkpoint brought all of the write-ahead log into the file, so that the next transaction may
    /// start a new one. The writer sets it back once that is committed.
    var mayRestartJournal = false

    /// Pages written since this was last asked.
    func takePagesWritten() -> Int {
        var (current, highest) = (Int32(0), Int32(0))
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 1)
        return Int(current)
    }

    /// Copies what readers let it from the write-ahead log into the file; all of it, and empties the log, if
    /// `isThorough` and no reader is in the way. False if one was: the next checkpoint gets further. Waits for nobody.
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

    /// Left to itself SQLite makes a file that everybody may read; those beside it get the rights that it has. Where
    /// none can be made SQLite says why.
    private static func makeFile(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        // The process may take rights even from the owner (umask).
        fchmod(descriptor, 0o600)
        close(descriptor)
    }

    /// `path` as the path of a URI (sqlite.org/uri.html).
    private static func escape(_ path: String) -> String {
        var escaped = ""
        for character in path {
            switch character {
            case "%": escaped += "%25"
            case "?": escaped += "%3f"
            case "#": escaped += "%23"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}

/// A prepared statement. Parameters count from 1, columns from 0, as in SQLite. All parameters are given in order
/// before it runs.
final class Statement {
    private let handle: OpaquePointer
    private let database: Database
    /// What texts and blobs are copied to until it has run, as far as there is room: SQLite would allocate for each.
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

    /// As a blob: what is compared with it, or found by it, has the very same bytes, zeros too.
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

    /// Has `bind` take `bytes` from where they stay until the statement has run, or copy them where there is no room.
    private func keep(
        _ bytes: RawSpan, for parameter: Int32,
        bind: (UnsafeRawPointer, sqlite3_destructor_type?) -> Int32
    ) {
        if parameter == 1 { usedRoom = 0 }
        bytes.withUnsafeBytes { bytes in
            let free = UnsafeMutableRawBufferPointer(rebasing: room[usedRoom...])
            // Bytes that are none have an address here, too: SQLite would take them for NULL without one.
            guard bytes.count < free.count, let start = free.baseAddress else {
                guard let start = bytes.baseAddress else { preconditionFailure("no bytes need no room") }
                return check(bind(start, flipside_sqlite_transient()))
            }
            free.copyMemory(from: bytes)
            usedRoom += bytes.count
            check(bind(start, nil))
        }
    }

    /// Goes to the next row; false, and ready for new parameters, if there is none.
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

    /// Runs to the end, whatever rows there are.
    func run() throws(SQLiteError) { while try step() {} }

    /// Gives up the rows that have not been looked at.
    func reset() { sqlite3_reset(handle) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    /// Of text, or of a blob that holds some.
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
        return Digest(
            bytes: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    private func check(_ code: Int32) {
        precondition(code == SQLITE_OK, "SQLite took no value for a parameter (result code \(code))")
    }
}
