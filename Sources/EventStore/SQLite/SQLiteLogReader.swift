// Asks the system about files by C calls; only values leave this file.
import Glibc
import Records

/// Reads a log while another process may write it, or a copy of one. See `LogReader`.
public final class SQLiteLogReader: LogReader {
    private let database: Database
    private let reader: RecordReader
    /// Keeps writers away; nil if they may come.
    private let lock: LogLock?
    private let listStreams: Statement

    /// Most faults listed: one damaged page causes many.
    private static let faultLimit = 20

    /// Throws `cannotOpen` if there is no log, `notALog` if it is something else, `cannotRead` if it is damaged.
    public convenience init(folder: String) throws(EventLogError) { try self.init(folder: folder, isAlone: false) }

    /// `isAlone` keeps writers away. Throws `inUse` if there is one.
    init(folder: String, isAlone: Bool) throws(EventLogError) {
        let file = LogFile(folder: folder)
        guard access(file.path, R_OK) == 0 else {
            throw .cannotOpen(path: file.path, reason: String(cString: strerror(errno)))
        }
        lock = isAlone ? try LogLock(file) : nil
        database = try SQLiteLogReader.open(file)
        do throws(SQLiteError) {
            reader = try RecordReader(database)
            listStreams = try database.prepare("SELECT name FROM streams WHERE name > ?1 ORDER BY name LIMIT ?2")
        } catch {
            throw .cannotRead(reason: error.reason)
        }
    }

    public func streams(after name: StreamName?, limit: Int) throws(EventLogError) -> [StreamName] {
        do throws(SQLiteError) {
            listStreams.bind(bytesOf: name?.text ?? "", at: 1)
            listStreams.bind(limit, at: 2)
            return try listStreams.rows { StreamName(text: $0.text(0)) }
        } catch { throw .cannotRead(reason: error.reason) }
    }

    public func storageFaults() throws(EventLogError) -> [String] {
        do throws(SQLiteError) {
            let check = try database.prepare("PRAGMA integrity_check(\(Self.faultLimit))")
            let lines = try check.rows { $0.text(0) }
            guard lines == ["ok"] else { return lines }
            let count = try database.integer(LogFile.countWrongCommits)
            return count == 0 ? [] : ["\(count) rows of the table commits are missing or wrong"]
        } catch { throw .cannotRead(reason: error.reason) }
    }

    public func has(_ stream: StreamName) throws(EventLogError) -> Bool {
        try reading(reader.row(of: stream).id != nil)
    }

    public func atOneMoment(_ body: () throws -> Void) throws { try reader.snapshot(body) }

    public func end(of stream: StreamName) throws(EventLogError) -> StreamEnd {
        try reading(reader.end(of: stream))
    }

    public func records(of stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record] {
        try reading(reader.records(of: stream, after: version, limit: limit))
    }

    public func records(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Record] {
        try reading(reader.records(afterPosition: position, limit: limit))
    }

    public func erasures(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Erasure] {
        try reading(reader.erasures(afterPosition: position, limit: limit))
    }

    public func lastPosition() throws(EventLogError) -> Int { try reading(reader.lastPosition()) }

    private func reading<Answer>(
        _ answer: @autoclosure () throws(SQLiteError) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(SQLiteError) { return try answer() } catch { throw .cannotRead(reason: error.reason) }
    }

    /// Where nothing can be written, SQLite cannot keep the file by which it coordinates with writers. But then no one
    /// else writes either, and without a write-ahead log the file itself has everything.
    private static func open(_ file: LogFile) throws(EventLogError) -> Database {
        do throws(EventLogError) {
            return try file.openToRead()
        } catch {
            guard case .cannotOpen = error else { throw error }
            var status = stat()
            guard stat(file.path + "-wal", &status) != 0 || status.st_size == 0 else { throw error }
            return try file.openImmutable()
        }
    }
}
