import Records
import Threads

/// Answers `load` and does catch-ups through its own connection, so that neither waits for a sync to disk.
final class ReaderThread {
    enum Job: Sendable {
        case load(StreamName, after: Int, limit: Int, Ticket, any LogInbox)
        case loadNewest(Int, Ticket, any LogInbox)
        case catchUp(CatchUp, CatchUp.Progress)
    }

    private let file: LogFile
    private let filePlaces: SharedLogFilePlaces
    private let mailbox: Mailbox<Job>
    private let writer: Mailbox<WriterThread.Job>
    private let catchUps: CatchUps
    /// Nil after a failure, until the next job opens it again.
    private var reader: RecordReader?
    private var files: LogFilePlaces

    init(
        _ file: LogFile, _ filePlaces: SharedLogFilePlaces, mailbox: Mailbox<Job>, writer: Mailbox<WriterThread.Job>,
        catchUps: CatchUps
    ) throws(EventLogError) {
        self.file = file
        self.filePlaces = filePlaces
        files = filePlaces.current
        self.mailbox = mailbox
        self.writer = writer
        self.catchUps = catchUps
        reader = try ReaderThread.open(file)
    }

    func run() {
        while let jobs = mailbox.takeAll() {
            for job in jobs { perform(job) }
        }
    }

    private func perform(_ job: Job) {
        switch job {
        case .load(let stream, let version, let limit, let ticket, let inbox):
            let records = answer { reader throws(EventLogError) in
                try reader.snapshot { () throws(EventLogError) in
                    try reader.load(stream, after: version, limit: limit)
                }
            }
            inbox.deliver([.loaded(ticket, records)])
        case .loadNewest(let limit, let ticket, let inbox):
            let records = answer { reader throws(EventLogError) in
                do throws(SQLiteError) { return try reader.newest(limit) } catch {
                    throw error.whenReading
                }
            }
            inbox.deliver([.loaded(ticket, records)])
        case .catchUp(let catchUp, let progress): read(catchUp, from: progress)
        }
    }

    private func answer(
        _ read: (RecordReader) throws(EventLogError) -> [Record]
    ) -> Result<[Record], EventLogError> {
        do throws(EventLogError) {
            let records = try read(try opened())
            // Show nothing from files that may be gone after a restart, least of all the newest records.
            try files.check()
            return .success(records)
        } catch {
            forget(after: error)
            return .failure(error)
        }
    }

    /// Reads one piece and queues the rest after the waiting jobs, so that a long catch-up delays no one.
    private func read(_ catchUp: CatchUp, from progress: CatchUp.Progress) {
        if catchUp.isEnded { return }
        var outbox = Outbox()
        do throws(EventLogError) {
            let step = try catchUp.step(from: progress, with: try opened(), in: &outbox)
            try files.check()
            outbox.flush()
            let posting =
                switch step {
                case .more(let next): mailbox.post(.catchUp(catchUp, next), isOwed: true)
                case .end(let next, let position):
                    writer.post(.attach(catchUp, next, position: position), isOwed: true)
                }
            if posting == .closed { fail(catchUp, .closed) }
        } catch {
            forget(after: error)
            fail(catchUp, error)
        }
    }

    private func fail(_ catchUp: CatchUp, _ error: EventLogError) {
        catchUps.remove(catchUp.ticket, catchUp.inbox)
        catchUp.inbox.deliver([.followFailed(catchUp.ticket, error)])
    }

    private func opened() throws(EventLogError) -> RecordReader {
        let current = filePlaces.current
        if let reader, files == current { return reader }
        files = current
        try files.check()
        let opened = try ReaderThread.open(file)
        reader = opened
        return opened
    }

    /// A broken chain does not mean that the connection is bad. Any other error might.
    private func forget(after error: EventLogError) {
        if case .chainBroken = error { return }
        reader = nil
    }

    private static func open(_ file: LogFile) throws(EventLogError) -> RecordReader {
        let database = try file.openToRead()
        do throws(SQLiteError) { return try RecordReader(database) } catch { throw error.whenReading }
    }
}
