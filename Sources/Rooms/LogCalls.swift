import EventStore
import Records

// Rare calls of the log with a single answer, which is given to `then` on this loop.
extension RoomSurroundings {
    public func append(_ commit: Commit, then: @escaping (AppendAnswer) -> Void) {
        let reply = PendingReply(self) { if case .settled(_, let answer) = $0 { then(answer) } }
        append(commit, ticket: reply.ticket)
    }

    public func load(
        _ stream: StreamName, after version: Int, limit: Int,
        then: @escaping (Result<[Record], EventLogError>) -> Void
    ) {
        let reply = PendingReply(self) { if case .loaded(_, let records) = $0 { then(records) } }
        log.load(stream, after: version, limit: limit, ticket: reply.ticket, answer: inbox)
    }

    public func loadNewest(_ limit: Int, then: @escaping (Result<[Record], EventLogError>) -> Void) {
        let reply = PendingReply(self) { if case .loaded(_, let records) = $0 { then(records) } }
        log.loadNewest(limit, ticket: reply.ticket, answer: inbox)
    }
}

/// Waits for one answer of the log.
private final class PendingReply: LogClient {
    private let surroundings: RoomSurroundings
    private let act: (LogMessage) -> Void
    private(set) var ticket: Ticket = 0

    init(_ surroundings: RoomSurroundings, _ act: @escaping (LogMessage) -> Void) {
        self.surroundings = surroundings
        self.act = act
        ticket = surroundings.ticket(for: self)
    }

    func receive(_ message: LogMessage, ticket: Ticket) {
        surroundings.end(ticket)
        act(message)
    }
}
