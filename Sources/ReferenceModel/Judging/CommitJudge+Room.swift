import JSON

// What a room does by itself, because time is up or a player has come or gone.
extension CommitJudge {
    private static let day = 86_400_000

    func faultOfRoom(_ events: [RoomEvent], at time: Int) -> BrokenPromise? {
        let first = events[0].json
        let seat = first["seat"]?.integer ?? -1
        switch events[0].type {
        case "clock-extended": return events.count == 1 ? faultOfExtension(first) : tooMuch(events)
        case "host-changed": return faultOfHost(events, at: time)
        case "back":
            let expected = fold.coming(back: seat, at: time, attendance)
            if expected.isEmpty { return BrokenPromise("a seat that comes back was away", "\(events.map(\.json))") }
            return said(difference(expected, events))
        case "seat-returned":
            let isHelped = fold.seats.indices.contains(seat) && fold.seats[seat].helped != nil
            return only(events, isHelped, "a computer stops playing for a player")
        case "room-closed":
            let isDue = time - fold.time >= 30 * Self.day
            if !isDue { return BrokenPromise("nothing that is due comes early", "\(first)") }
            return said(difference(fold.close(at: time), events))
        case "game-ended" where first["reason"]?.string == "left": return faultOfAbsence(events, at: time)
        case "game-ended" where first["reason"]?.string == "fault":
            return BrokenPromise("a game does nothing that cannot be recorded", "\(events.map(\.json))")
        case "proposal-ended", "dealing", "game-started", "game-ended": return faultOfSettlement(events, at: time)
        default: return faultOfLapse(events, at: time)
        }
    }

    private func tooMuch(_ events: [RoomEvent]) -> BrokenPromise {
        BrokenPromise("a room does by itself what the protocol says", "\(events.map(\.json))")
    }

    private func said(_ difference: String?) -> BrokenPromise? {
        difference.map { BrokenPromise("a room does by itself what the protocol says", $0) }
    }

    private func only(_ events: [RoomEvent], _ isRight: Bool, _ rule: String) -> BrokenPromise? {
        events.count == 1 && isRight ? nil : BrokenPromise(rule, "\(events.map(\.json))")
    }

    private func faultOfHost(_ events: [RoomEvent], at time: Int) -> BrokenPromise? {
        let rule = "a host absent for 60 s is followed by the longest-seated connected player"
        guard events.count == 1 else { return tooMuch(events) }
        guard fold.isGone(fold.host, attendance, at: time + room.context.clockLag) else {
            let since = attendance.absence(of: fold.host).map { "gone since \($0)" } ?? "there"
            return BrokenPromise(rule, "\(events[0].json), and \(fold.host) is \(since)")
        }
        guard events[0].json["player"]?.string == fold.successor(attendance) else {
            return BrokenPromise(rule, "\(events[0].json), not \(fold.successor(attendance) ?? "nobody")")
        }
        return nil
    }

    private func faultOfAbsence(_ events: [RoomEvent], at time: Int) -> BrokenPromise? {
        guard fold.status == .running, let running = fold.running else { return tooMuch(events) }
        guard fold.isLeftAlone(attendance, at: time) else {
            return BrokenPromise("a waiting game ends as left when its time is up", "\(events[0].json)")
        }
        return said(difference([running.ending("left", at: time)], events))
    }

    private func faultOfSettlement(_ events: [RoomEvent], at time: Int) -> BrokenPromise? {
        if let dealing = fold.dealing {
            if !dealing.awaited.isEmpty, let early = early(dealing.deadline, at: time, events) { return early }
            return said(difference(fold.dealt(), events))
        }
        guard let proposal = fold.proposal else { return tooMuch(events) }
        let isTimeUp = time >= proposal.deadline
        let expected = fold.settlement(isTimeUp: isTimeUp, attendance, at: time)
        guard !expected.isEmpty else {
            return BrokenPromise("nothing that is due comes early", "\(events[0].json) before \(proposal.deadline)")
        }
        if isTimeUp, let early = early(proposal.deadline, at: time, events) { return early }
        return said(difference(expected, events))
    }

    private func faultOfLapse(_ events: [RoomEvent], at time: Int) -> BrokenPromise? {
        guard fold.status == .running, let running = fold.running else { return tooMuch(events) }
        guard let due = running.due else {
            return BrokenPromise("nothing that is due comes early", "\(events.map(\.json)), and nothing is due")
        }
        if let early = early(due, at: time, events) { return early }
        return said(difference(fold.lapse(attendance, at: time), events))
    }

    /// What is due at `deadline` has come earlier, or although an outage moves it on.
    private func early(_ deadline: Int, at time: Int, _ events: [RoomEvent]) -> BrokenPromise? {
        guard time >= deadline else {
            return BrokenPromise("nothing that is due comes early", "\(events[0].json) before \(deadline)")
        }
        let uncounted = room.outage(behind: fold, until: time, isKnown: true)
        guard uncounted <= room.context.clockLag || room.context.mayKnowLost else {
            return BrokenPromise(
                "time in which a room could not be played does not count",
                "\(events[0].json), and an outage of \(uncounted) ms is not counted")
        }
        return nil
    }

    private func faultOfExtension(_ event: Value) -> BrokenPromise? {
        let rule = "a clock is extended by the time in which the room could not be played"
        guard let span = event["ms"]?.integer, let until = event["until"]?.integer, span > 0 else {
            return BrokenPromise(rule, "\(event)")
        }
        let outage = room.outage(behind: fold, until: until)
        var known = room.outage(behind: fold, until: until, isKnown: true)
        // A node's last report about itself may be lost with the database.
        if room.context.mayKnowLost { known = 0 }
        let vacant =
            room.context.vacant.between(max(fold.time, fold.extendedUntil) - room.lead, until - room.lead)
            + room.context.databaseClockSteps
        // A new home whose clock lags may count some of it twice, but never too little.
        guard (known - room.context.clockLag...outage + room.context.clockSpread + vacant).contains(span) else {
            return BrokenPromise(rule, "\(event) instead of \(known) to \(outage) ms, of \(vacant) ms without a home")
        }
        return nil
    }
}

extension RoomFold {
    /// Whether the running game is abandoned: its only person has done nothing for 24 hours, or none of its several
    /// players has been connected for one hour.
    fileprivate func isLeftAlone(_ attendance: Attendance, at time: Int) -> Bool {
        let people = seats.indices.filter { plays($0) && seats[$0].bot == nil }
        if people.isEmpty { return true }
        let count = players.count { $0["bot"] == nil }
        if count == 1 { return time - usedAt >= 24 * 3_600_000 }
        // With short turns it also waits after all are marked away.
        guard running?.turnTime ?? 0 < GameFold.longTurn else { return false }
        return people.allSatisfy { seat in
            attendance.absence(of: seats[seat].player ?? "").map { time - $0 >= 3_600_000 } ?? false
        }
    }
}
