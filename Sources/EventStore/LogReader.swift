import Records

/// Reads a log while another process may write it: for command-line tools, which may block. For one thread at a time.
/// Engines: `SQLiteLogReader`, `PostgreSQLLogReader`.
///
/// It checks nothing, so that a tool can say of each record whether it fits: use a `Chain` for that.
public protocol LogReader: AnyObject {
    /// Up to `limit` names of streams after `name` in byte order; nil starts with the first.
    func streams(after name: StreamName?, limit: Int) throws(EventLogError) -> [StreamName]

    /// The engine's own check of its storage, one line for each fault; empty if there is none or the engine cannot say.
    /// Reads all of the log.
    func storageFaults() throws(EventLogError) -> [String]

    func has(_ stream: StreamName) throws(EventLogError) -> Bool

    /// All reads in `body` see the log at one moment. Keep it short: until it returns, the write-ahead log of a running
    /// SQLite hub grows. Must not be nested.
    func atOneMoment(_ body: () throws -> Void) throws

    /// The newest version and its hash, as stored.
    func end(of stream: StreamName) throws(EventLogError) -> StreamEnd

    /// Up to `limit` records after `version`, unchecked. An invalid hash reads as the digest of nothing.
    func records(of stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record]

    /// Up to `limit` records of all streams after `position`, in the order of their positions, unchecked.
    func records(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Record]

    /// Up to `limit` erasures after `position`, in order.
    func erasures(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Erasure]

    /// The highest position drawn so far.
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
            // In an altered log versions may be out of order. All that matters here is that reading advances.
            guard piece.count == pieceLimit, let last = piece.last, last.version > after else { return }
            after = last.version
        }
    }
}
