// Asks the system about files by C calls; only values leave this file.
import Glibc

/// The files that a log has open. Writes go to them even if they are moved or deleted. They are checked by name only
/// and never opened, because closing them again would drop SQLite's locks.
struct LogFilePlaces: Sendable, Equatable {
    private let log: PlacedFile
    private let journal: PlacedFile

    /// Call it as soon as `database` is open. Throws the same as `check`.
    init(of database: Database, at path: String) throws(EventLogError) {
        log = try PlacedFile(at: path)
        // Next to the log's real file, because the name in the folder may be a link.
        journal = try PlacedFile(at: database.journalPath)
    }

    /// Throws `vanished` or `replaced` if a name no longer leads to its file, `cannotOpen` if that is unknown.
    func check() throws(EventLogError) {
        try log.check()
        try journal.check()
    }

    var paths: [String] { [log.path, journal.path] }

    /// Whether only the write-ahead log is missing.
    var holdsLog: Bool {
        do throws(EventLogError) { try log.check() } catch { return false }
        return true
    }
}

/// A file and the system's identity for it.
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
