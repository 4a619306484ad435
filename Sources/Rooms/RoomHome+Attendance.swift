import Games
import RoomRules

// What depends on who is connected: who is host, games that all players have left, and rooms that nobody uses, which
// sleep and are closed one day.
extension RoomHome {
    /// What follows from the absence of the host or of all players; nil before `attendanceDeadline`.
    func decisionOfAbsence() -> Decision? {
        guard let due = attendanceDeadline, due <= stream.now else { return nil }
        let decision = Decision(on: stream.state, context(at: stream.now))
        if mayReplaceHost, let handedOn = stream.state.replaceHost(decision.context) {
            decision.add(handedOn)
        } else if let due = desertedAt, due <= stream.now {
            decision.desert()
        } else if let due = expiresAt, due <= stream.now {
            decision.close()
        }
        return decision.isEmpty ? nil : decision
    }

    /// When the room must act because of who is connected or absent; nil if never.
    var attendanceDeadline: Milliseconds? { earlier(hostIsMissedAt, earlier(desertedAt, expiresAt)) }

    /// Not while another node could not read the event. The room continues without a new host.
    private var mayReplaceHost: Bool { !surroundings.unreadable.contains(HostChanged.type) }

    private var hostIsMissedAt: Milliseconds? {
        guard stream.state.phase != .closed, mayReplaceHost, let since = attendance.goneSince(stream.state.host),
            stream.state.successor(attendance) != nil
        else { return nil }
        return since + Attendance.absence
    }

    private var desertedAt: Milliseconds? {
        guard stream.state.phase == .running, stream.state.deadline == nil, !stream.state.hasLongTurns else {
            return nil
        }
        var latest: Milliseconds?
        for player in stream.state.playing.values {
            guard let since = attendance.goneSince(player) else { return nil }
            // A computer has no connection, and is never missed.
            if !stream.state.isComputer(player) { latest = max(latest ?? since, since) }
        }
        return latest.map { gone in
            stream.state.isForOne
                ? max(stream.state.usedAt + RoomState.waitForOne, gone + Attendance.absence)
                : gone + RoomState.desertion
        }
    }

    private var expiresAt: Milliseconds? {
        guard attendance.isEmpty, stream.state.phase != .closed, stream.state.phase != .unopened else { return nil }
        return stream.state.time + RoomState.expiry
    }

    /// Whether nothing would be lost or late if the room slept.
    var maySleep: Bool {
        // Asked of each room again and again. This settles most of them.
        guard stream.now - attendance.emptySince >= surroundings.limits.sleepAfter else {
            return false
        }
        // A game of several without a timer remembers who has left, until an hour after the last of them.
        let state = stream.state
        guard state.phase != .running || state.deadline != nil || state.isForOne || state.hasLongTurns,
            !computers.isTheirTurn
        else { return false }
        let due = earlier(stream.state.deadline, desertedAt)
        return due.map { $0 > stream.now + surroundings.limits.wakeAhead } ?? true
    }
}
