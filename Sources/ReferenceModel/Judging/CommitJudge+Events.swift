import Games
import JSON

// What the events of a commit must be.
extension CommitJudge {
    /// Whether the commit was right for the players connected at its time.
    func holdsWhenJudged(_ cause: Cause, _ events: [RoomEvent]) -> Bool {
        room.attendances(since: events[0].time).contains { earlier in
            var judge = self
            judge.attendance = earlier
            return judge.fault(cause, events) == nil
        }
    }

    /// Checks that only what is committed to is sealed: a seed, or a part of a game's event.
    func checkCommitment(_ event: RoomEvent) {
        let isPromise = event.type == "room-opened" || event.type == "game-ended"
        let promised = isPromise ? event.json["commitment"]?.string : nil
        expect(
            event.sealed.map { RoomFold.digest(of: $0) } == promised ?? event.json["seal"]?.string,
            "only what is committed to is sealed", "\(event.json)")
        guard let promised, !room.former.isEmpty else { return }
        expect(!room.log.lostCommitments.contains(promised), "a lost seed is followed by another one", "\(event.json)")
    }

    /// The fault of the commit; nil if there is none.
    func fault(_ cause: Cause, _ events: [RoomEvent]) -> BrokenPromise? {
        switch cause {
        case .opening(let player):
            guard events.count == 1, events[0].type == "room-opened" else {
                return BrokenPromise("a room begins with room-opened", "\(events.map(\.json))")
            }
            return room.context.openings.roomOpened(events[0].json, room.code, by: player)
        case .commands(let commands, let player):
            var first: BrokenPromise?
            for command in commands {
                guard let fault = fault(of: command, by: player, events) else { return nil }
                if first == nil { first = fault }
            }
            return first
        case .computer(let seat): return faultOfComputer(seat, events)
        case .room: return faultOfRoom(events, at: events[0].time)
        case .other: return nil
        }
    }

    private func fault(of command: AskedCommand, by player: String, _ events: [RoomEvent]) -> BrokenPromise? {
        let verdict = fold.verdict(on: command.message, by: player, attendance, at: events[0].time)
        guard case .events(let expected) = verdict, !expected.isEmpty else {
            return BrokenPromise(
                "nothing forbidden is done", "\(command.message) by \(player): \(verdict), but \(events.map(\.json))")
        }
        let leaves = command.type == "leave" && player == fold.host
        return difference(expected, events, hostLeaves: leaves).map {
            BrokenPromise("a command has the result in the protocol", "\(command.message) by \(player): \($0)")
        }
    }

    private func faultOfComputer(_ seat: Int, _ events: [RoomEvent]) -> BrokenPromise? {
        let time = events[0].time
        guard fold.hasComputer(at: seat), fold.status == .running, let running = fold.running else {
            return BrokenPromise("a computer only moves at its own seats", "seat \(seat): \(events.map(\.json))")
        }
        let moves = running.legalMoves(of: seat).lazy.compactMap { running.decide($0, by: seat, at: time) }
        guard let move = moves.first(where: { Expected($0[0]).difference(from: events[0]) == nil }) else {
            return BrokenPromise("a computer makes legal moves", "seat \(seat): \(events.map(\.json))")
        }
        return difference(running.expected(move, at: time, gone: fold.gone(attendance, at: time)), events).map {
            BrokenPromise("a computer's move has the result in the rules", "seat \(seat): \($0)")
        }
    }

    /// By seat, how much later players may have gone. A room that has slept knows only that they were absent when it
    /// woke.
    private func wakeful(at time: Int) -> [Int: ClosedRange<Int>] {
        if room.context.isCluster {
            // The home learns of it from another hub, or starts counting when it becomes the home. Its clock may lag.
            let gone = fold.gone(attendance, at: time)
            return Dictionary(
                uniqueKeysWithValues: gone.map { ($0.seat, -room.context.clockSpread...max(0, time - $0.since)) })
        }
        guard let touchedAt = room.touchedAt else { return [:] }
        let woken = attendance.counted(from: touchedAt)
        var spans: [Int: ClosedRange<Int>] = [:]
        for absence in fold.gone(attendance, at: time) {
            guard let since = fold.seats[absence.seat].player.flatMap(woken.absence) else { continue }
            spans[absence.seat] = 0...since - absence.since
        }
        return spans
    }

    /// The difference between a commit, with what follows from it, and `expected`; nil if there is none.
    func difference(
        _ expected: [Expected], _ events: [RoomEvent], hostLeaves: Bool = false, isTimeUp: Bool = false
    ) -> String? {
        let time = events[0].time
        var after = fold
        var (rest, waitsForHost, isSettling) = (expected[...], hostLeaves, false)
        for event in events {
            if rest.isEmpty, !isSettling {
                rest = after.settlement(isTimeUp: isTimeUp, attendance, at: time)[...]
                isSettling = true
            }
            if waitsForHost, event.type == "host-changed" {
                guard event.json["player"]?.string == after.successor(attendance) else {
                    return "\(event.json) instead of \(after.successor(attendance) ?? "no one")"
                }
                waitsForHost = false
            } else if let next = rest.popFirst() {
                if let difference = next.difference(from: event, later: wakeful(at: time)) {
                    return "\(difference), in \(event.json)"
                }
            } else {
                return "\(event.json) should not be there"
            }
            do throws(BrokenPromise) { try after.apply(event) } catch { return "\(error)" }
            // The game's own opening follows.
            if event.type == "game-started", let running = after.running {
                rest = running.expected(running.dealt.openingSteps(at: time), at: time, gone: []) + rest
            }
        }
        if rest.isEmpty, !isSettling { rest = after.settlement(isTimeUp: isTimeUp, attendance, at: time)[...] }
        if let next = rest.first { return "\(next.type) is missing after \(events.map(\.json))" }
        if waitsForHost, after.status != .closed, let successor = after.successor(attendance) {
            return "host-changed to \(successor) is missing after \(events.map(\.json))"
        }
        return nil
    }
}
