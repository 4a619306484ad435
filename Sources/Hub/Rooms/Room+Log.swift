import EventStore
import Games
import WebProtocols

// What the log says to a room: records, answers, and what went wrong.
extension Room: LogClient {
    func receive(_ message: LogMessage, ticket: Ticket) {
        switch message {
        case .records(_, let records): if ticket == followTicket { receive(records) }
        case .caughtUp: if ticket == followTicket { caughtUp() }
        case .followFailed(_, let error): if ticket == followTicket { followFailed(error) }
        case .settled(_, let answer): if ticket == inFlight?.ticket { settled(answer) }
        case .loaded(_, let result):
            if !loadedForComputer(result, ticket: ticket) { loaded(result, ticket: ticket) }
        case .players(_, let result):
            surroundings.end(ticket)
            // Without names the room still plays: its players show as "someone".
            named((try? result.get()) ?? [])
        case .rooms, .results, .reached, .erased, .availability: break
        }
    }
}

extension Room {
    /// Records that are durable, in order: the only way in which the state ever changes.
    private func receive(_ records: [Record]) {
        for record in records where record.version > state.version {
            do throws(RoomState.FoldError) { try state.apply(record) } catch {
                return fail("record \(record.version), \(record.event.type): \(error.sentence)")
            }
            let frame = Frame.text(record.event.shown)
            remember(record, frame)
            audience.broadcast(frame, now: surroundings.now)
            if Self.seatEvents.contains(record.event.type) {
                audience.presenceChanged(isNewName: record.event.type == "seat-taken")
            }
        }
        surroundings.counters.events.add(records.count)
        if life == .awake { updateComputers(records) }
        if state.phase != .dealing, !postponed.isEmpty {
            waiting = postponed + waiting
            postponed = []
        }
        if let conflict = conflicted, state.version >= conflict.version {
            conflicted = nil
            putBack(conflict.request)
        }
        proceed()
        armTimer()
    }

    private func remember(_ record: Record, _ frame: Frame) {
        // The room's own commits are never asked for again by a client.
        if !record.commit.hasPrefix(Self.ownPrefix), answered.updateValue(record.version, forKey: record.commit) == nil
        {
            answeredOrder.append(record.commit)
        }
        recent.append((record.version, record.hash, frame))
        // Twice the limit and then cut to it: so nothing is moved for most records.
        if answeredOrder.count > Self.recentLimit * 2 {
            for old in answeredOrder.prefix(Self.recentLimit) { answered[old] = nil }
            answeredOrder.removeFirst(Self.recentLimit)
        }
        if recent.count > Self.recentLimit * 2 { recent.removeFirst(Self.recentLimit) }
    }

    /// The log's answer to an append: it comes behind the records of that append.
    private func settled(_ outcome: AppendAnswer) {
        guard let (request, ticket) = inFlight else { return }
        surroundings.end(ticket)
        inFlight = nil
        switch outcome {
        case .appended(let version): answer(request, version)
        case .conflict(let actual):
            if state.version < actual {
                conflicted = (request, actual)
            } else {
                putBack(request)
            }
        case .unavailable:
            refuse(request, .logUnavailable)
            refuseWaiting()
            computers.forgetQuestions()
            return armTimer()
        case .outcomeUnknown:
            // Whether it was written is told by the stream itself: it is read before anything else is judged.
            surroundings.log.unfollow(followTicket, into: surroundings.inbox)
            surroundings.end(followTicket)
            putBack(request)
            life = .loading
            // They are told nothing while the stream is read: hired anew behind it.
            dismissComputers()
            follow()
            return
        }
        proceed()
        armTimer()
    }

    /// To be judged again before all others. What the room did of itself is asked of the clock anew: it may say
    /// something else by now.
    private func putBack(_ request: Request) {
        if request.commit.hasPrefix(Self.ownPrefix) {
            clockIsDue = true
        } else {
            waiting.insert(request, at: 0)
        }
    }

    /// The log takes nothing: whoever waits is told so at once, instead of one after the other.
    func refuseWaiting() {
        let refused = postponed + waiting
        postponed = []
        waiting = []
        for request in refused { refuse(request, .logUnavailable) }
        clockIsDue = true
    }

    /// The log takes writes again.
    func logIsBack() {
        mustFollowAgain = false
        if life == .loading {
            sleep()
            audience.presenceChanged()
            return follow()
        }
        computers.forgetQuestions()
        clockIsDue = true
        proceed()
        armTimer()
    }

    private func followFailed(_ error: EventLogError) {
        surroundings.end(followTicket)
        if case .chainBroken = error { return fail(error.sentence) }
        // Those who are in the room wait for the log to come back; who only asks about it is told that it is away.
        guard !surroundings.isLogDown else { return audience.members.isEmpty ? become(.unread) : () }
        failedReadings += 1
        guard failedReadings < Self.readingLimit else { return fail(error.sentence) }
        mustFollowAgain = true
        surroundings.timers.arm(timer, at: surroundings.now + Self.retryPause)
    }

    private func caughtUp() {
        guard life == .loading else { return }
        failedReadings = 0
        guard state.version > 0 else { return become(.absent) }
        life = .naming
        let ticket = surroundings.ticket(for: self)
        surroundings.projections.players(
            ids: Array(state.players), ticket: ticket, answer: surroundings.inbox)
    }

    private func named(_ rows: [PlayerRow]) {
        for row in rows { names[row.id] = row.name }
        guard life == .naming else { return }
        become(.awake)
        updateComputers([])
        clockIsDue = true
        proceed()
        armTimer()
    }
}
