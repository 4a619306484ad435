// Asks the system about files by C calls; what leaves this file is a value.
import Glibc
import Synchronization

/// The files that a log has open: what it writes goes to them, whatever becomes of their names. They are looked at by
/// name alone, never opened: closing them again would take SQLite's locks away.
struct LogFilePlaces: Sendable, Equatable {
    private let log: PlacedFile
    private let journal: PlacedFile

    /// To be called as soon as `database` has been opened. Throws as `check`.
    init(of database: Database, at path: String) throws(EventLogError) {
        log = try PlacedFile(at: path)
        // Beside the log's file, wherever that is: the name in the folder may be a link.
        journal = try PlacedFile(at: database.journalPath)
    }

    /// Throws `vanished` or `replaced` if a name stands for its file no longer, `cannotOpen` if that cannot be told.
    func check() throws(EventLogError) {
        try log.check()
        try journal.check()
    }

    /// Whether it is the write-ahead log alone that is missing.
    var holdsLog: Bool {
        do throws(EventLogError) { try log.check() } catch { return false }
        return true
    }
}

/// The files that the writer opened last, for the reader to know them, too.
final class SharedLogFilePlaces: Sendable {
    private let files: Mutex<LogFilePlaces>

    init(_ files: LogFilePlaces) { self.files = Mutex(files) }

    var current: LogFilePlaces {
        get { files.withLock { $0 } }
        set { files.withLock { $0 = newValue } }
    }
}

/// A file, told by what the system knows it by.
private struct PlacedFile: Sendable, Equatable {
    let path: String
    let device: UInt
    let inode: UInt

    init(at path: String) throws(EventLogError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR
                ? .vanished(path: path) : .cannotOpen(path: path, reason: String(cString: strerror(errno)))
        }
        (self.path, device, inode) = (path, status.st_dev, status.st_ino)
    }

    func check() throws(EventLogError) {
        guard try PlacedFile(at: path) == self else { throw .replaced(path: path) }
    }
}
