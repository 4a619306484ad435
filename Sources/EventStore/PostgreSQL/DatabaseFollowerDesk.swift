import Records

/// The followers of a log in a database: where reading older records ends and receiving new ones begins, and what other
/// nodes write.
final class DatabaseFollowerDesk {
    private let calls: LogCalls
    private let deliveries: LogDeliveries
    private let timing: DatabaseWriterThread.Timing
    private(set) var followed = FollowedStreams()
    /// Catch-ups whose end could not be found while there was no connection.
    private var postponed: [(CatchUp, CatchUp.Progress)] = []
    private var isPolling = false
    private var pollTime = ContinuousClock.now

    init(_ calls: LogCalls, _ deliveries: LogDeliveries, _ timing: DatabaseWriterThread.Timing) {
        (self.calls, self.deliveries, self.timing) = (calls, deliveries, timing)
    }

    func unfollow(_ ticket: Ticket, _ inbox: any LogInbox) { followed.remove(ticket, inbox) }

    func attach(
        _ catchUp: CatchUp, _ progress: CatchUp.Progress, through sessions: DatabaseSessions, isRepeated: Bool = false
    ) {
        if catchUp.isEnded { return }
        guard let session = sessions.usableSession() else { return postponed.append((catchUp, progress)) }
        var progress = progress
        do throws(EventLogError) {
            switch catchUp.source {
            case .stream(let stream): try attach(catchUp, to: stream, from: &progress, with: session)
            case .all: try attachToAll(catchUp, from: progress.reached, with: session)
            }
        } catch {
            if case .chainBroken = error { return deliveries.fail(catchUp, error) }
            if !isRepeated, session.isEnded {
                return attach(catchUp, progress, through: sessions, isRepeated: true)
            }
            deliveries.fail(catchUp, error)
            sessions.goDown(because: error)
        }
    }

    func attachPostponed(through sessions: DatabaseSessions) {
        let waiting = postponed
        postponed = []
        for (catchUp, progress) in waiting { attach(catchUp, progress, through: sessions) }
    }

    func failPostponed(_ error: EventLogError) { for (catchUp, _) in postponed { deliveries.fail(catchUp, error) } }

    /// Reads the records since then. This log itself can add none now, because this is the thread that would write
    /// them. `next` shows how far it got, also on failure.
    private func attach(
        _ catchUp: CatchUp, to stream: StreamName, from next: inout CatchUp.Progress, with session: DatabaseSession
    ) throws(EventLogError) {
        repeat {
            // Its other followers get the same records, until all are at the same version.
            if followed.states[stream] != nil, let problem = refresh([stream], with: session) { throw problem }
            var isAtEnd = false
            while !isAtEnd {
                switch try catchUp.readPiece(of: stream, from: next, with: session.reader, in: &deliveries.outbox) {
                case .more(let more): next = more
                case .end(let end): (next, isAtEnd) = (end, true)
                }
            }
        } while followed.states[stream].map { $0.id != next.id || $0.end != next.end } ?? false
        deliveries.caughtUp(catchUp, at: next.end)
        followed.add(catchUp, to: stream, at: FollowedStreams.State(id: next.id, end: next.end))
    }

    /// Everything is final up to where other followers, and this one, have been served.
    private func attachToAll(
        _ catchUp: CatchUp, from position: Int, with session: DatabaseSession
    ) throws(EventLogError) {
        // A follower that has read further has read from another server, whose next records here have lower positions.
        let last = try PostgreSQLError.reading(session.reader.lastPosition())
        guard last >= position else { return deliveries.fail(catchUp, .wentBack(from: position, to: last)) }
        if !followed.isAllFollowed {
            followed.addToAll(catchUp, at: position)
        } else {
            let others = try entries(from: followed.reached, upTo: position, with: session)
            let slice = FeedSlice(
                after: followed.reached, entries: others, reached: position, isHeld: false, isFull: false)
            if let problem = deliver(slice, with: session) { throw problem }
            let own = try entries(from: position, upTo: followed.reached, with: session)
            catchUp.tell(own.messages(for: catchUp.ticket), in: &deliveries.outbox)
            followed.addToAll(catchUp, at: followed.reached)
        }
        deliveries.caughtUp(catchUp, at: StreamEnd(version: followed.reached, head: StreamName.all.origin))
    }

    private func entries(
        from first: Int, upTo last: Int, with session: DatabaseSession
    ) throws(EventLogError) -> [FeedEntry] {
        var entries: [FeedEntry] = []
        while first < last {
            let place = entries.last?.position ?? first
            let more = try PostgreSQLError.reading(session.reader.entries(after: place, upTo: last))
            entries += more
            if more.count < CatchUp.pieceLimit { break }
        }
        return entries
    }
}

/// What other nodes write.
extension DatabaseFollowerDesk {
    /// When to poll; nil if a poll is under way, or no follower depends on it.
    var nextPoll: ContinuousClock.Instant? {
        !isPolling && (followed.isAllFollowed || followed.states[.hub] != nil) ? pollTime : nil
    }

