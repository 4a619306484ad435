// Asks the system for files and locks by C calls; what leaves this file is a value, or an owner that closes what it
// opened.
import CSQLite
import Cryptography
import Glibc

/// Where a log is kept, and what its file must look like.
struct LogFile: Sendable {
    let folder: String
    /// SQLite's file system layer; nil: the usual one. Tests put in one that fails.
    let system: String?

    init(folder: String, system: String? = nil) {
        self.folder = folder
        self.system = system
    }

    var path: String { folder + "/log.sqlite" }

    /// Marks the file as a log of this program: "FLIP".
    static let applicationID = 0x464C_4950
    /// The layout below, which streams there are, and what their events say. A program refuses any other.
    static let schemaVersion = 8

    /// Positions are the records' row ids: new records go to the end of the file, whatever stream they are of. Names of
    /// streams and ids of commits are blobs: clients choose the ids, and SQLite promises nothing of text with a zero in
    /// it. An erasure keeps the head that its stream had, and nothing else of it.
    private static let schema = """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(schemaVersion);
        \(journalSchema)
        CREATE TABLE streams (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT;
        CREATE TABLE records (
            position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, version INTEGER NOT NULL, time INTEGER NOT NULL,
            type TEXT NOT NULL, commit_id BLOB NOT NULL, shown BLOB NOT NULL, sealed BLOB, hash BLOB NOT NULL
        ) STRICT;
        \(indexes.map { $0.sql + ";" }.joined(separator: " "))
        CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE erasures (position INTEGER PRIMARY KEY, head BLOB NOT NULL) STRICT;
        """

    private static let indexes = [
        (name: "records_by_version", sql: "CREATE UNIQUE INDEX records_by_version ON records (stream, version)"),
        (name: "records_by_commit", sql: "CREATE INDEX records_by_commit ON records (stream, commit_id)"),
    ]

    /// Milliseconds to wait for somebody else who has the file locked: a shell that an operator left open, say.
    static let busyMilliseconds = 2_000
    /// Memory for pages, per connection: holds the pages that some thousand busy streams append to.
    private static let cacheKibibytes = 16_384
    /// What a write-ahead log that has once grown larger is cut back to.
    private static let journalLimitBytes = 64 << 20

    func makeFolder() throws(EventLogError) {
        guard mkdir(folder, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw cannotOpen(folder)
        }
        // The process may take rights even from the owner (umask).
        chmod(folder, 0o700)
        // Its name is kept by the folder above it, which may be one that we may write to but not read.
        let parent = folder + "/.."
        if access(parent, R_OK) == 0 { try synchronize(parent) }
    }

