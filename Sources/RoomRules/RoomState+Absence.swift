import Games

// What happens to a game while players are gone who have not left it (`ProtocolProposals.md`, "Players who are gone").
extension RoomState {
    /// A game of several that waits without a deadline ends when none of them has been connected for this long.
    static let desertion: Milliseconds = 3_600_000
    /// A game of one person, alone or with computers, waits this long after its last event.
    static let waitForOne: Milliseconds = 86_400_000
    /// A room that no one has used for this long is closed, which reveals its last seed.
    static let expiry: Milliseconds = 30 * 86_400_000
    /// With turns of this many seconds or more players come and go, and no one misses them in between.
    static let longTurn = 3_600

    /// Whether the newest game has several people and turns of an hour or more. Then only the turns' time decides,
    /// however long everyone is gone.
    var hasLongTurns: Bool { !isForOne && lastStart?.options["turnTime"]?.integer ?? 0 >= Self.longTurn }

    /// Whether the newest game has one person, alone or with computers.
    var isForOne: Bool { lastStart?.players.count { !isComputer($0.player) } == 1 }

    /// When the room must act because of who is connected or absent; nil if never. With `keepsHost` it continues
    /// without a new host.
    public func absenceDeadline(_ attendance: Attendance, keepsHost: Bool) -> Milliseconds? {
        earlier(keepsHost ? nil : hostIsMissedAt(attendance), earlier(desertedAt(attendance), expiresAt(attendance)))
    }

    /// What follows from the absence of the host or of all players; nil before `absenceDeadline`.
    public func decideAbsence(_ context: DecisionContext, keepsHost: Bool) -> Decision? {
        let (now, attendance) = (context.now, context.attendance)
        guard let due = absenceDeadline(attendance, keepsHost: keepsHost), due <= now else { return nil }
        let decision = Decision(on: self, context)
        if !keepsHost, let handedOn = replaceHost(context) {
            decision.add(handedOn)
        } else if let due = desertedAt(attendance), due <= now {
            decision.desert()
        } else if let due = expiresAt(attendance), due <= now {
            decision.close()
        }
        return decision.isEmpty ? nil : decision
    }

    /// Whether nothing would be lost or late if the room slept until `time`.
    public func maySleep(until time: Milliseconds, _ attendance: Attendance) -> Bool {
        // A game of several without a timer remembers who has left, until an hour after the last of them.
        guard phase != .running || deadline != nil || isForOne || hasLongTurns else { return false }
        return earlier(deadline, desertedAt(attendance)).map { $0 > time } ?? true
    }

    private func hostIsMissedAt(_ attendance: Attendance) -> Milliseconds? {
        guard phase != .closed, let since = attendance.goneSince(host), successor(attendance) != nil else { return nil }
        return since + Attendance.absence
    }

    private func desertedAt(_ attendance: Attendance) -> Milliseconds? {
        guard phase == .running, deadline == nil, !hasLongTurns else { return nil }
        var latest: Milliseconds?
        for player in playing.values {
            guard let since = attendance.goneSince(player) else { return nil }
            // A computer has no connection, and is never missed.
            if !isComputer(player) { latest = max(latest ?? since, since) }
        }
        return latest.map { gone in
            isForOne ? max(usedAt + Self.waitForOne, gone + Attendance.absence) : gone + Self.desertion
        }
    }

    private func expiresAt(_ attendance: Attendance) -> Milliseconds? {
        guard attendance.isEmpty, phase != .closed, phase != .unopened else { return nil }
        return time + Self.expiry
    }

    /// In a game with a turn timer that others have played to its end, an absent player counts as having left, unless a
    /// computer plays for the player. Any other `result` stays as it is.
    func leftIfAbsent(_ result: PlayerResult, _ context: DecisionContext) -> PlayerResult {
        guard let turnTime = lastStart?.options["turnTime"]?.integer, (1..<Self.longTurn).contains(turnTime), !isForOne,
            let player = playing[result.seat], !isComputer(player), !isHelped(result.seat),
            context.attendance.isAbsent(player, at: context.now), let gone = context.attendance.goneSince(player)
        else { return result }
        // Both leave out the time in which the room could not be played.
        return result.leftEarly(after: max(0, result.time - (context.now - gone)))
    }
}

extension PlayerResult {
    fileprivate func leftEarly(after time: Milliseconds) -> PlayerResult {
        PlayerResult(seat: seat, score: score, figures: figures, time: time, isLeftEarly: true, place: place)
    }
}
