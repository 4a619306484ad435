import Cryptography
import Records
import Threads

/// Answers `load`, reads older records for a `follow`, and polls what others write, through its own connection.
final class DatabaseReaderThread {
    enum Job: Sendable {
        case load(StreamName, after: Int, limit: Int, Ticket, any LogInbox)
        case loadNewest(Int, Ticket, any LogInbox)
        case catchUp(CatchUp, Progress)
        /// Looks for what is new after this position.
        case poll(after: Int)
        /// Finds out for the writer whether the server answers. The writer keeps refusing appends in that time.
        case probe
    }

    /// How far a follower has been sent the older records.
    struct Progress: Sendable {
        /// The version reached; for followers of all streams, the position.
        var reached: Int
        /// The stream at that point; nil before the first look at it.
        var state: FollowedStreams.State?
    }

    private let connector: DatabaseConnector
    private let mailbox: Mailbox<Job>
    private let writer: Mailbox<DatabaseWriterThread.Job>
    private let catchUps: CatchUps
    /// Nil after a failure, until a later job opens it again.
    private var reader: DatabaseReader?
    private var feed = Feed()
    /// Jobs fail at once until then, because each would wait for a server that does not answer.
    private var retry = ContinuousClock.now
    private var lastError = EventLogError.closed
    private var pause = ReconnectPause()

    init(
        _ connector: DatabaseConnector, mailbox: Mailbox<Job>, writer: Mailbox<DatabaseWriterThread.Job>,
        catchUps: CatchUps
    ) throws(EventLogError) {
        self.connector = connector
        self.mailbox = mailbox
        self.writer = writer
        self.catchUps = catchUps
        reader = try connector.openReader()
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
                try reader.load(stream, after: version, limit: limit)
            }
            inbox.deliver([.loaded(ticket, records)])
        case .loadNewest(let limit, let ticket, let inbox):
            let records = answer { reader throws(EventLogError) in
                do throws(PostgreSQLError) { return try reader.newest(limit) } catch { throw error.whenReading }
            }
            inbox.deliver([.loaded(ticket, records)])
        case .catchUp(let catchUp, let progress): read(catchUp, from: progress)
        case .probe:
            retry = .now
            let last = answer { reader throws(EventLogError) in
                do throws(PostgreSQLError) { return try reader.lastPosition() } catch { throw error.whenReading }
            }
            let problem: EventLogError? = if case .failure(let error) = last { error } else { nil }
            writer.post(.probed(problem), isOwed: true)
        case .poll(let position):
            let slice = answer { reader throws(EventLogError) in try self.slice(after: position, with: reader) }
            writer.post(.polled(try? slice.get()), isOwed: true)  // The next poll shows what is wrong.
        }
    }

    private func answer<Answer>(
        _ read: (DatabaseReader) throws(EventLogError) -> Answer
    ) -> Result<Answer, EventLogError> {
        do throws(EventLogError) {
            let reader = try opened()
            do throws(EventLogError) { return .success(try read(reader)) } catch {
                // A connection that the server closes during a read fails no one either: the read is repeated.
                if reader.isAlive() { throw error }
                return .success(try read(try opened()))
            }
        } catch {
            forget(after: error)
            return .failure(error)
        }
    }

    /// Reads one piece and queues the rest after the waiting jobs, so that a long catch-up delays no one.
    private func read(_ catchUp: CatchUp, from progress: Progress) {
        if catchUp.isEnded { return }
        var outbox = Outbox()
        let step = answer { reader throws(EventLogError) in
            switch catchUp.source {
            case .stream(let stream):
                try catchUp.step(of: stream, from: progress, with: reader, in: &outbox)
            case .all: try self.step(of: catchUp, from: progress, with: reader, in: &outbox)
            }
        }
        switch step {
        case .success(let (next, isAtEnd)):
            outbox.flush()
            let posting =
                isAtEnd
                ? writer.post(.attach(catchUp, next), isOwed: true)
                : mailbox.post(.catchUp(catchUp, next), isOwed: true)
            if posting == .closed { fail(catchUp, .closed) }
        case .failure(let error): fail(catchUp, error)
        }
    }

    private func step(
        of catchUp: CatchUp, from progress: Progress, with reader: DatabaseReader, in outbox: inout Outbox
    ) throws(EventLogError) -> (Progress, isAtEnd: Bool) {
        let slice = try slice(after: progress.reached, with: reader)
        catchUp.tell(slice.entries, in: &outbox)
        return (Progress(reached: slice.reached), isAtEnd: !slice.isFull)
    }

    private func slice(after position: Int, with reader: DatabaseReader) throws(EventLogError) -> FeedSlice {
        do throws(PostgreSQLError) {
            var entries = try reader.entries(after: position)
            var count = feed.tellable(entries.map(\.position), after: position)
            if count < entries.count {
                let (last, writers) = try reader.frontier()
                feed.settle(seen: last, writers: writers)
                // Read again to see what has filled the gap in the meantime.
                entries = try reader.entries(after: position)
                count = feed.tellable(entries.map(\.position), after: position)
            }
            let told = Array(entries.prefix(count))
            return FeedSlice(
                after: position, entries: told, reached: told.last?.position ?? position, isHeld: count < entries.count,
                isFull: count == CatchUp.pieceLimit)
        } catch { throw error.whenReading }
    }

    private func fail(_ catchUp: CatchUp, _ error: EventLogError) {
        catchUps.remove(catchUp.ticket, catchUp.inbox)
        catchUp.inbox.deliver([.followFailed(catchUp.ticket, error)])
    }

    private func opened() throws(EventLogError) -> DatabaseReader {
        // A connection that the server has closed since the last call fails no one.
        if let reader, reader.isAlive() { return reader }
        reader = nil
        guard retry <= .now else { throw lastError }
        let opened = try connector.openReader()
        reader = opened
        pause.noteConnected()
        // It may be another server, on which other positions are settled.
        feed = Feed()
        return opened
    }

    /// A broken chain does not mean that the connection is bad. Any other error might.
    private func forget(after error: EventLogError) {
        if case .chainBroken = error { return }
        if reader != nil || retry <= .now {
            retry = .now + pause.next()
            lastError = error
        }
        reader = nil
    }
}

