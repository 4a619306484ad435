import EventStore
import Games
import Records
import RoomRules

// How a decision goes to the log, and what happens if it cannot.
extension RoomHome {
    /// Appends what the room does by itself.
    func appendOwn(_ decision: Decision) {
        append(decision, for: nil)
        if writer.isIdle { _ = endFaultyGame() }
    }

    /// Everything that goes into the log was first read back and folded. What would not fit ends its game.
    func append(_ decision: Decision, for request: RoomRequest?) {
        do throws(GameFault) { try write(decision, for: request) } catch { gameFailed(error, at: request) }
    }

    private func write(_ decision: Decision, for request: RoomRequest?) throws(GameFault) {
        try decision.write()
        if !surroundings.unreadable.isEmpty,
            let type = decision.firstEvent(in: surroundings.unreadable, after: stream.state.kind)
        {
            refuse(request, .olderNode(type))
            // The room's own action comes before all that waits, and is tried again later.
            if request == nil { refuseWaiting(because: .olderNode(type)) }
            computers.forgetRequests(in: self)
            return armTimer()
        }
        let ticket = surroundings.log.ticket(for: self)
        let commit = writer.start(decision, for: request, to: stream, by: surroundings.run, ticket)
        surroundings.append(commit, ticket: ticket)
    }

    /// The log's answer to an append. It comes after the records of that append.
    private func appendSettled(_ answer: AppendAnswer, ticket: Ticket) {
        guard let append = writer.settle(ticket) else { return }
        surroundings.log.closeTicket(ticket)
        defer { leaveIfSettled() }
        switch answer {
        // The records come first, unless the room is being read again, or another append wrote them before.
        case .appended(let version), .repeated(let version):
            if stream.state.version < version {
                writer.hold(append, until: version)
            } else if let request = append.request {
                if case .appended = answer { surroundings.countBroadcast(of: request) }
                self.answer(request, .done(version: version))
            }
            // No records follow a repeated commit.
            computers.noteWhoIsAwaited()
        case .conflict(_, let actual):
            guard stream.state.version >= actual.version else {
                writer.hold(append, until: actual.version)
                break
            }
            putBack(append.request)
            if stream.state.end != actual { return stream.goneBack() }
        case .unavailable(let error):
            // The next home may still write.
            guard !isBeingLeft else { return putBack(append.request) }
            let rejection = Rejection(error)
            refuse(append.request, rejection)
            refuseWaiting(because: rejection)
            computers.forgetRequests(in: self)
            return armTimer()
        case .claimed:
            // Its clients send it again, to the room's home.
            surroundings.homeLost?(stream.code)
            return
        case .renewed:
            refuse(append.request, .logUnavailable)
            computers.forgetRequests(in: self)
            return armTimer()
        case .outcomeUnknown:
            putBack(append.request)
            // They see nothing while the stream is read, and are hired again after that.
            computers.dismissAll()
            if !isBeingLeft { stream.readAgain() }
            return
        }
        judgeWaiting()
        armTimer()
    }

    /// These records are in the log, and in the state.
    func recordsAppended(_ records: [Record]) {
        if stream.isAwake, !isBeingLeft { computers.update(records, in: self) }
        if stream.state.phase != .dealing { queue.resume() }
        if let append = writer.release(at: stream.state.version) { putBack(append.request) }
        // The answer to an append of its own comes next, and with it the room continues.
        if writer.isUnderWay { return }
        judgeWaiting()
        armTimer()
    }

    /// The request is judged again before all others. The clock and computers are asked again instead, since their
    /// answer may differ now.
    func putBack(_ request: RoomRequest?) {
        if let request, request.asker.move == nil { queue.addFirst(request) } else { clock.isDue = true }
    }

    /// Refuses the request, and ends the game before anything else is judged.
    func gameFailed(_ fault: GameFault, at request: RoomRequest?) {
        faults.add(fault, in: stream.state, surroundings)
        refuse(request, .gameFault(fault))
    }

    /// Ends a game that has a fault. It is tried again until the log takes it. False if there is none.
    func endFaultyGame() -> Bool {
        guard faults.mustEndGame, let end = faults.endGame(in: stream.state, clock.context) else {
            return false
        }
        do throws(GameFault) { try write(end, for: nil) } catch {
            stream.fail("its game has a fault and cannot be ended: \(error.reason)")
        }
        return true
    }
}

extension RoomHome: LogClient {
    func logSent(_ message: LogMessage, ticket: Ticket) {
        switch message {
        case .settled(_, let answer): appendSettled(answer, ticket: ticket)
        case .loaded(_, let result):
            surroundings.log.closeTicket(ticket)
            if computers.loaded(result, ticket: ticket) { armTimer() }
        default: break
        }
    }
}
