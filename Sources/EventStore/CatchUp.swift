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
        /// The stream's head there, once known; for followers of all streams, the digest of nothing.
        var head = StreamName.all.origin
        /// PostgreSQL: the stream's number; nil until it has been read, or while the stream has no records.
        var id: Int?
        /// SQLite: the log's highest position when its end was reached.
        var position = 0

        var end: StreamEnd { StreamEnd(version: reached, head: head) }
    }

    enum Step: Sendable {
        case more(Progress)
        /// It reached the end of the log.
        case end(Progress)
    }

    /// Most records read and delivered at once: some 300 kB, and under 2 ms.
    static let pieceLimit = 1_024

    let source: Followers.Source
    let ticket: Ticket
    let inbox: any LogInbox
    private let state = Mutex(State())

    private struct State {
        var isEnded = false
        /// Erasures of its stream while this reads. Followers of all streams read them from the log, in order.
        var erasures: [Erasure] = []
    }

    init(_ source: Followers.Source, ticket: Ticket, inbox: any LogInbox) {
        (self.source, self.ticket, self.inbox) = (source, ticket, inbox)
    }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    var hasErasures: Bool { state.withLock { !$0.erasures.isEmpty } }

    func tell(_ messages: [LogMessage], in outbox: inout Outbox) {
        for message in messages { outbox.add(message, to: inbox) }
    }

    fileprivate func cancel() { state.withLock { $0.isEnded = true } }

    func recordErasure(_ erasure: Erasure, of stream: StreamName) {
        guard source == .stream(stream) else { return }
        state.withLock { $0.erasures.append(erasure) }
    }

    /// Removes and returns the erasures up to `position`.
    func takeErasures(upTo position: Int) -> [Erasure] {
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
        removed?.cancel()
    }

    /// Removes it and tells its follower.
    func fail(_ catchUp: CatchUp, _ error: EventLogError) {
        remove(catchUp.ticket, catchUp.inbox)
        catchUp.inbox.deliver([.followFailed(catchUp.ticket, error)])
    }

    func recordErasure(_ erasure: Erasure, of stream: StreamName) {
        let all = reading.withLock { Array($0.values) }
        for catchUp in all { catchUp.recordErasure(erasure, of: stream) }
    }
}
