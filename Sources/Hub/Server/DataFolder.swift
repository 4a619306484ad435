// Asks the system about files by C calls. Only values leave this file.
import EventStore
import Foundation
import Games
import Logging
import Rooms

/// The folder with the log and its companions. It has the seeds of running games, so only the hub's user may read it.
struct DataFolder: HubStorage {
    /// The hub's files in it, besides those of its log and read models.
    private static let noteNames = ["alive", "operator", SQLiteLog.tallyName].flatMap { [$0, $0 + ".new"] }

    let path: String
    let logger: Logger

    func openLog(for run: String) throws(EventLogError) -> any EventLog {
        Self.closeToOthers(path, logger)
        let log = try SQLiteLog(folder: path, noted: Self.recordedTally(in: path))
        if let difference = log.difference {
            logger.write(.logDiffers, ["path": "\(path)/log.sqlite", "reason": "\(difference.sentence)"])
            // Rows of missing records would be newer than the rows that follow.
            SQLiteRowStore.drop(in: path)
        }
        return log
    }

    func openRows() throws(EventLogError) -> any RowStore {
        try SQLiteRowStore(folder: path, layout: ReadModels.layout)
    }

    var lastSignOfLife: Milliseconds? {
        // An unreadable note counts as never written, so the outage is unknown.
        guard let text = try? String(contentsOfFile: alivePath, encoding: .utf8) else { return nil }
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    func recordSignOfLife(at time: Milliseconds) {
        // A full disk must not stop the hub. The outage then seems longer than it was.
        PrivateFile.replace(alivePath, with: String(time))
    }

    /// What the log in a folder held when its hub last recorded it; nil if there is no readable note.
    static func recordedTally(in folder: String) -> LogTally? {
        guard let text = try? String(contentsOfFile: tallyPath(in: folder), encoding: .utf8) else { return nil }
        return LogTally(text: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    func recordTally(_ tally: LogTally) {
        // On a full disk the last note stays. The log holds that too. It is not synced, since the log was before it.
        PrivateFile.replace(Self.tallyPath(in: path), with: tally.text)
    }

    private static func tallyPath(in folder: String) -> String { folder + "/" + SQLiteLog.tallyName }

    private var alivePath: String { path + "/alive" }

    /// Makes the hub's files private, and logs a line for each of these and for everything that others can still read.
    /// Call it before anything in the folder is opened.
    static func closeToOthers(_ folder: String, _ logger: Logger) {
        // A missing folder is created with the right mode. An unreadable one is refused by the log.
        guard let folderMode = mode(of: folder),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else { return }
        let isOpen = folderMode & 0o077 != 0
        func warn(_ line: LogLine, _ path: String, _ mode: mode_t) {
            logger.write(line, ["path": "\(path)", "mode": "0\(String(mode & 0o7777, radix: 8))"])
        }
        if isOpen { warn(.folderIsOpen, folder, folderMode) }
        let own = Set(SQLiteLog.fileNames + SQLiteRowStore.fileNames + noteNames)
        for name in names.sorted() {
            let path = folder + "/" + name
            guard let mode = mode(of: path), mode & S_IFMT == S_IFREG, mode & 0o077 != 0 else { continue }
            if own.contains(name), close(path) {
                warn(.fileWasReadable, path, mode)
            } else if isOpen {
                warn(.fileIsReadable, path, mode)
            }
        }
    }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode : nil
    }

    /// False for a link, whose target may belong to anyone.
    private static func close(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && chmod(path, 0o600) == 0
    }
}
