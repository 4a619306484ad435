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
        /// Streams erased while this reads, with the position of that.
        var erasures: [(position: Int, stream: StreamName)] = []
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

    func note(erased stream: StreamName, at position: Int) {
        guard source == .all || source == .stream(stream) else { return }
        state.withLock { $0.erasures.append((position, stream)) }
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
        for stream in erased { deliveries.add(.erased(stream), to: inbox) }
        if !erased.isEmpty, source != .all { return .more(Progress(reached: 0)) }
        if !piece.records.isEmpty { deliveries.add(.records(ticket, piece.records), to: inbox) }
        guard piece.records.count < History.pieceLimit else {
            return .more(Progress(reached: piece.reached))
        }
        return .end(piece.end, position: piece.position)
    }

    private struct Piece {
        let records: [Record]
        /// The version or position of the last record.
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
                let head = try reader.head(of: stream)
                return Piece(
                    records: records, reached: records.last?.version ?? place,
                    end: Progress(reached: head.version, head: head.hash), position: position)
            case .all:
                let records = try reader.records(afterPosition: place, limit: History.pieceLimit)
                return Piece(
                    records: records, reached: records.last?.position ?? place, end: Progress(reached: position),
                    position: position)
            }
        } catch let error as EventLogError {
            throw error
        } catch {
            throw .cannotRead(reason: (error as? SQLiteFailure)?.reason ?? "\(error)")
        }
    }

    private func takeErasures(upTo position: Int) -> [StreamName] {
        state.withLock { state in
            let due = state.erasures.filter { $0.position <= position }.map(\.stream)
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

    func note(erased stream: StreamName, at position: Int) {
        let all = reading.withLock { Array($0.values) }
        for history in all { history.note(erased: stream, at: position) }
    }
}
