import Records

/// The recipients of new records: one entry for each awake room and a few more. A limit of rooms limits this.
struct Followers: Sendable {
    enum Source: Hashable, Sendable {
        case stream(StreamName)
        case all
    }

    /// A ticket is unique within its inbox.
    struct Key: Hashable, Sendable {
        let ticket: Ticket
        let inbox: ObjectIdentifier

        init(_ ticket: Ticket, _ inbox: any LogInbox) {
            self.ticket = ticket
            self.inbox = ObjectIdentifier(inbox)
        }
    }

    private struct Follower: Sendable {
        let ticket: Ticket
        let inbox: any LogInbox
    }

    private var sources: [Key: Source] = [:]
    private var followers: [Source: [Follower]] = [:]

    mutating func add(_ ticket: Ticket, _ inbox: any LogInbox, to source: Source) {
        remove(ticket, inbox)
        sources[Key(ticket, inbox)] = source
        followers[source, default: []].append(Follower(ticket: ticket, inbox: inbox))
    }

    /// Returns what it followed; nil if nothing.
    @discardableResult
    mutating func remove(_ ticket: Ticket, _ inbox: any LogInbox) -> Source? {
        guard let source = sources.removeValue(forKey: Key(ticket, inbox)) else { return nil }
        followers[source]?.removeAll { $0.ticket == ticket && $0.inbox === inbox }
        if followers[source]?.isEmpty == true { followers[source] = nil }
        return source
    }

    mutating func removeAll(of source: Source) {
        for follower in followers.removeValue(forKey: source) ?? [] {
            sources[Key(follower.ticket, follower.inbox)] = nil
        }
    }

    func has(_ source: Source) -> Bool { followers[source] != nil }

    func tell(_ change: StreamChange, in outbox: inout Outbox) {
        switch change {
        case .records(let records):
            guard let stream = records.first?.stream else { return }
            tell(of: stream, in: &outbox) { .records($0, records) }
        case .erased(let erasure, let stream): tell(of: stream, in: &outbox) { .erased($0, erasure) }
        }
    }

    private func tell(of stream: StreamName, in outbox: inout Outbox, _ message: (Ticket) -> LogMessage) {
        for source in [Source.stream(stream), .all] { tell(source, in: &outbox, message) }
    }

    func tell(_ source: Source, in outbox: inout Outbox, _ message: (Ticket) -> LogMessage) {
        for follower in followers[source] ?? [] { outbox.add(message(follower.ticket), to: follower.inbox) }
    }
}
