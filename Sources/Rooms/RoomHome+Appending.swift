import EventStore
import Games
import Records
import RoomRules

/// An append on its way to the log.
final class PendingAppend {
    enum Cause {
        case request(RoomRequest)
        /// The clock or an absence. If this is not written, the room asks both again.
        case room
    }

    let cause: Cause
    let ticket: Ticket
    let decision: Decision

    init(cause: Cause, ticket: Ticket, decision: Decision) {
        (self.cause, self.ticket, self.decision) = (cause, ticket, decision)
    }
}

// How a decision goes to the log, and what happens if it cannot.
extension RoomHome {
    /// What is on its way to the log; nil if nothing is.
    var decisionUnderWay: Decision? { if case .underWay(let append) = writing { append.decision } else { nil } }

    /// Appends what the room does by itself.
    func appendOwn(_ decision: Decision) {
        append(decision, for: .room)
        if case .nothing = writing { _ = endFaultyGame() }
    }

    /// `events` as a decision made now; nil if there are none.
    func decided(_ events: [RoomEvent]) -> Decision? {
        guard !events.isEmpty else { return nil }
        let decision = Decision(on: stream.state, context(at: stream.now))
        decision.add(events)
        return decision
    }

    /// Everything that goes into the log was first read back and folded. What would not fit ends its game.
    func append(_ decision: Decision, for cause: PendingAppend.Cause) {
        do throws(GameFault) { try write(decision, for: cause) } catch { gameFailed(error, at: cause) }
    }

    private func write(_ decision: Decision, for cause: PendingAppend.Cause) throws(GameFault) {
        try decision.write()
        if !surroundings.unreadable.isEmpty, let type = firstUnreadable(of: decision) {
            return wait(with: cause, because: .olderNode(type))
        }
        let commit = Commit(
            id: id(of: cause), appending: decision.written, to: stream.name, expecting: stream.state.end)
        let ticket = surroundings.ticket(for: self)
        writing = .underWay(PendingAppend(cause: cause, ticket: ticket, decision: decision))
        surroundings.append(commit, ticket: ticket)
    }

    /// The first event of the decision that another node could not read; nil if there is none.
    private func firstUnreadable(of decision: Decision) -> String? {
        if let type = decision.written.lazy.map(\.type).first(where: surroundings.unreadable.contains) { return type }
        // The decision chooses another game.
        guard let kind = decision.state.kind, kind.name != stream.state.kind?.name else { return nil }
        return kind.eventTypes.first(where: surroundings.unreadable.contains)
    }

    /// Refuses the request. If the room itself wanted to act, it tries again later.
    private func wait(with cause: PendingAppend.Cause, because rejection: Rejection) {
        refuse(cause, rejection)
        // The room's own action comes before everything that waits.
        if case .room = cause { refuseWaiting(because: rejection) }
        computers.forgetRequests()
    }

    private func id(of cause: PendingAppend.Cause) -> CommitID {
        let run = surroundings.run
        guard case .request(let request) = cause else { return .room(after: stream.state.version, run: run) }
        if let move = request.asker.move { return .computer(at: move.seat, version: move.version, run: run) }
        return request.commit ?? .room(after: stream.state.version, run: run)
    }

    /// The log's answer to an append. It comes after the records of that append.
    func settled(_ answer: AppendAnswer, ticket: Ticket) {
        guard case .underWay(let append) = writing, append.ticket == ticket else { return }
        surroundings.end(ticket)
        writing = .nothing
        defer { leaveIfIdle() }
        switch answer {
        // The records come first, unless the room is being read again, or another append wrote them before.
        case .appended(let version), .repeated(let version):
            if stream.state.version < version {
                writing = .overtaken(append, by: version)
            } else if case .request(let request) = append.cause {
                if case .appended = answer { surroundings.broadcast(request) }
                self.answer(request, .done(version: version))
            }
        case .conflict(_, let actual):
            if stream.state.version < actual.version {
                writing = .overtaken(append, by: actual.version)
            } else if stream.state.end == actual {
                putBack(append.cause)
            } else {
                putBack(append.cause)
                return stream.goneBack()
            }
        case .unavailable(let error):
            // The next home may still write.
            guard whenLeft == nil else { return putBack(append.cause) }
            let rejection = Rejection(error)
            refuse(append.cause, rejection)
            refuseWaiting(because: rejection)
            computers.forgetRequests()
            return armTimer()
        case .claimed:
            // Its clients send it again, to the room's home.
            surroundings.homeLost?(stream.code)
            return
        case .renewed:
            refuse(append.cause, .logUnavailable)
            return armTimer()
        case .outcomeUnknown:
            putBack(append.cause)
            // They see nothing while the stream is read, and are hired again after that.
            computers.dismissAll()
            if whenLeft == nil { stream.readAgain() }
            return
        }
        proceed()
        armTimer()
    }

    func leaveIfIdle() {
        guard let whenLeft else { return }
        switch writing {
        case .underWay: return
        case .overtaken(let append, _): putBack(append.cause)
        case .nothing: break
        }
        writing = .nothing
        self.whenLeft = nil
        whenLeft(queue.takeAll())
    }

    /// The request is judged again before all others. The clock and computers are asked again instead, since their
    /// answer may differ now.
    func putBack(_ cause: PendingAppend.Cause) {
        switch cause {
        case .request(let request) where request.asker.move == nil: queue.addFirst(request)
        case .request, .room: clockIsDue = true
        }
    }

    func refuse(_ cause: PendingAppend.Cause, _ rejection: Rejection) {
        switch cause {
        case .request(let request): refuse(request, rejection)
        case .room: surroundings.counters.refused(rejection)
        }
    }

    /// Refuses the request, and ends the game before anything else is judged. Nothing of what it did is in the log. A
    /// game that has not begun does not end.
    func gameFailed(_ fault: GameFault, at cause: PendingAppend.Cause) {
        surroundings.counters.gameFaults.add(1)
        // Logged once for each version, since the same may be asked for again and again.
        if loggedFault != fault.version {
            loggedFault = fault.version
            surroundings.loggers.rooms.error(
                "a game did what cannot be recorded",
                metadata: [
                    "room": "\(stream.state.code)", "game": "\(stream.state.kind?.name ?? "")",
                    "version": "\(fault.version)", "event": "\(fault.event ?? "none")", "reason": "\(fault.reason)",
                ])
        }
        refuse(cause, .gameFault(fault))
        mustEndGame = stream.state.isInGame || stream.state.proposal != nil
    }

    /// Ends a game that has a fault, or the proposal of one that cannot be dealt. It is tried again until the log takes
    /// it. False if there is none.
    func endFaultyGame() -> Bool {
        guard mustEndGame, stream.state.isInGame || stream.state.proposal != nil else {
            mustEndGame = false
            return false
        }
        let end = Decision(on: stream.state, context(at: stream.now))
        if stream.state.isInGame { end.endByFault() } else { end.add(ProposalEnded(reason: .expired)) }
        do throws(GameFault) { try write(end, for: .room) } catch {
            stream.fail("its game has a fault and cannot be ended: \(error.reason)")
        }
        return true
    }
}
