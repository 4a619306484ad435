import Records

/// Fills a log that holds nothing with what another one has: all of it comes to be with `finish`, or none.
protocol LogFiller: AnyObject {
    /// In the order of their positions, over all calls.
    func add(_ records: [Record]) throws(EventLogError)
    func add(_ erasures: [Erasure]) throws(EventLogError)
    /// - Parameter position: the highest that was given in the other log.
    func finish(lastPosition position: Int) throws(EventLogError)
}

/// Carries a whole log over into one that holds nothing, of another engine or the same: each record and erasure as it
/// is, with its position, version, commit and hash, so that every chain goes on where it was. What is derived from a
/// log is not carried over: whoever opens it next derives it anew.
public struct LogMove: Equatable, Sendable {
    public private(set) var streams = 0
    public private(set) var events = 0
    public private(set) var erasures = 0

    /// How far it is.
    public enum Step: Equatable, Sendable {
        /// All records up to a position are carried over, of a log whose last is `last`.
        case carried(position: Int, last: Int)
        /// So many streams were compared.
        case compared(streams: Int)
    }

    /// Records that are in memory at once.
    private static let pieceLimit = 1_000

    /// Does all of it, or nothing. The log at `source` stays as it is. Calls `report` after each piece.
    ///
    /// Throws `inUse` where a hub runs on either, `notEmpty` where `target` holds something, `differs` where what was
    /// carried over is not what is there now, or what else keeps a log from being opened, read or written.
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
    /// A reader that sees the log at one moment. Of SQLite's nobody writes it meanwhile: throws `inUse` where somebody
    /// does. Who writes to PostgreSQL's is for whoever asks to find out.
    fileprivate func openSnapshot() throws(EventLogError) -> any LogReader {
        switch self {
        case .sqlite(let folder): try SQLiteLogReader(folder: folder, isAlone: true)
        case .postgreSQL(let address): try PostgreSQLLogReader(address: address, isSnapshot: true)
        }
    }

    /// Makes a log where there is none. Throws `notEmpty` where there is one that holds something.
    fileprivate func openFiller() throws(EventLogError) -> any LogFiller {
        switch self {
        case .sqlite(let folder): try SQLiteLogFiller(folder: folder)
        case .postgreSQL(let address): try PostgreSQLLogFiller(address: address)
        }
    }
}
