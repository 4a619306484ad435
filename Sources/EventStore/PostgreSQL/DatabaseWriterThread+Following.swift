import Records

/// Where reading older records ends and receiving new ones begins; and what others write.
extension DatabaseWriterThread {
    func attach(_ catchUp: CatchUp, _ progress: DatabaseReaderThread.Progress) {
        if catchUp.isEnded { return }
        guard let session = usableSession() else { return postponed.append((catchUp, progress)) }
        do throws(EventLogError) {
            switch catchUp.source {
            case .stream(let stream): try attach(catchUp, to: stream, from: progress, with: session)
            case .all: try attachToAll(catchUp, from: progress.reached, with: session)
            }
            catchUps.remove(catchUp.ticket, catchUp.inbox)
        } catch {
            fail(catchUp, error)
            if case .chainBroken = error { return }
            goDown(because: error)
        }
    }

    func fail(_ catchUp: CatchUp, _ error: EventLogError) {
        catchUps.remove(catchUp.ticket, catchUp.inbox)
        outbox.add(.followFailed(catchUp.ticket, error), to: catchUp.inbox)
    }

    /// Reads the records since then. This log itself can add none now, because this is the thread that would write
    /// them.
    private func attach(
        _ catchUp: CatchUp, to stream: StreamName, from progress: DatabaseReaderThread.Progress,
        with session: DatabaseSession
    ) throws(EventLogError) {
        var next = progress
        var state = FollowedStreams.State(id: nil, end: stream.start)
        repeat {
            // Its other followers get the same records, until all are at the same version.
            if followed.states[stream] != nil, let problem = refresh([stream], with: session) { throw problem }
            var isAtEnd = false
            while !isAtEnd {
                (next, isAtEnd) = try catchUp.step(of: stream, from: next, with: session.reader, in: &outbox)
            }
            state = next.state ?? state
        } while followed.states[stream].map { $0 != state } ?? false
        outbox.add(.caughtUp(catchUp.ticket, version: state.end.version, head: state.end.head), to: catchUp.inbox)
        followed.add(catchUp, to: stream, at: state)
    }

    /// Everything is final up to where other followers, and this one, have been served.
    private func attachToAll(
        _ catchUp: CatchUp, from position: Int, with session: DatabaseSession
    ) throws(EventLogError) {
        // A follower that has read further has read from another server, whose next records here have lower positions.
        let last: Int
        do throws(PostgreSQLError) { last = try session.reader.lastPosition() } catch { throw error.whenReading }
        guard last >= position else {
            return fail(catchUp, .cannotRead(reason: "the log has gone back from position \(position) to \(last)"))
        }
        if !followed.isAllFollowed {
            followed.addToAll(catchUp, at: position)
        } else {
            let others = try entries(from: followed.reached, upTo: position, with: session)
            take(
                FeedSlice(after: followed.reached, entries: others, reached: position, isHeld: false, isFull: false),
                with: session)
            catchUp.tell(try entries(from: position, upTo: followed.reached, with: session), in: &outbox)
            followed.addToAll(catchUp, at: followed.reached)
        }
        outbox.add(
            .caughtUp(catchUp.ticket, version: followed.reached, head: StreamName.all.origin), to: catchUp.inbox)
    }

    private func entries(
        from first: Int, upTo last: Int, with session: DatabaseSession
    ) throws(EventLogError) -> [FeedEntry] {
        var entries: [FeedEntry] = []
        do throws(PostgreSQLError) {
            while first < last {
                let more = try session.reader.entries(after: entries.last?.position ?? first, upTo: last)
                entries += more
                if more.count < CatchUp.pieceLimit { break }
            }
        } catch { throw error.whenReading }
        return entries
    }

    func take(_ slice: FeedSlice?) {
        isPolling = false
        // A poll for earlier followers may be late: now no one has the records before it, and the next poll brings
        // them.
        guard let slice, followed.isAllFollowed, slice.after <= followed.reached else { return }
        if slice.isFull { nextPoll = .now } else if slice.isHeld { nextPoll = min(nextPoll, .now + timing.heldPoll) }
        if let session = usableSession() {
            take(slice, with: session)
        } else {
            // All followed streams are read once it is up again.
            _ = followed.tell(slice, in: &outbox)
        }
    }

    private func take(_ slice: FeedSlice, with session: DatabaseSession) {
        let unclear = followed.tell(slice, in: &outbox)
        if let problem = refresh(unclear, with: session) { goDown(because: problem) }
    }

