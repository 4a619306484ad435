import Cryptography
import Records
import Testing

@testable import EventStore

/// A log and its leases, opened for a run of a process.
struct Node {
    let log: any SharedEventLog
    let desk: Desk
    let leases: any LeaseStore

    init(_ run: String, _ engine: Engine, at place: Place) throws {
        let open = try #require(engine.openForRun)
        (log, leases) = try open(place, run)
        desk = Desk(log)
    }
}

/// A log, with calls that wait for their answer.
final class Desk {
    let log: any EventLog
    /// Where the log is, if nothing else keeps it.
    private let place: Place?
    private var lastTicket: Ticket = 1_000

    init(_ log: any EventLog, in place: Place? = nil) { (self.log, self.place) = (log, place) }

    convenience init(_ engine: Engine) throws {
        let place = Place()
        self.init(try engine.open(place), in: place)
    }

    deinit { log.close() }

    func draw() -> Ticket {
        lastTicket += 1
        return lastTicket
    }

    func append(_ commit: Commit) throws -> AppendAnswer {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.append(commit, ticket: ticket, answer: inbox)
        return try inbox.answer(ticket)
    }

    /// Expects the stream to end at this version, with the head that it has there.
    func append(_ draft: Draft, to stream: StreamName, expecting version: Int) throws -> AppendAnswer {
        try append(draft.commit(to: stream, expecting: try end(of: stream, at: version)))
    }

    /// Appends one event in each commit, versions `from` to `to`.
    func fill(_ stream: StreamName, from: Int = 1, to: Int) throws {
        var end = try end(of: stream, at: from - 1)
        for version in from...to {
            let draft = Draft.numbered(version)
            #expect(try append(draft.commit(to: stream, expecting: end)) == .appended(version: version))
            end = end.after(draft.events)
        }
    }

    /// The end now, or at `version`. If the log cannot be read, or never had that version, a head that it never had.
    func end(of stream: StreamName, at version: Int? = nil) throws -> StreamEnd {
        let records = (try? load(stream).get()) ?? []
        let version = version ?? records.count
        guard version > 0 else { return stream.start }
        return version <= records.count
            ? records[version - 1].end : StreamEnd(version: version, head: SHA256.digest(of: "no head"))
    }

    func load(_ stream: StreamName, after: Int = 0, limit: Int = 1_000_000) throws -> Result<[Record], EventLogError> {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.load(stream, after: after, limit: limit, ticket: ticket, answer: inbox)
        return try inbox.wait { if case .loaded(ticket, let result) = $0 { result } else { nil } }
    }

    /// Expects the present end; for an empty stream, as if it had one record.
    func erase(_ stream: StreamName) throws -> AppendAnswer {
        let end = try end(of: stream)
        return try append(.erasing(stream, at: end == stream.start ? try self.end(of: stream, at: 1) : end))
    }

    /// Follows a stream, or all streams if nil, until caught up.
    func follow(_ stream: StreamName?, after place: Int = 0, ticket: Ticket, into inbox: RecordingInbox) throws {
        if let stream {
            log.follow(stream, after: place, ticket: ticket, into: inbox)
        } else {
            log.followAll(after: place, ticket: ticket, into: inbox)
        }
        try inbox.waitUntilCaughtUp(ticket)
    }

    /// Follows all streams from the beginning until caught up: every record.
    func everything(after position: Int = 0) throws -> (records: [Record], position: Int) {
        let (inbox, ticket) = (RecordingInbox(), draw())
        log.followAll(after: position, ticket: ticket, into: inbox)
        let reached = try inbox.wait { if case .caughtUp(ticket, let position, _) = $0 { position } else { nil } }
        log.unfollow(ticket, into: inbox)
        return (inbox.records(ticket), reached)
    }
}

extension Event {
    static func test(_ number: Int, sealed: [UInt8]? = nil) -> Event {
        Event(time: 1_700_000_000_000 + number, type: "test", shown: Array("{\"n\":\(number)}".utf8), sealed: sealed)
    }
}

/// A commit to a stream that is not chosen yet.
struct Draft: Sendable {
    let id: CommitID
    let events: [Event]

    /// Its own draft for each number.
    static func numbered(_ number: Int, events: Int = 1) -> Draft {
        Draft(id: "commit-\(number)", events: (0..<events).map { .test(number * 100 + $0) })
    }

    func commit(to stream: StreamName, expecting end: StreamEnd) -> Commit {
        Commit(id: id, appending: events, to: stream, expecting: end)
    }
}

extension Commit {
    /// Fences a run, by a commit to the stream `hub`.
    static func fence(
        _ run: String, id: CommitID = "fence", at end: StreamEnd = StreamName.hub.start, renewals: Int? = nil,
        settled: Int? = nil, time: Int = 1
    ) -> Commit {
        Commit(
            id: id, parts: [.append([.test(1)], to: .hub, expecting: end)],
            fencing: Fencing(run: run, renewals: renewals, settled: settled, time: time))
    }

    static func erasing(_ stream: StreamName, at end: StreamEnd) -> Commit {
        Commit(id: "erase", parts: [.erase(stream, expecting: end)])
    }
}

extension StreamEnd {
    /// The end of a stream that `Desk.fill` has filled up to `version`.
    static func filled(_ stream: StreamName, to version: Int) -> StreamEnd {
        (0..<version).reduce(stream.start) { end, number in end.after(Draft.numbered(number + 1).events) }
    }

    func after(_ events: [Event]) -> StreamEnd {
        let hasher = SHA256()
        var end = self
        for event in events { end.advance(by: event, with: hasher) }
        return end
    }
}

extension EventLog {
    /// To a stream that ends at `version` as `Desk.fill` has filled it.
    func append(
        _ draft: Draft, to stream: StreamName, expecting version: Int, ticket: Ticket, answer: any LogInbox
    ) {
        append(draft.commit(to: stream, expecting: .filled(stream, to: version)), ticket: ticket, answer: answer)
    }
}

extension StreamName {
    static let red = StreamName.room("red")
    static let blue = StreamName.room("blue")
    static let ada = StreamName.name("ada")
}
