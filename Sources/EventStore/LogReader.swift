import Records

/// Reads a log beside whoever writes it: for command-line tools, which may wait. For one thread at a time. Engines:
/// `SQLiteLogReader`, `PostgreSQLLogReader`.
///
/// Nothing is checked here, so that a tool can say of each record whether it fits: put them through a `Chain`.
public protocol LogReader: AnyObject {
    /// Up to `limit` names of streams behind `name` in the order of their bytes; nil begins with the first.
    func streams(after name: StreamName?, limit: Int) throws(EventLogError) -> [StreamName]

    /// What the engine itself finds wrong with how it keeps the log, a line for each fault; empty where nothing is, or
    /// where the engine cannot say. Reads all of the log.
    func storageFaults() throws(EventLogError) -> [String]

    /// Whether there is such a stream.
    func has(_ stream: StreamName) throws(EventLogError) -> Bool

    /// Has all reads of `body` see the log as it is at one moment. Keep it short: beside a hub, SQLite's write-ahead
    /// log grows all the while. Not to be nested.
    func atOneMoment(_ body: () throws -> Void) throws

    /// The newest version and its hash, as it is noted.
    func end(of stream: StreamName) throws(EventLogError) -> StreamEnd

    /// Up to `limit` records behind `version`, as they are. A hash that is none reads as the digest of nothing.
    func records(of stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record]

    /// Up to `limit` records of all streams behind `position`, in the order of their positions, as they are.
    func records(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Record]

    /// Up to `limit` erasures behind `position`, in the order of theirs.
    func erasures(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Erasure]

    /// The highest position given so far.
    func lastPosition() throws(EventLogError) -> Int
}

extension LogReader {
    public func storageFaults() throws(EventLogError) -> [String] { [] }

    /// Calls `body` with each record of `stream`, reading a piece at a time.
    public func eachRecord(of stream: StreamName, _ body: (Record) throws -> Void) throws {
        let pieceLimit = 1_000
        var after = 0
        while true {
            let piece = try records(of: stream, after: after, limit: pieceLimit)
            for record in piece { try body(record) }
            // Versions may be out of order in a log that was altered: what counts is that reading goes on.
            guard piece.count == pieceLimit, let last = piece.last, last.version > after else { return }
            after = last.version
        }
    }
}