/// The wait before a connection is tried again: longer each time, until one has lasted for a while.
struct ReconnectPause: Sendable {
    static let shortest = Duration.milliseconds(100)
    static let longest = Duration.seconds(5)

    private var last = Duration.zero
    private var connected: ContinuousClock.Instant?

    mutating func noteConnected(at now: ContinuousClock.Instant = .now) { connected = now }

    mutating func next(at now: ContinuousClock.Instant = .now) -> Duration {
        if let connected, connected.duration(to: now) > ReconnectPause.longest { last = .zero }
        connected = nil
        last = last == .zero ? ReconnectPause.shortest : min(last * 2, ReconnectPause.longest)
        return last
    }
}

extension PostgreSQLError {
    /// A server that is out of memory, connections or time (classes 53 and 57014, query_canceled, of the manual's
    /// appendix A) may still have sound data.
    var whenReading: EventLogError {
        state.hasPrefix("53") || state == "57014" ? .busy(reason: reason) : .cannotRead(reason: reason)
    }
}

extension CatchUp {
    /// Reads the next piece of a stream and delivers it.
    func step(
        of stream: StreamName, from progress: DatabaseReaderThread.Progress, with reader: DatabaseReader,
        in outbox: inout Outbox
    ) throws(EventLogError) -> (DatabaseReaderThread.Progress, isAtEnd: Bool) {
        let piece: StreamPiece
        var erasure: Erasure?
        do throws(PostgreSQLError) {
            piece = try reader.pieces(of: [(stream, progress.reached)], limit: CatchUp.pieceLimit)[0]
            if let id = progress.state?.id, id != piece.id { erasure = try reader.erasure(of: id) }
        } catch { throw error.whenReading }
        if let erasure {
            outbox.add(.erased(ticket, erasure), to: inbox)
            return (.init(reached: 0, state: .init(id: nil, end: stream.start)), isAtEnd: false)
        }
        if let state = progress.state, state.id != nil, piece.before != state.end.head {
            throw .chainBroken(stream: stream, version: progress.reached)
        }
        let end = try reader.check(piece, of: stream, after: progress.reached)
        if !piece.records.isEmpty { outbox.add(.records(ticket, piece.records), to: inbox) }
        return (.init(reached: end.version, state: .init(id: piece.id, end: end)), isAtEnd: !piece.isFull)
    }

    /// Delivers to a follower of all streams.
    func tell(_ entries: [FeedEntry], in outbox: inout Outbox) {
        var run: [Record] = []
        for entry in entries {
            switch entry {
            case .record(let record, _): run.append(record)
            case .erasure(let erasure, _):
                if !run.isEmpty { outbox.add(.records(ticket, run), to: inbox) }
                run = []
                outbox.add(.erased(ticket, erasure), to: inbox)
            }
        }
        if !run.isEmpty { outbox.add(.records(ticket, run), to: inbox) }
    }
}
