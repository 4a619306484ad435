import Cryptography
import Records

/// Reads for a log's callers, and polls what others write, through a connection of its own.
final class DatabaseSource: LogSource {
    private let connector: DatabaseConnector
    /// Nil after a failure, until a later call opens it again.
    private var reader: DatabaseReader?
    private var feed = Feed()
    /// Calls fail at once until then, because each would wait for a server that does not answer.
    private var retry = ContinuousClock.now
    private var lastError = EventLogError.closed
    private var pause = ReconnectPause()

    init(_ connector: DatabaseConnector) throws(EventLogError) {
        self.connector = connector
        reader = try connector.openReader()
    }

    func load(_ stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record] {
        try reading { reader throws(EventLogError) in try reader.load(stream, after: version, limit: limit) }
    }

    func newest(_ limit: Int) throws(EventLogError) -> [Record] {
        try reading { reader throws(EventLogError) in try PostgreSQLError.reading(reader.newest(limit)) }
    }

    func readPiece(
        for catchUp: CatchUp, from progress: CatchUp.Progress, in outbox: inout Outbox
    ) throws(EventLogError) -> CatchUp.Step {
        try reading { reader throws(EventLogError) in
            if case .stream(let stream) = catchUp.source {
                return try catchUp.readPiece(of: stream, from: progress, with: reader, in: &outbox)
            }
            let slice = try slice(after: progress.reached, with: reader)
            catchUp.tell(slice.entries.messages(for: catchUp.ticket), in: &outbox)
            let next = CatchUp.Progress(reached: slice.reached)
            return slice.isFull ? .more(next) : .end(next)
        }
    }

    func poll(after position: Int) -> FeedSlice? {
        // The next poll shows what is wrong.
        try? reading { reader throws(EventLogError) in try slice(after: position, with: reader) }
    }

    func probe() -> EventLogError? {
        retry = .now
        do throws(EventLogError) {
            _ = try reading { reader throws(EventLogError) in try PostgreSQLError.reading(reader.lastPosition()) }
            return nil
        } catch { return error }
    }

    private func slice(after position: Int, with reader: DatabaseReader) throws(EventLogError) -> FeedSlice {
        do throws(PostgreSQLError) {
            var entries = try reader.entries(after: position)
            var count = feed.tellable(entries.map(\.position), after: position)
            if count < entries.count {
                let (last, writers) = try reader.frontier()
                feed.positionsSeen(upTo: last, writers: writers)
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

    private func reading<Answer>(
        _ read: (DatabaseReader) throws(EventLogError) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(EventLogError) {
            let reader = try opened()
            do throws(EventLogError) { return try read(reader) } catch {
                // A connection that the server closes during a read fails no one either: the read is repeated.
                if reader.isAlive() { throw error }
                return try read(try opened())
            }
        } catch {
            forgetReader(after: error)
            throw error
        }
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
    private func forgetReader(after error: EventLogError) {
        if case .chainBroken = error { return }
        if reader != nil || retry <= .now {
            retry = .now + pause.next()
            lastError = error
        }
        reader = nil
    }
}

extension PostgreSQLError {
    /// A server that is out of memory, connections or time (classes 53 and 57014, query_canceled, of the manual's
    /// appendix A) may still have sound data.
    var whenReading: EventLogError {
        state.hasPrefix("53") || state == "57014" ? .busy(reason: reason) : .cannotRead(reason: reason)
    }

    /// Reads, and throws such an error.
    static func reading<Answer>(
        _ answer: @autoclosure () throws(PostgreSQLError) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(PostgreSQLError) { return try answer() } catch { throw error.whenReading }
    }
}

extension CatchUp {
    /// Reads the next piece of a stream and delivers it.
    func readPiece(
        of stream: StreamName, from progress: Progress, with reader: DatabaseReader, in outbox: inout Outbox
    ) throws(EventLogError) -> Step {
        let piece: StreamPiece
        var erasure: Erasure?
        do throws(PostgreSQLError) {
            piece = try reader.pieces(of: [(stream, progress.reached)], limit: CatchUp.pieceLimit)[0]
            if let id = progress.id, id != piece.id { erasure = try reader.erasure(of: id) }
        } catch { throw error.whenReading }
        if let erasure {
            outbox.add(.erased(ticket, erasure), to: inbox)
            return .more(Progress(reached: 0, head: stream.origin))
        }
        if progress.id != nil, piece.before != progress.head {
            throw .chainBroken(stream: stream, version: progress.reached)
        }
        let end = try reader.check(piece, of: stream, after: progress.reached)
        if !piece.records.isEmpty { outbox.add(.records(ticket, piece.records), to: inbox) }
        let next = Progress(reached: end.version, head: end.head, id: piece.id)
        return piece.isFull ? .more(next) : .end(next)
    }
}
