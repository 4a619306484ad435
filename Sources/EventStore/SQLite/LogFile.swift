// Asks the system for files and locks by C calls; only values, or owners that close what they opened, leave this file.
import CSQLite
import Glibc
import Threads

/// The place and the layout of a log's file.
struct LogFile: Sendable {
    let folder: String
    /// SQLite's file system layer; nil means the usual one. Tests use one that fails.
    let system: String?

    init(folder: String, system: String? = nil) { (self.folder, self.system) = (folder, system) }

    var path: String { folder + "/log.sqlite" }

    /// Marks the file as a log of this program: "FLIP".
    static let applicationID = 0x464C_4950
    /// The version of the layout below, of the kinds of streams, and of their events. A program refuses any other.
    static let schemaVersion = 9

    /// Positions are the records' row ids, so new records of all streams go to the end of the file. Names of streams
    /// and ids of commits are blobs, because clients choose the ids, and SQLite promises nothing about text that
    /// contains a zero. `commits` finds a stream's commits by their ids, except the newest (see `RecentCommits`). An
    /// erasure keeps only its stream's last head.
    private static let schema = """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(schemaVersion);
        \(journalSchema)
        CREATE TABLE streams (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT;
        CREATE TABLE records (
            position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, version INTEGER NOT NULL, time INTEGER NOT NULL,
            type TEXT NOT NULL, commit_id BLOB NOT NULL, shown BLOB NOT NULL, sealed BLOB, hash BLOB NOT NULL
        ) STRICT;
        \(index.sql);
        CREATE TABLE commits (
            stream INTEGER NOT NULL, id BLOB NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (stream, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE erasures (position INTEGER PRIMARY KEY, head BLOB NOT NULL) STRICT;
        """

    /// Also has the ids of commits, so that a writer learns a stream's newest without reading records. It cannot be
    /// unique for that reason. One writer has the lock, positions are unique, and the chain of hashes finds the rest.
    private static let index = (
        name: "records_by_version", sql: "CREATE INDEX records_by_version ON records (stream, version, commit_id)"
    )

    /// Fills `commits`, which must be empty.
    static let fillCommits = """
        INSERT INTO commits (stream, id, version)
        SELECT stream, commit_id, max(version)
        FROM records JOIN (\(storedVersions)) AS stored USING (stream) WHERE version <= upTo
        GROUP BY stream, commit_id
        """

    /// Counts commits that `commits` lacks or has with another version, and rows of it without their commit.
    static let countWrongCommits = """
        SELECT (
            SELECT count(*) FROM (
                SELECT DISTINCT records.stream, commit_id
                FROM records JOIN (\(storedVersions)) AS stored USING (stream)
                LEFT JOIN commits ON commits.stream = records.stream AND commits.id = commit_id
                WHERE records.version <= upTo AND coalesce(commits.version, 0) < records.version
            )
        ) + (
            SELECT count(*) FROM commits LEFT JOIN (\(storedVersions)) AS stored USING (stream)
            LEFT JOIN records ON records.stream = commits.stream AND records.version = commits.version
            WHERE commit_id IS NOT commits.id OR commits.version > upTo
        )
        """

    /// Up to which version each stream's commits are in `commits`.
    private static let storedVersions = """
        SELECT stream, max(version) / \(RecentCommits.block) * \(RecentCommits.block) AS upTo
        FROM records GROUP BY stream
        """

    /// Milliseconds to wait for another process that has locked the file, for example a shell that an operator left
    /// open.
    static let busyMilliseconds = 2_000
    /// Page cache per connection: holds the pages that some thousand busy streams append to.
    private static let cacheKibibytes = 16_384
    /// A write-ahead log that has grown beyond this is cut back to it.
    private static let journalLimitBytes = 64 << 20

    func makeFolder() throws(EventLogError) {
        guard mkdir(folder, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw cannotOpen(folder)
        }
        // The process may take rights even from the owner (umask).
        chmod(folder, 0o700)
        // The parent folder stores this folder's name, and we may have the right to write to it but not to read it.
        let parent = folder + "/.."
        if access(parent, R_OK) == 0 { try synchronize(parent) }
    }

    /// The size of the write-ahead log; 0 while there is none.
    var journalBytes: Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? status.st_size : 0
    }

    /// Creates an empty log if there is none.
    func create() throws(EventLogError) {
        guard access(path, F_OK) != 0 else { return }
        try refuseForeignJournal()
        // Created under another name and moved once it is whole and on disk: an empty file is not a log.
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

    /// Forgets the note of what the log held.
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
            path: path, reason: "it is missing, but \(journal) exists. Put the log back, or move that file away too")
    }

    /// Opens the log for writing, and checks that it is one. By default, closing it keeps the write-ahead log.
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

    /// Opens the log for reading, and checks that it is one.
    func openToRead() throws(EventLogError) -> Database { try open(.readOnly) }

    /// Opens a log where nothing can be written, not even the files by which readers and writers coordinate.
    func openImmutable() throws(EventLogError) -> Database { try open(.immutable) }

    private func open(_ access: Database.Access) throws(EventLogError) -> Database {
        do throws(SQLiteError) {
            let database = try Database(path: path, access: access, system: system)
            // A log that is refused below is closed and left as it is.
            if access == .readWrite { database.keepsJournal = true }
            try refuseJournalOfNewFile(beside: database)
            // If SQLite may not write a file, it silently opens it for reading.
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
            // Reads a page of each table, so that a truncated file is noticed now.
            _ = try database.integer("SELECT max(position) FROM records")
            _ = try database.integer("SELECT max(id) FROM streams")
            return database
        } catch {
            throw damage(error)
        }
    }

    private func refuseMissingIndex(in database: Database) throws(SQLiteError) {
        let find = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name = ?1")
        let index = LogFile.index
        find.bind(index.name, at: 1)
        defer { find.reset() }
        guard try !find.step() else { return }
        throw SQLiteError(
            code: SQLITE_CORRUPT,
            reason: "the index \(index.name) is missing. Restore a backup, or create the index with "
                + "sqlite3 \(path) \"\(index.sql)\"")
    }

    private static func refusal(ofLayout version: Int) -> String {
        if version > schemaVersion {
            return "it was written by a newer program (layout \(version), this one has \(schemaVersion)). Use that one"
        }
        return "it was written by an older program (layout \(version), this one has \(schemaVersion)). Keep "
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

/// Keeps other writers out of a log's folder while it lives. The system releases it if the process dies.
final class LogLock: Sendable {
    private let descriptor: Descriptor

    /// Throws `inUse` if it is already taken, in this process or another.
    init(_ file: LogFile) throws(EventLogError) {
        let path = file.folder + "/log.lock"
        descriptor = Descriptor(owning: open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        guard descriptor.number >= 0 else { throw file.cannotOpen(path) }
        fchmod(descriptor.number, 0o600)
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .inUse(path: file.path) : file.cannotOpen(path)
        }
    }
}
