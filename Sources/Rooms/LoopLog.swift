import EventStore
import Records

/// Asks the log for something, and gets the answer.
public protocol LogClient: AnyObject {
    /// Called in the order of the log's messages.
    func logSent(_ message: LogMessage, ticket: Ticket)
}

/// The log as one loop calls it: each call has a ticket, and the answers come to the loop for the ticket's client. What
/// a turn appends is handed over at its end, before the next call of another kind, or once there are 16.
public final class LoopLog {
    private let log: any EventLog
    /// Where the log answers: the loop.
    public let inbox: any LogInbox
    /// Appends that are handed over before the turn's end: in a long turn the log writes while the loop works.
    private static let handOverCount = 16

    private var clients: [Ticket: any LogClient] = [:]
    private var lastTicket: Ticket = 0
    private var appends: [TicketedCommit] = []

    init(_ log: any EventLog, answering inbox: any LogInbox) { (self.log, self.inbox) = (log, inbox) }

    /// A ticket whose answers go to `client` until it is closed.
    public func ticket(for client: any LogClient) -> Ticket {
        lastTicket += 1
        clients[lastTicket] = client
        return lastTicket
    }

    /// A ticket with a single answer, which `then` gets.
    func ticket(_ then: @escaping (LogMessage) -> Void) -> Ticket { ticket(for: PendingReply(self, then)) }

    public func closeTicket(_ ticket: Ticket) { clients[ticket] = nil }

    /// Drops all that waits.
    func discard() { (clients, appends) = ([:], []) }

    public func client(of ticket: Ticket) -> (any LogClient)? { clients[ticket] }

    func append(_ commit: Commit, ticket: Ticket) {
        appends.append(TicketedCommit(commit, ticket))
        if appends.count == Self.handOverCount { handOver() }
    }

    /// Hands over what this turn has appended so far. For claims, which go past this object, call it before each.
    public func handOver() {
        guard !appends.isEmpty else { return }
        // An answer may come at once, and append again.
        let batch = appends
        appends = []
        log.append(batch, answer: inbox)
    }

    func load(_ stream: StreamName, after version: Int, limit: Int, ticket: Ticket) {
        handOver()
        log.load(stream, after: version, limit: limit, ticket: ticket, answer: inbox)
    }

    public func load(
        _ stream: StreamName, after version: Int, limit: Int,
        then: @escaping (Result<[Record], EventLogError>) -> Void
    ) {
        load(
            stream, after: version, limit: limit,
            ticket: ticket { if case .loaded(_, let records) = $0 { then(records) } })
    }

    public func loadNewest(_ limit: Int, then: @escaping (Result<[Record], EventLogError>) -> Void) {
        let ticket = ticket { if case .loaded(_, let records) = $0 { then(records) } }
        handOver()
        log.loadNewest(limit, ticket: ticket, answer: inbox)
    }

    public func follow(_ stream: StreamName, after version: Int, ticket: Ticket) {
        handOver()
        log.follow(stream, after: version, ticket: ticket, into: inbox)
    }

    public func followAll(after position: Int, ticket: Ticket) {
        handOver()
        log.followAll(after: position, ticket: ticket, into: inbox)
    }

    /// Its client gets nothing more.
    public func unfollow(_ ticket: Ticket) {
        handOver()
        log.unfollow(ticket, into: inbox)
        closeTicket(ticket)
    }

    public func watchAvailability() {
        handOver()
        log.watchAvailability(into: inbox)
    }
}

/// Waits for one answer of the log.
private final class PendingReply: LogClient {
    private let log: LoopLog
    private let then: (LogMessage) -> Void

    init(_ log: LoopLog, _ then: @escaping (LogMessage) -> Void) { (self.log, self.then) = (log, then) }

    func logSent(_ message: LogMessage, ticket: Ticket) {
        log.closeTicket(ticket)
        then(message)
    }
}
