// Asks the system about a file by a C call; only values leave this file.
import CSQLite
import Glibc

/// Whether the write-ahead log next to a log's file belongs to it.
///
/// SQLite takes any write-ahead log for the file's own if its checksums hold. Next to a restored copy it either undoes
/// the copy, or mixes the pages of two logs. So the first transaction of each write-ahead log writes an epoch, a random
/// number, and the previous epoch, which the file has. Whether or not a checkpoint has copied the write-ahead log into
/// the file, the file has one of these two. A hub that is killed at any moment recognises its own files.
///
/// A copy by SQLite's `.backup` has the epoch of its original. Its schema cookie gives it away: `.backup` sets it to 1,
/// and a log's own never goes back.
extension LogFile {
    /// The first table, so that it has the same page in a copy by `VACUUM INTO`. Its one row ends at the end of its
    /// page.
    static let journalSchema = """
        CREATE TABLE journal (cookie INTEGER NOT NULL, epoch BLOB NOT NULL, previous BLOB NOT NULL) STRICT;
        INSERT INTO journal VALUES (0, randomblob(\(JournalEpoch.size)), randomblob(\(JournalEpoch.size)));
        """

    /// Throws if the file never had a write-ahead log, like a copy by `VACUUM INTO`, but there is one next to it.
    /// Called before the file is read, because SQLite would use the other log's pages.
    func refuseJournalOfNewFile(beside database: Database) throws(SQLiteError) {
        if database.saysJournal == false, hasJournal(database) { throw foreignJournal(database) }
    }

    /// Throws if the write-ahead log belongs to another file.
    func refuseForeignJournal(beside database: Database) throws(SQLiteError) {
        guard hasJournal(database) else { return }
        // While this transaction reads, no checkpoint gets past its snapshot.
        try database.execute("BEGIN")
        let journal = try database.journalEpoch()
        let file = try database.fileEpoch()
        try database.execute("COMMIT")
        guard let journal, let file else { return }
        let fits = (file.epoch == journal.epoch || file.epoch == journal.previous) && file.cookie >= journal.cookie
        guard fits else { throw foreignJournal(database) }
    }

    private func hasJournal(_ database: Database) -> Bool {
        var status = stat()
        return stat(database.journalPath, &status) == 0 && status.st_size > 0
    }

    private func foreignJournal(_ database: Database) -> SQLiteError {
        SQLiteError(
            code: SQLITE_CANTOPEN,
            reason: "it is a backup or another log, but \(database.journalPath) belongs to the log that was here "
                + "before. Delete that file and \(path)-shm, then start again")
    }

    /// Gives a copy by `.backup` the schema cookie of its original, so that it is a log like any other. Done without a
    /// write-ahead log, because one that a kill left half written would be refused.
    func adoptCopy(_ database: Database) throws(SQLiteError) {
        guard let epoch = try database.journalEpoch(), let file = try database.fileEpoch(), file.cookie < epoch.cookie
        else { return }
        try database.execute(
            "PRAGMA journal_mode = DELETE; PRAGMA schema_version = \(epoch.cookie); PRAGMA journal_mode = WAL")
    }
}

/// What ties a log's file to its write-ahead log.
struct JournalEpoch: Equatable {
    /// In bytes.
    static let size = 8

    /// The file's schema cookie when the epoch began.
    let cookie: Int
    let epoch: [UInt8]
    let previous: [UInt8]
}

extension Database {
    /// As readers see it: from the write-ahead log, if there is one. Nil if there is no row.
    func journalEpoch() throws(SQLiteError) -> JournalEpoch? {
        let row = try prepare("SELECT cookie, epoch, previous FROM journal")
        defer { row.reset() }
        guard try row.step() else { return nil }
        return JournalEpoch(cookie: row.integer(0), epoch: row.bytes(1), previous: row.bytes(2))
    }

    /// From the file alone, without its write-ahead log (sqlite.org/fileformat2.html, sections 1.3 and 1.6). Nil if the
    /// file has no such page.
    func fileEpoch() throws(SQLiteError) -> JournalEpoch? {
        let page = try integer("SELECT rootpage FROM sqlite_schema WHERE name = 'journal'")
        let pageSize = try integer("PRAGMA page_size")
        guard page > 0, let cookie = readFile(4, at: 40),
            let epochs = readFile(2 * JournalEpoch.size, at: page * pageSize - 2 * JournalEpoch.size)
        else { return nil }
        return JournalEpoch(
            cookie: cookie.reduce(0) { $0 << 8 | Int($1) }, epoch: Array(epochs.prefix(JournalEpoch.size)),
            previous: Array(epochs.suffix(JournalEpoch.size)))
    }

    /// Part of the transaction under way, which may start a new write-ahead log because the file has all of the
    /// previous one.
    func beginJournalEpoch() throws(SQLiteError) {
        guard let file = try fileEpoch() else { return }
        try execute(
            """
            UPDATE journal SET cookie = \(file.cookie), epoch = randomblob(\(JournalEpoch.size)), previous = epoch
            """)
    }

    /// Empties the write-ahead log and gives the file an epoch that no earlier copy has. False if a reader was in the
    /// way.
    func startJournal() throws(SQLiteError) -> Bool {
        guard try checkpoint(isThorough: true) else { return false }
        try execute("BEGIN")
        do throws(SQLiteError) {
            try beginJournalEpoch()
            try execute("COMMIT")
        } catch {
            // Only the first error matters. If there is nothing to roll back, SQLite has already done so.
            try? execute("ROLLBACK")
            throw error
        }
        return try checkpoint(isThorough: true)
    }
}
