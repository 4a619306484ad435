// Commits that are more than moves.
extension CommitJudge {
    func judgedSteps(_ cause: Cause) -> [TimedStep] {
        var steps: [TimedStep] = []
        var (jsons, last) = ([JSON](), fold.time)
        for event in events {
            guard let json = JSONParser.read(event.shown), json["v"]?.number == event.version,
                let time = json["t"]?.number, json["type"]?.text != nil,
                event.shown.eventVersion(from: 0) == event.version
            else {
                findings.note(
                    "an event is {v, t, type, ...}", "\(place): \(String(decoding: event.shown, as: UTF8.self))")
                return []
            }
            findings.expect(time >= last, "a room's times never go back", "\(place): \(time) after \(last)")
            last = time
            if case .other = cause {
            } else {
                room.context.checkTime(time, from: earliest(of: cause), lead: room.lead, place)
            }
            checkCommitment(event, json)
            jsons.append(json)
            steps.append(TimedStep(step: .other(json, sealed: event.sealed), time: time))
        }
        let time = steps[0].time
        if let fault = fault(cause, jsons, at: time), !holdsWhenJudged(cause, jsons, at: time) {
            findings.note(fault.rule, "\(place): \(fault.detail)")
        }
        return steps
    }

    /// Whether the commit was right for the players connected at its time.
    private func holdsWhenJudged(_ cause: Cause, _ jsons: [JSON], at time: Int) -> Bool {
        room.attendances(since: time).contains { earlier in
            var judge = self
            judge.attendance = earlier
            return judge.fault(cause, jsons, at: time) == nil
        }
    }

    /// Checks that only the committed seed is sealed.
    private func checkCommitment(_ event: LoggedEvent, _ json: JSON) {
        let type = json["type"]?.text
        let promised = type == "room-opened" || type == "game-ended" ? json["commitment"]?.text : nil
        findings.expect(
            event.sealed.map { RoomFold.digest(of: $0) } == promised, "only the committed seed is sealed",
            "\(place): \(json)")
        guard let promised, !room.former.isEmpty else { return }
        findings.expect(
            !room.log.lostCommitments.contains(promised), "a lost seed is followed by another one",
            "\(place): \(json)")
    }

    /// The fault of the commit; nil if there is none.
    private func fault(_ cause: Cause, _ jsons: [JSON], at time: Int) -> BrokenPromise? {
        switch cause {
        case .opening(let player):
            guard jsons.count == 1, jsons[0]["type"] == "room-opened" else {
                return BrokenPromise("a room begins with room-opened", "\(jsons)")
            }
            return room.context.openings.opened(jsons[0], room.code, by: player)
        case .commands(let commands, let player):
            var first: BrokenPromise?
            for command in commands {
                guard let fault = fault(of: command, by: player, jsons, at: time) else { return nil }
                if first == nil { first = fault }
            }
            return first
        case .computer(let seat): return faultOfComputer(seat, jsons, at: time)
        case .room: return faultOfRoom(jsons, at: time)
        case .other: return nil
        }
    }

    private func fault(of command: AskedCommand, by player: String, _ jsons: [JSON], at time: Int) -> BrokenPromise? {
        let verdict = fold.verdict(on: command.message, by: player, attendance, at: time)
        guard case .events(let expected) = verdict, !expected.isEmpty else {
            return BrokenPromise(
                "nothing forbidden is done", "\(command.message) by \(player): \(verdict), but \(jsons)")
        }
        let leaves = command.type == "leave" && player == fold.host
        return difference(expected, jsons, hostLeaves: leaves, at: time).map {
            BrokenPromise("a command has the result in the protocol", "\(command.message) by \(player): \($0)")
        }
    }

    private func faultOfComputer(_ seat: Int, _ jsons: [JSON], at time: Int) -> BrokenPromise? {
        guard fold.hasComputer(at: seat), let move = computersMove(jsons[0]), fold.status == .running,
            let running = fold.running
        else { return BrokenPromise("a computer only moves at its own seats", "seat \(seat): \(jsons)") }
        let verdict = running.verdict(on: move, by: seat, at: time, gone: fold.gone(attendance, at: time))
        guard case .events(let expected) = verdict else {
            return BrokenPromise("a computer makes legal moves", "seat \(seat): \(verdict), but \(jsons)")
        }
        return difference(expected.map(Expected.play), jsons, at: time).map {
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
        _ expected: [Expected], _ jsons: [JSON], hostLeaves: Bool = false, isTimeUp: Bool = false, at time: Int
    ) -> String? {
        var after = fold
        var (rest, waitsForHost) = (expected[...], hostLeaves)
        var isSettling = false
        for (index, json) in jsons.enumerated() {
            if rest.isEmpty, !isSettling {
                rest = after.settlement(isTimeUp: isTimeUp, attendance, at: time)[...]
                isSettling = true
            }
            if waitsForHost, json["type"] == "host-changed" {
                guard json["player"]?.text == after.successor(attendance) else {
                    return "\(json) instead of \(after.successor(attendance) ?? "no one")"
                }
                waitsForHost = false
            } else if let next = rest.popFirst() {
                if let difference = next.difference(from: json, later: wakeful(at: time)) {
                    return "\(difference), in \(json)"
                }
            } else {
                return "\(json) should not be there"
            }
            let version = events[index].version
            do throws(BrokenPromise) {
                try after.apply(.other(json, sealed: events[index].sealed), version: version, time: time)
            } catch { return "\(error)" }
        }
        if rest.isEmpty, !isSettling { rest = after.settlement(isTimeUp: isTimeUp, attendance, at: time)[...] }
        if let next = rest.first { return "\(next.type) is missing after \(jsons)" }
        if waitsForHost, after.status != .closed, let successor = after.successor(attendance) {
            return "host-changed to \(successor) is missing after \(jsons)"
        }
        return nil
    }
}