    /// Even if a poll is under way, since it may have looked before.
    func pollSoon() { pollTime = .now }

    func poll(through sessions: DatabaseSessions) {
        pollTime = .now + timing.poll
        if followed.isAllFollowed {
            isPolling = calls.reader.post(.poll(after: followed.reached), isOwed: true) == .taken
        } else if let session = sessions.usableSession(), let problem = refresh([.hub], with: session) {
            if !sessions.replace(session) { sessions.goDown(because: problem) }
        }
    }

    func pollAnswered(_ slice: FeedSlice?, through sessions: DatabaseSessions) {
        isPolling = false
        // A poll for earlier followers may be late: now no one has the records before it, and the next poll brings
        // them.
        guard let slice, followed.isAllFollowed, slice.after <= followed.reached else { return }
        if slice.isFull { pollSoon() } else if slice.isHeld { pollTime = min(pollTime, .now + timing.heldPoll) }
        if let session = sessions.usableSession() {
            if let problem = deliver(slice, with: session), !sessions.replace(session) {
                sessions.goDown(because: problem)
            }
        } else {
            // All followed streams are read once it is up again.
            _ = followed.tell(slice, in: &deliveries.outbox)
        }
    }

    private func deliver(_ slice: FeedSlice, with session: DatabaseSession) -> EventLogError? {
        refresh(followed.tell(slice, in: &deliveries.outbox), with: session)
    }

    /// Sends followers what was written in between, or that their stream has gone back.
    func moveTo(_ session: DatabaseSession) throws(EventLogError) {
        let last = try PostgreSQLError.reading(session.reader.lastPosition())
        if followed.isAllFollowed, last < followed.reached {
            followed.fail(.all, .wentBack(from: followed.reached, to: last), in: &deliveries.outbox)
        }
        if let problem = refresh(Set(followed.states.keys), with: session) { throw problem }
    }

    /// Delivers what this log has written to the stream of this number, which ended at `end`.
    func tell(_ change: StreamChange, of id: Int, behind end: StreamEnd) {
        switch change {
        // Their hashes start from that end and need not be computed again.
        case .records(let records): _ = followed.tell(records, of: id, behind: end, in: &deliveries.outbox)
        case .erased(let erasure, let stream):
            calls.catchUps.recordErasure(erasure, of: stream)
            followed.tell(erasure, of: id, in: &deliveries.outbox)
        }
        // Another node's record came in between. The next poll brings both.
        if !followed.tellAll(change, in: &deliveries.outbox) { pollSoon() }
    }

    /// Reads what these streams' followers lack, and delivers it. Returns the error if it cannot be read.
    func refresh(_ streams: Set<StreamName>, with session: DatabaseSession) -> EventLogError? {
        var due = streams.compactMap { name in followed.states[name].map { (name: name, after: $0.end.version) } }
        do throws(PostgreSQLError) {
            while !due.isEmpty {
                var again: [(name: StreamName, after: Int)] = []
                for batch in due.inTransactions {
                    let pieces = try session.reader.pieces(of: batch, limit: CatchUp.pieceLimit)
                    for ((name, _), piece) in zip(batch, pieces) {
                        if let next = try tell(piece, of: name, with: session) { again.append((name, next)) }
                    }
                }
                due = again
            }
            return nil
        } catch { return .cannotWrite(reason: error.reason) }
    }

    /// The version after which there is more to read; nil if there is no more.
    private func tell(
        _ piece: StreamPiece, of stream: StreamName, with session: DatabaseSession
    ) throws(PostgreSQLError) -> Int? {
        guard let known = followed.states[stream] else { return nil }
        let broken = EventLogError.chainBroken(stream: stream, version: known.end.version)
        if let old = known.id, old != piece.id {
            guard let erasure = try session.reader.erasure(of: old) else { return fail(stream, broken) }
            followed.tell(erasure, of: old, in: &deliveries.outbox)
            return piece.id == nil ? nil : 0
        }
        guard let id = piece.id else { return nil }
        // The stream has gone back, and maybe grown again, so it is another one.
        guard piece.before == known.end.head else { return fail(stream, broken) }
        do throws(EventLogError) {
            let end = try session.reader.check(piece, of: stream, after: known.end.version)
            guard !piece.records.isEmpty else { return nil }
            _ = followed.tell(piece.records, of: id, in: &deliveries.outbox)
            return piece.isFull ? end.version : nil
        } catch { return fail(stream, error) }
    }

    private func fail(_ stream: StreamName, _ error: EventLogError) -> Int? {
        followed.fail(.stream(stream), error, in: &deliveries.outbox)
        return nil
    }
}

extension EventLogError {
    fileprivate static func wentBack(from position: Int, to last: Int) -> EventLogError {
        .cannotRead(reason: "the log has gone back from position \(position) to \(last)")
    }
}
