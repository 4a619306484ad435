import Cryptography
import Records
import Synchronization

/// A catch-up subscription: a `follow` that is still reading older records. The reader's and the writer's threads own
/// it by turns.
final class CatchUp: Sendable {
    /// How far a follower has been sent the older records. It reads those in pieces, and then gets new ones.
    struct Progress: Sendable {
        /// The version reached; for followers of all streams, the position.
        var reached: Int
        /// The stream's head, once its end is reached; for followers of all streams, the digest of nothing.
        var head = StreamName.all.origin
    }

    let source: Followers.Source
    let ticket: Ticket
    let inbox: any LogInbox
    private let state = Mutex(State())

    private struct State {
        var isEnded = false
        /// Erasures of its stream while this reads. Followers of all streams read them from the log, in order.
        var erasures: [Erasure] = []
    }

    /// Most records read and delivered at once: some 300 kB, and under 2 ms.
    static let pieceLimit = 1_024

    init(_ source: Followers.Source, ticket: Ticket, inbox: any LogInbox) {
        self.source = source
        self.ticket = ticket
        self.inbox = inbox
    }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    func end() { state.withLock { $0.isEnded = true } }

    func note(_ erasure: Erasure, of stream: StreamName) {
        guard source == .stream(stream) else { return }
        state.withLock { $0.erasures.append(erasure) }
    }

    enum Step: Sendable {
        case more(Progress)
        /// It reached the end of the log at the time when `position` was the highest.
        case end(Progress, position: Int)
    }

    var hasErasures: Bool { state.withLock { !$0.erasures.isEmpty } }

    func step(
        from progress: Progress, with reader: RecordReader, in outbox: inout Outbox
    ) throws(EventLogError) -> Step {
        let piece = try reader.snapshot { () throws(EventLogError) in try read(after: progress.reached, with: reader) }
        // What was erased before this moment is not among the records. If the stream exists again, it is new.
        let erased = takeErasures(upTo: piece.position)
        for erasure in erased { outbox.add(.erased(ticket, erasure), to: inbox) }
        guard erased.isEmpty else { return .more(Progress(reached: 0)) }
        for message in piece.messages { outbox.add(message, to: inbox) }
        return piece.isFull ? .more(Progress(reached: piece.reached)) : .end(piece.end, position: piece.position)
    }

    private struct Piece {
        let messages: [LogMessage]
        /// Whether there may be more after it.
        let isFull: Bool
        /// The version or position of its last record.
        let reached: Int
        /// The end of the followed stream at the same moment.
        let end: Progress
        let position: Int
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
                    end: Progress(reached: end.version, head: end.head), position: position)
            case .all:
                let slice = AllStreamsSlice(
                    try reader.records(afterPosition: place, limit: CatchUp.pieceLimit),
                    try reader.erasures(afterPosition: place, limit: CatchUp.pieceLimit),
                    limit: CatchUp.pieceLimit, for: ticket)
                return Piece(
                    messages: slice.messages, isFull: slice.count == CatchUp.pieceLimit,
                    reached: slice.reached ?? place, end: Progress(reached: position), position: position)
            }
        } catch let error as EventLogError {
            throw error
        } catch {
            throw (error as? SQLiteError)?.whenReading ?? .cannotRead(reason: "\(error)")
        }
    }

    private func takeErasures(upTo position: Int) -> [Erasure] {
        state.withLock { state in
            let due = state.erasures.filter { $0.position <= position }
            state.erasures.removeAll { $0.position <= position }
            return due
        }
    }
}

/// The catch-ups that are being read, for erasures and `unfollow` to find.
final class CatchUps: Sendable {
    private let reading = Mutex<[Followers.Key: CatchUp]>([:])

    func add(_ catchUp: CatchUp) {
        reading.withLock { $0[Followers.Key(catchUp.ticket, catchUp.inbox)] = catchUp }
    }

    func remove(_ ticket: Ticket, _ inbox: any LogInbox) {
        let removed = reading.withLock { $0.removeValue(forKey: Followers.Key(ticket, inbox)) }
        removed?.end()
    }

    func note(_ erasure: Erasure, of stream: StreamName) {
        let all = reading.withLock { Array($0.values) }
        for catchUp in all { catchUp.note(erasure, of: stream) }
    }
}
