import Cryptography
import Synchronization

/// A `follow` that still reads what was there. It belongs to the reader's and the writer's threads by turns.
final class History: Sendable {
    /// How far a follower has been told what was there before it: it reads that in pieces, and then hears of what is
    /// new.
    struct Progress: Sendable {
        /// The version reached; the position, for those who follow all.
        var reached: Int
        /// The stream's head at its end, once that is reached; for those who follow all, the digest of nothing.
        var head = StreamName.all.origin
    }

    let source: Followers.Source
    let ticket: Ticket
    let inbox: any LogInbox
    private let state = Mutex(State())

    private struct State {
        var isEnded = false
        /// Those of its stream that happened while this reads. Whoever follows all reads them from the log, in order.
        var erasures: [Erasure] = []
    }

    /// Most records that are read, and delivered, at once: some 300 kB, and under 2 ms.
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

    /// What came of reading a piece.
    enum Step: Sendable {
        /// There is more behind it.
        case more(Progress)
        /// It reached the end of the log as it was when `position` was the highest one given.
        case end(Progress, position: Int)
    }

    var hasErasures: Bool { state.withLock { !$0.erasures.isEmpty } }

    /// Reads the next piece and says what it holds.
    func step(
        from progress: Progress, with reader: RecordReader, in deliveries: inout Deliveries
    ) throws(EventLogError) -> Step {
        let piece = try reader.snapshot { () throws(EventLogError) in try read(after: progress.reached, with: reader) }
        // What was erased before this moment is not among the records; if it is there again, then it is new.
        let erased = takeErasures(upTo: piece.position)
        for erasure in erased { deliveries.add(.erased(ticket, erasure), to: inbox) }
        guard erased.isEmpty else { return .more(Progress(reached: 0)) }
        for message in piece.messages { deliveries.add(message, to: inbox) }
        return piece.isFull ? .more(Progress(reached: piece.reached)) : .end(piece.end, position: piece.position)
    }

    private struct Piece {
        let messages: [LogMessage]
        /// Whether there may be more behind it.
        let isFull: Bool
        /// The version or position of the last that is in it.
        let reached: Int
        /// The end of what is followed, at the same moment.
        let end: Progress
        let position: Int
    }

    private func read(after place: Int, with reader: RecordReader) throws(EventLogError) -> Piece {
        do {
            let position = try reader.lastPosition()
            switch source {
            case .stream(let stream):
                let records = try reader.load(stream, after: place, limit: History.pieceLimit)
                let end = try reader.end(of: stream)
                return Piece(
                    messages: records.isEmpty ? [] : [.records(ticket, records)],
                    isFull: records.count == History.pieceLimit, reached: records.last?.version ?? place,
                    end: Progress(reached: end.version, head: end.head), position: position)
            case .all:
                let passage = Passage(
                    try reader.records(afterPosition: place, limit: History.pieceLimit),
                    try reader.erasures(afterPosition: place, limit: History.pieceLimit),
                    limit: History.pieceLimit, for: ticket)
                return Piece(
                    messages: passage.messages, isFull: passage.count == History.pieceLimit,
                    reached: passage.reached ?? place, end: Progress(reached: position), position: position)
            }
        } catch let error as EventLogError {
            throw error
        } catch {
            throw .cannotRead(reason: (error as? SQLiteFailure)?.reason ?? "\(error)")
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

/// The histories that are being read: whoever erases or unfollows finds them here.
final class Histories: Sendable {
    private let reading = Mutex<[Followers.Key: History]>([:])

    func add(_ history: History) {
        reading.withLock { $0[Followers.Key(history.ticket, history.inbox)] = history }
    }

    func remove(_ ticket: Ticket, _ inbox: any LogInbox) {
        let removed = reading.withLock { $0.removeValue(forKey: Followers.Key(ticket, inbox)) }
        removed?.end()
    }

    func note(_ erasure: Erasure, of stream: StreamName) {
        let all = reading.withLock { Array($0.values) }
        for history in all { history.note(erasure, of: stream) }
    }
}