    /// The size of the write-ahead log; 0 while there is none.
    var journalBytes: Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? status.st_size : 0
    }

    /// Makes an empty log if there is none.
    func create() throws(EventLogError) {
        guard access(path, F_OK) != 0 else { return }
        try refuseForeignJournal()
        // Made beside its place and moved there when it is whole and on disk: an empty file is no log.
        let draft = path + ".new"
        for leftover in Database.fileNames(of: draft) { unlink(leftover) }
        do throws(SQLiteError) {
            let database = try Database(path: draft, access: .create, system: system)
            try database.execute("PRAGMA synchronous = FULL; BEGIN; \(LogFile.schema) COMMIT;")
            try database.execute("PRAGMA journal_mode = WAL")
        } catch {
            throw .cannotOpen(path: path, reason: error.reason)
        }
        guard rename(draft, path) == 0 else { throw cannotOpen(path) }
        try synchronize(folder)
    }

    /// Forgets what the log held.
    func dropTally() { unlink(folder + "/" + SQLiteLog.tallyName) }

    /// A write-ahead log without its log would be taken for the new one's.
    private func refuseForeignJournal() throws(EventLogError) {
        let journal = path + "-wal"
        var status = stat()
        guard stat(journal, &status) == 0, status.st_size > 0 else {
            for leftover in [journal, path + "-shm"] { unlink(leftover) }
            return
        }
        throw .cannotOpen(
            path: path, reason: "it is missing, but \(journal) is there: put the log back, or move that away too")
    }

    /// Opens the log to write to it, and checks that it is one. Unless told otherwise it keeps its write-ahead
    /// log when it is closed.
    func openToWrite() throws(EventLogError) -> Database {
        let database = try open(.readWrite)
        do throws(SQLiteError) {
            try adoptCopy(database)
            try database.execute(
                """
                PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
                PRAGMA journal_size_limit = \(LogFile.journalLimitBytes); PRAGMA secure_delete = ON;
                """)
            // A backup gets its write-ahead log with the first read after that.
            _ = try database.integer("SELECT max(position) FROM records")
        } catch {
            throw damage(error)
        }
        return database
    }

    /// Opens the log to read it, and checks that it is one.
    func openToRead() throws(EventLogError) -> Database { try open(.readOnly) }

    /// Opens a log in a place where nothing can be written, not even the files that readers and writers agree by.
    func openImmutable() throws(EventLogError) -> Database { try open(.immutable) }

    private func open(_ access: Database.Access) throws(EventLogError) -> Database {
        do throws(SQLiteError) {
            let database = try Database(path: path, access: access, system: system)
            // A log that is refused below is closed, and left as it is.
            if access == .readWrite { database.keepsJournal = true }
            try refuseJournalOfNewFile(beside: database)
            // SQLite opens what it may not write as if it had been asked to read.
            guard access != .readWrite || !database.isReadOnly else {
                throw SQLiteError(code: SQLITE_READONLY, reason: "the file is read-only")
            }
            try database.execute(
                """
                PRAGMA busy_timeout = \(LogFile.busyMilliseconds); PRAGMA trusted_schema = OFF;
                PRAGMA cache_size = -\(LogFile.cacheKibibytes);
                """)
            let application = try database.integer("PRAGMA application_id")
            guard application == LogFile.applicationID else {
                throw SQLiteError(code: SQLITE_NOTADB, reason: "it is a file of another program, or empty")
            }
            let version = try database.integer("PRAGMA user_version")
            guard version == LogFile.schemaVersion else {
                throw SQLiteError(code: SQLITE_NOTADB, reason: LogFile.refusal(ofLayout: version))
            }
            if access != .immutable { try refuseForeignJournal(beside: database) }
            try refuseMissingIndex(in: database)
            // Asks for a page of each table, so that a file cut short is noticed now.
            _ = try database.integer("SELECT max(position) FROM records")
            _ = try database.integer("SELECT max(id) FROM streams")
            return database
        } catch {
            throw damage(error)
        }
    }

    private func refuseMissingIndex(in database: Database) throws(SQLiteError) {
        let find = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name = ?1")
        for index in LogFile.indexes {
            find.bind(index.name, at: 1)
            defer { find.reset() }
            guard try !find.step() else { continue }
            throw SQLiteError(
                code: SQLITE_CORRUPT,
                reason: "the index \(index.name) is missing: go back to a backup, or make it again with "
                    + "sqlite3 \(path) \"\(index.sql)\"")
        }
    }

    private static func refusal(ofLayout version: Int) -> String {
        if version > schemaVersion {
            return "it was written by a newer program (layout \(version), this one has \(schemaVersion)): run that one"
        }
        return "it was written by an older program (layout \(version), this one has \(schemaVersion)): keep "
            + "using that program, or start in another folder (--data)"
    }

    private func damage(_ failure: SQLiteError) -> EventLogError {
        switch failure.primaryCode {
        case SQLITE_NOTADB: .notALog(path: path, reason: failure.reason)
        case SQLITE_CORRUPT: .cannotRead(reason: "\(path): \(failure.reason)")
        default: .cannotOpen(path: path, reason: failure.reason)
        }
    }

    private func synchronize(_ folder: String) throws(EventLogError) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw cannotOpen(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw cannotOpen(folder) }
    }

    fileprivate func cannotOpen(_ path: String) -> EventLogError {
        .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
}

/// Keeps a second writer away from a log's folder for as long as it lives; the system lets go of it if the process
/// dies.
final class LogLock: Sendable {
    private let descriptor: Int32

    /// Throws `inUse` if somebody else has it, in this process or another.
    init(_ file: LogFile) throws(EventLogError) {
        let path = file.folder + "/log.lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw file.cannotOpen(path) }
        fchmod(descriptor, 0o600)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno == EWOULDBLOCK ? EventLogError.inUse(path: file.path) : file.cannotOpen(path)
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }
}