    /// Reads what these streams' followers lack, and delivers it. Returns the error if it cannot be read.
    func refresh(_ streams: Set<StreamName>, with session: DatabaseSession) -> EventLogError? {
        var due = streams.compactMap { name in followed.states[name].map { (name: name, after: $0.end.version) } }
        do throws(PostgreSQLError) {
            while !due.isEmpty {
                var again: [(name: StreamName, after: Int)] = []
                for start in stride(from: 0, to: due.count, by: DatabaseSession.transactionLimit) {
                    let batch = Array(due[start..<min(start + DatabaseSession.transactionLimit, due.count)])
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
        if let old = known.id, old != piece.id {
            guard let erasure = try session.reader.erasure(of: old) else {
                return fail(stream, .chainBroken(stream: stream, version: known.end.version))
            }
            followed.tell(erasure, of: old, in: &outbox)
            return piece.id == nil ? nil : 0
        }
        guard let id = piece.id else { return nil }
        // The stream has gone back, and maybe grown again, so it is another one.
        guard piece.before == known.end.head else {
            return fail(stream, .chainBroken(stream: stream, version: known.end.version))
        }
        do throws(EventLogError) {
            let end = try session.reader.check(piece, of: stream, after: known.end.version)
            guard !piece.records.isEmpty else { return nil }
            _ = followed.tell(piece.records, of: id, in: &outbox)
            return piece.isFull ? end.version : nil
        } catch { return fail(stream, error) }
    }

    private func fail(_ stream: StreamName, _ error: EventLogError) -> Int? {
        followed.fail(.stream(stream), error, in: &outbox)
        return nil
    }
}

/// Losing the connection and finding it again.
extension DatabaseWriterThread {
    func goDown(because error: EventLogError) {
        guard case .writing = state else { return }
        counters.failures.add()
        state = .down(error, retry: .now + pause.next())
        // None of these was sent, or the server has said that nothing was done.
        for retry in retries where !retry.isUnsure { answer(retry, because: error) }
        retries.removeAll { !$0.isUnsure }
        tellWatchers()
        outbox.flush()
    }

    /// Lets the reader find out whether the server answers, and waits.
    func probe() {
        guard case .down(let error, _) = state else { return }
        isProbing = reader.post(.probe, isOwed: true) == .taken
        state = .down(error, retry: .now + ReconnectPause.longest)
    }

    func finishProbe(_ problem: EventLogError?) {
        isProbing = false
        guard case .down = state else { return }
        if let problem { stayDown(because: problem) } else { reconnect() }
    }

    private func stayDown(because error: EventLogError) {
        let isNews = availability != .unavailable(error)
        state = .down(error, retry: .now + pause.next())
        if isNews { tellWatchers() }
    }

    private func reconnect() {
        do throws(EventLogError) { try open() } catch { return stayDown(because: error) }
        let waiting = postponed
        postponed = []
        for (catchUp, progress) in waiting { attach(catchUp, progress) }
        nextRetry = .now
        // Attaching may have ended it again.
        if case .writing = state { tellWatchers() }
    }

    /// The session to use; nil if there is none. If the server has closed it since its last use, nothing was under way
    /// on it, and it is replaced without anyone noticing.
    func usableSession() -> DatabaseSession? {
        guard case .writing(let session) = state else { return nil }
        if session.isAlive() { return session }
        do throws(EventLogError) { return try open() } catch {
            goDown(because: error)
            return nil
        }
    }

    /// Moves to a new session. Checks followers and the run's fence before anything is written there, because it may be
    /// another server that has less.
    @discardableResult
    private func open() throws(EventLogError) -> DatabaseSession {
        let session = try connector.openSession()
        pause.noteConnected()
        if let problem = try checkFollowers(with: session) { throw problem }
        state = .writing(session)
        do throws(PostgreSQLError) {
            // Before watchers could hear that the log takes writes.
            if try session.isFenced() { becomeFenced() } else { try claimAgain(with: session) }
        } catch { throw error.whenReading }
        return session
    }

    /// Sends followers what was written in between, or that their stream has gone back.
    private func checkFollowers(with session: DatabaseSession) throws(EventLogError) -> EventLogError? {
        do throws(PostgreSQLError) {
            let last = try session.reader.lastPosition()
            if followed.isAllFollowed, last < followed.reached {
                let reason = "the log has gone back from position \(followed.reached) to \(last)"
                followed.fail(.all, .cannotRead(reason: reason), in: &outbox)
            }
        } catch { throw error.whenReading }
        return refresh(Set(followed.states.keys), with: session)
    }

    /// Nothing is written from here on, no matter what happens to the connection. What others write is still read.
    func becomeFenced() {
        guard !isFenced else { return }
        counters.failures.add()
        tellWatchers(.unavailable(.fenced))
        isFenced = true
        for retry in retries { answer(retry, because: .fenced) }
        retries = []
        outbox.flush()
    }

    private func tellWatchers() { if !isFenced { tellWatchers(availability) } }

    private func tellWatchers(_ availability: Availability) {
        for watcher in watchers { outbox.add(.availability(availability), to: watcher) }
    }
}
