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
        try reading { reader throws(EventLogError) in try SQLiteError.reading(reader.newest(limit)) }
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
        return try SQLiteError.reading(RecordReader(database))
    }
}

extension CatchUp {
    /// Reads the next piece and delivers it.
    func readPiece(
        from progress: Progress, with reader: RecordReader, in outbox: inout Outbox
    ) throws(EventLogError) -> Step {
        let (messages, step, position) = try reader.snapshot { () throws(EventLogError) in
            try read(after: progress.reached, with: reader)
        }
        // What was erased before this moment is not among the records. If the stream exists again, it is new.
        let erased = takeErasures(upTo: position)
        tell(erased.map { .erased(ticket, $0) }, in: &outbox)
        guard erased.isEmpty else { return .more(Progress(reached: 0)) }
        tell(messages, in: &outbox)
        return step
    }

    /// Also returns the log's highest position at that moment.
    private func read(
        after place: Int, with reader: RecordReader
    ) throws(EventLogError) -> ([LogMessage], Step, position: Int) {
        let limit = CatchUp.pieceLimit
        let position = try SQLiteError.reading(reader.lastPosition())
        switch source {
        case .stream(let stream):
            let records = try reader.load(stream, after: place, limit: limit)
            let end = try SQLiteError.reading(reader.end(of: stream))
            let step =
                if records.count == limit, let last = records.last {
                    Step.more(Progress(reached: last.version))
                } else {
                    Step.end(Progress(reached: end.version, head: end.head, position: position))
                }
            return (records.isEmpty ? [] : [.records(ticket, records)], step, position)
        case .all:
            let entries = [FeedEntry](
                try SQLiteError.reading(reader.records(afterPosition: place, limit: limit)),
                try SQLiteError.reading(reader.erasures(afterPosition: place, limit: limit))
            ).prefix(limit)
            let step =
                if entries.count == limit, let last = entries.last {
                    Step.more(Progress(reached: last.position))
                } else {
                    Step.end(Progress(reached: position, position: position))
                }
            return (Array(entries).messages(for: ticket), step, position)
        }
    }
}
