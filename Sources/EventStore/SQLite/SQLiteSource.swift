import Records

/// Reads for a log's callers through a connection of its own.
final class SQLiteSource: LogSource {
    private let file: LogFile
    /// The files that the writer opened last.
    private let filePlaces: Shared<LogFilePlaces>
    private var files: LogFilePlaces
    /// Nil after a failure, until the next call opens it again.
    private var reader: RecordReader?

    init(_ file: LogFile, _ filePlaces: Shared<LogFilePlaces>) throws(EventLogError) {
        self.file = file
        self.filePlaces = filePlaces
        files = filePlaces.current
        reader = try SQLiteSource.open(file)
    }

    func load(_ stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record] {
        try reading { reader throws(EventLogError) in
            try reader.snapshot { () throws(EventLogError) in
                try reader.load(stream, after: version, limit: limit)
            }
        }
    }

    func newest(_ limit: Int) throws(EventLogError) -> [Record] {
        try reading { reader throws(EventLogError) in
            do throws(SQLiteError) { return try reader.newest(limit) } catch { throw error.whenReading }
        }
    }

    func readPiece(
        for catchUp: CatchUp, from progress: CatchUp.Progress, in outbox: inout Outbox
    ) throws(EventLogError) -> CatchUp.Step {
        try reading { reader throws(EventLogError) in
            try catchUp.readPiece(from: progress, with: reader, in: &outbox)
        }
    }

    // No other process writes to the file.
    func poll(after position: Int) -> FeedSlice? { nil }
    func probe() -> EventLogError? { nil }

    private func reading<Answer>(
        _ read: (RecordReader) throws(EventLogError) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(EventLogError) {
            let answer = try read(try opened())
            // Show nothing from files that may be gone after a restart, least of all the newest records.
            try files.check()
            return answer
        } catch {
            // A broken chain does not mean that the connection is bad. Any other error might.
            if case .chainBroken = error {} else { reader = nil }
            throw error
        }
    }

    private func opened() throws(EventLogError) -> RecordReader {
        let current = filePlaces.current
        if let reader, files == current { return reader }
        files = current
        try files.check()
        let opened = try SQLiteSource.open(file)
        reader = opened
        return opened
    }

    private static func open(_ file: LogFile) throws(EventLogError) -> RecordReader {
        let database = try file.openToRead()
        do throws(SQLiteError) { return try RecordReader(database) } catch { throw error.whenReading }
    }
}

extension CatchUp {
    /// Reads the next piece and delivers it.
    func readPiece(
        from progress: Progress, with reader: RecordReader, in outbox: inout Outbox
    ) throws(EventLogError) -> Step {
        let piece = try reader.snapshot { () throws(EventLogError) in try read(after: progress.reached, with: reader) }
        // What was erased before this moment is not among the records. If the stream exists again, it is new.
        let erased = takeErasures(upTo: piece.end.position)
        for erasure in erased { outbox.add(.erased(ticket, erasure), to: inbox) }
        guard erased.isEmpty else { return .more(Progress(reached: 0)) }
        for message in piece.messages { outbox.add(message, to: inbox) }
        return piece.isFull ? .more(Progress(reached: piece.reached)) : .end(piece.end)
    }

    private struct Piece {
        let messages: [LogMessage]
        /// Whether there may be more after it.
        let isFull: Bool
        /// The version or position of its last record.
        let reached: Int
        /// The end of the followed stream at the same moment.
        let end: Progress
    }

    private func read(after place: Int, with reader: RecordReader) throws(EventLogError) -> Piece {
        do {
            let position = try reader.lastPosition()
            switch source {
            case .stream(let stream):
                let records = try reader.load(stream, after: place, limit: CatchUp.pieceLimit)
                let end = try reader.end(of: stream)
                return Piece(
                    messages: records.isEmpty ? [] : [.records(ticket, records)],
                    isFull: records.count == CatchUp.pieceLimit, reached: records.last?.version ?? place,
                    end: Progress(reached: end.version, head: end.head, position: position))
            case .all:
                let slice = AllStreamsSlice(
                    try reader.records(afterPosition: place, limit: CatchUp.pieceLimit),
                    try reader.erasures(afterPosition: place, limit: CatchUp.pieceLimit),
                    limit: CatchUp.pieceLimit, for: ticket)
                return Piece(
                    messages: slice.messages, isFull: slice.count == CatchUp.pieceLimit,
                    reached: slice.reached ?? place, end: Progress(reached: position, position: position))
            }
        } catch let error as EventLogError {
            throw error
        } catch {
            throw (error as? SQLiteError)?.whenReading ?? .cannotRead(reason: "\(error)")
        }
    }
}
