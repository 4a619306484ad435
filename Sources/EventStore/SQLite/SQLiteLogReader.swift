// Asks the system about files by C calls; what leaves this file is a value.
import Cryptography
import Glibc

/// Reads a log beside whoever writes it, or a copy of one: for command-line tools, which may wait. For one thread at a
/// time.
///
/// Nothing is checked here, so that a tool can say of each record whether it fits: put them through a `Chain`.
public final class SQLiteLogReader {
    private let reader: RecordReader
    private let listStreams: Statement

    /// Throws `cannotOpen` if there is no log, `notALog` or `cannotRead` if it is none or damaged.
    public init(folder: String) throws(EventLogError) {
        let file = LogFile(folder: folder)
        guard access(file.path, R_OK) == 0 else {
            throw .cannotOpen(path: file.path, reason: String(cString: strerror(errno)))
        }
        let database = try SQLiteLogReader.open(file)
        do throws(SQLiteError) {
            reader = try RecordReader(database)
            listStreams = try database.prepare("SELECT name FROM streams WHERE name > ?1 ORDER BY name LIMIT ?2")
        } catch {
            throw .cannotRead(reason: error.reason)
        }
    }

    /// Up to `limit` names of streams behind `name` in the order of their bytes; nil begins with the first.
    public func streams(after name: StreamName? = nil, limit: Int) throws(EventLogError) -> [StreamName] {
        try reading { () throws(SQLiteError) in
            listStreams.bind(bytesOf: name?.text ?? "", at: 1)
            listStreams.bind(limit, at: 2)
            var names: [StreamName] = []
            while try listStreams.step() { names.append(StreamName(text: listStreams.text(0))) }
            return names
        }
    }

    /// The newest version and its hash, as it is noted.
    public func end(of stream: StreamName) throws(EventLogError) -> StreamEnd {
        try reading { () throws(SQLiteError) in try reader.end(of: stream) }
    }

    /// Up to `limit` records behind `version`, as they are. A hash that is none reads as the digest of nothing.
    public func records(
        of stream: StreamName, after version: Int, limit: Int
    ) throws(EventLogError) -> [Record] {
        try reading { () throws(SQLiteError) in try reader.records(of: stream, after: version, limit: limit) }
    }

    /// Up to `limit` records of all streams behind `position`, in the order of their positions, as they are.
    public func records(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Record] {
        try reading { () throws(SQLiteError) in try reader.records(afterPosition: position, limit: limit) }
    }

    /// The highest position given so far.
    public func lastPosition() throws(EventLogError) -> Int {
        try reading { () throws(SQLiteError) in try reader.lastPosition() }
    }

    private func reading<Answer>(_ body: () throws(SQLiteError) -> Answer) throws(EventLogError) -> Answer {
        do throws(SQLiteError) { return try body() } catch { throw .cannotRead(reason: error.reason) }
    }

    /// Where nothing can be written, SQLite cannot keep the file by which it agrees with writers. Then nobody writes
    /// either, and without a write-ahead log the file itself holds everything.
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
