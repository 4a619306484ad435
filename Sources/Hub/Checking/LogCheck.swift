import EventStore
import Records
import RoomRules

/// Checks every stream of a log, even while a hub writes to it.
public struct LogCheck {
    /// Rooms without faults.
    public private(set) var rooms = 0
    /// Their games whose commitment and deck are proven.
    public private(set) var provenGames = 0
    /// Other streams without faults.
    public private(set) var others = 0
    /// Records in all streams without faults.
    public private(set) var events = 0
    /// Streams with faults.
    public private(set) var faults = 0
    /// Faults of the log apart from its streams.
    public private(set) var otherFaults = 0

    /// All checked streams.
    public var streams: Int { rooms + others + faults }

    private let games: GameCatalog
    /// What the log held when a hub last recorded it; nil if no hub has.
    private let noted: LogTally?
    /// What the log holds now of the records up to there.
    private var found = LogTally()

    /// Streams in one listing.
    private static let pieceLimit = 1_000

    /// Checks a log whose rooms play `games`. Reads the hub's tally beside the log now, before the log itself.
    public init(of log: LogAddress, games: GameCatalog) {
        let noted: LogTally? = if case .sqlite(let folder) = log { DataFolder.recordedTally(in: folder) } else { nil }
        self.init(noted: noted, games: games)
    }

    init(noted: LogTally?, games: GameCatalog) { (self.noted, self.games) = (noted, games) }

    /// Checks all streams that `reader` lists. A stream that a hub erases after the listing is not counted. Calls
    /// `report` with a sentence for each fault.
    public mutating func checkLog(
        through reader: any LogReader, report: (_ sentence: String) -> Void
    ) throws(EventLogError) {
        try checkStreams(of: reader, report)
        func reportFault(_ sentence: String) {
            otherFaults += 1
            report("The log: \(sentence)")
        }
        do throws(EventLogError) {
            for line in try reader.storageFaults() { reportFault("\(line).") }
            if let difference = try difference(reader) { reportFault("\(difference.sentence).") }
        } catch { reportFault(error.sentence) }
    }

    private mutating func checkStreams(
        of reader: any LogReader, _ report: (_ sentence: String) -> Void
    ) throws(EventLogError) {
        var last: StreamName?
        while true {
            let streams = try reader.streams(after: last, limit: Self.pieceLimit)
            for stream in streams {
                do {
                    // Otherwise a stream could be erased and start again while it is read.
                    try reader.atOneMoment {
                        if try !stream.isErasable || reader.has(stream) { try checkStream(stream, reader) }
                    }
                } catch {
                    faults += 1
                    report(Self.sentence(error, of: stream))
                }
            }
            guard streams.count == Self.pieceLimit else { return }
            last = streams.last
        }
    }

    /// Counts all of the stream's records, even those after a fault.
    private mutating func checkStream(_ stream: StreamName, _ reader: any LogReader) throws {
        guard let code = stream.roomCode else {
            // Players' streams and the hub's own have no games, so only versions and hashes can be checked.
            var chain = Chain(of: stream)
            try eachRecord(of: stream, reader) { try chain.accept($0) }
            try requireRecords(stream, chain.version)
            (others, events) = (others + 1, events + chain.version)
            return
        }
        var check = RoomCheck(code: code, games: games)
        try eachRecord(of: stream, reader) { try check.checkRecord($0) }
        try check.checkEnd()
        try requireRecords(stream, check.count)
        (rooms, events, provenGames) = (rooms + 1, events + check.count, provenGames + check.provenGames)
    }

    private mutating func eachRecord(
        of stream: StreamName, _ reader: any LogReader, _ check: (Record) throws -> Void
    ) throws {
        var fault: (any Error)?
        try reader.eachRecord(of: stream) { record in
            if let noted, record.position <= noted.position { found.add(record, isErasable: stream.isErasable) }
            guard fault == nil else { return }
            do { try check(record) } catch { fault = error }
        }
        if let fault { throw fault }
    }

    /// Compares with the recorded tally. Records that existed then exist now, unless they were erased.
    private func difference(_ reader: any LogReader) throws(EventLogError) -> LogDifference? {
        guard let noted else { return nil }
        let hasErased = try !reader.erasures(afterPosition: noted.position, limit: 1).isEmpty
        return noted.difference(from: found, at: try reader.lastPosition(), hasErased: hasErased)
    }

    /// A stream exists from its first record on, so one without records has lost them.
    private func requireRecords(_ stream: StreamName, _ count: Int) throws(EventLogError) {
        guard count > 0 else { throw .chainBroken(stream: stream, version: 1) }
    }

    private static func sentence(_ error: any Error, of stream: StreamName) -> String {
        switch error {
        case let fault as RoomCheck.Fault:
            "\(stream.text): record \(fault.version) does not hold: \(fault.description)."
        case EventLogError.chainBroken(_, let version):
            "\(stream.text): record \(version) does not hold: missing, or its hash does not fit."
        // The rest of the log may be sound, since a damaged page affects only a few streams.
        case let error as EventLogError: "\(stream.text): \(error.sentence)"
        default: "\(stream.text): \(error)"
        }
    }
}
