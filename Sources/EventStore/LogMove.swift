import Records

/// Fills an empty log with the content of another. Nothing exists in it until `finish`.
protocol LogFiller: AnyObject {
    /// In the order of positions, over all calls.
    func add(_ records: [Record]) throws(EventLogError)
    func add(_ erasures: [Erasure]) throws(EventLogError)
    /// - Parameter position: the highest that was drawn in the other log.
    func finish(lastPosition position: Int) throws(EventLogError)
}

/// Copies a whole log into an empty one, of the same engine or another. Each record and erasure keeps its position,
/// version, commit and hash, so all chains continue. Data that is derived from the log is not copied: the next hub that
/// opens the log derives it again.
public struct LogMove: Equatable, Sendable {
    public private(set) var streams = 0
    public private(set) var events = 0
    public private(set) var erasures = 0

    /// Progress of a move.
    public enum Step: Equatable, Sendable {
        /// All records up to `position` are copied; `last` is the log's highest position.
        case carried(position: Int, last: Int)
        /// So many streams were compared.
        case compared(streams: Int)
    }

    /// Records in memory at once.
    private static let pieceLimit = 1_000

    /// Copies all of it, or nothing. The log at `source` is left as it is. Calls `report` after each piece.
    ///
    /// Throws `inUse` if a hub runs on either log, `notEmpty` if `target` holds something, `differs` if the copy
    /// differs from the source afterwards, or the error of opening, reading or writing a log.
    public init(
        from source: LogAddress, to target: LogAddress, report: (Step) -> Void = { _ in }
    ) throws(EventLogError) {
        let reader = try source.openSnapshot()
        try fill(target, from: reader, report)
        try compare(reader, with: try target.openReader(), at: target, report)
    }

    private mutating func fill(
        _ target: LogAddress, from reader: any LogReader, _ report: (Step) -> Void
    ) throws(EventLogError) {
        let filler = try target.openFiller()
        let end = try reader.lastPosition()
        var position = 0
        while true {
            let piece = try reader.records(afterPosition: position, limit: Self.pieceLimit)
            guard let last = piece.last else { break }
            try filler.add(piece)
            position = last.position
            events += piece.count
            report(.carried(position: position, last: end))
        }
        position = 0
        while true {
            let piece = try reader.erasures(afterPosition: position, limit: Self.pieceLimit)
            guard let last = piece.last else { break }
            try filler.add(piece)
            position = last.position
            erasures += piece.count
        }
        try filler.finish(lastPosition: end)
    }

    private mutating func compare(
        _ reader: any LogReader, with copy: any LogReader, at target: LogAddress, _ report: (Step) -> Void
    ) throws(EventLogError) {
        var last: StreamName?
        while true {
            let names = try reader.streams(after: last, limit: Self.pieceLimit)
            for name in names where try copy.end(of: name) != reader.end(of: name) {
                throw .differs(path: target.shown, stream: name)
            }
            streams += names.count
            report(.compared(streams: streams))
            guard names.count == Self.pieceLimit else { return }
            last = names.last
        }
    }
}

extension LogAddress {
    /// A reader that sees the log at one moment. It locks out other writers of a SQLite log, and throws `inUse` if
    /// there is one. For PostgreSQL the caller has to find out who writes.
    fileprivate func openSnapshot() throws(EventLogError) -> any LogReader {
        switch self {
        case .sqlite(let folder): try SQLiteLogReader(folder: folder, isAlone: true)
        case .postgreSQL(let address): try PostgreSQLLogReader(address: address, isSnapshot: true)
        }
    }

    /// Creates a log. Throws `notEmpty` if there is one that holds something.
    fileprivate func openFiller() throws(EventLogError) -> any LogFiller {
        switch self {
        case .sqlite(let folder): try SQLiteLogFiller(folder: folder)
        case .postgreSQL(let address): try PostgreSQLLogFiller(address: address)
        }
    }
}
