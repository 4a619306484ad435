import JSON

// Results of commands about seats.
extension RoomFold {
    /// How long a player must be absent before others may decide, in ms.
    static let absence = 60_000

    /// The players of the running game who have been disconnected long enough to count as absent.
    func gone(_ attendance: Attendance, at time: Int) -> [Absence] {
        seats.indices.filter(plays).compactMap { seat in
            guard seats[seat].bot == nil, let player = seats[seat].player,
                let since = attendance.absence(of: player), time - since >= Self.absence
            else { return nil }
            return Absence(seat: seat, since: since)
        }
    }

    func isGone(_ seat: Int, _ attendance: Attendance, at time: Int) -> Bool {
        seats[seat].player.map { isGone($0, attendance, at: time) } ?? false
    }

    func isGone(_ player: String, _ attendance: Attendance, at time: Int) -> Bool {
        attendance.absence(of: player).map { time - $0 >= Self.absence } ?? false
    }

    func isAway(_ seat: Int) -> Bool { status == .running && running?.isAway(seat) == true }

    /// `seat` and `commitment` as given; nil if they have the wrong type.
    func sit(_ command: Value, by player: String) -> CommandVerdict {
        let (asked, promised) = (command.given("seat"), command.given("commitment"))
        guard asked == nil || asked?.integer != nil, promised?.string?.isDigest ?? (promised == nil) else {
            return .refused(["bad-field"])
        }
        // In a game without a draw no one takes part in one.
        let commitment = self.commitment == nil ? nil : promised
        var reasons: Set<String> = []
        if status == .dealing { reasons.insert("dealing") }
        let own = seat(of: player)
        let target = asked?.integer ?? own ?? seats.firstIndex { $0.player == nil }
        guard let target else { return .refused(reasons.union(["room-full"])) }
        guard seats.indices.contains(target) else { return .refused(reasons.union(["no-such-seat"])) }
        if let holder = seats[target].player, holder != player { reasons.insert("seat-taken") }
        if let own, own != target, status == .running { reasons.insert("game-running") }
        guard reasons.isEmpty else { return .refused(reasons) }

        // A player who moves to another seat keeps the commitment.
        let kept = commitment ?? own.flatMap { seats[$0].commitment }.map(Value.string)
        let taken = Expected("seat-taken", ["seat": .integer(target), "player": .string(player), "commitment": kept])
        guard let own else { return .events([taken]) }
        if own != target {
            let freed = Expected("seat-freed", ["seat": .integer(own), "player": .string(player), "reason": "left"])
            return .events([freed, taken])
        }
        return .events(
            status == .running || commitment == nil || commitment?.string == seats[own].commitment ? [] : [taken])
    }

    func leave(_ seat: Int, reason: String, _ attendance: Attendance, at time: Int) -> [Expected] {
        guard plays(seat), let running else {
            return [
                Expected(
                    "seat-freed",
                    ["seat": .integer(seat), "player": .string(seats[seat].player ?? ""), "reason": .string(reason)])
            ]
        }
        return running.leaving(seat, reason: reason, at: time, gone: gone(attendance, at: time))
    }

    func bot(_ command: Value, _ attendance: Attendance, at time: Int) -> CommandVerdict {
        guard let seat = command["seat"]?.integer, let level = command["level"]?.string else {
            return .refused(["bad-field"])
        }
        guard seats.indices.contains(seat) else { return .refused(["no-such-seat"]) }
        guard kind?.computerLevels.contains(level) != false else { return .refused(["unknown-value"]) }
        let holder = seats[seat]
        if holder.player == nil || holder.bot != nil {
            if holder.bot == level { return .events([]) }
            if plays(seat) { return .refused(["game-running", "player-there"]) }
            let taken = Expected(
                "seat-taken", ["seat": .integer(seat), "player": .string("bot-\(seat)"), "bot": .string(level)])
            return .events((holder.player == nil ? [] : leave(seat, reason: "freed", attendance, at: time)) + [taken])
        }
        guard plays(seat), holder.helped != nil || isAway(seat) || isGone(seat, attendance, at: time) else {
            return .refused(["player-there", "seat-taken", "game-running", "not-running"])
        }
        if holder.helped == level { return .events([]) }
        let helped = Expected("seat-helped", ["seat": .integer(seat), "level": .string(level)])
        // A player whom a computer plays for is not passed over.
        return .events([helped] + coming(back: seat, at: time, attendance))
    }

    /// The events when a seat is no longer away; empty if it was not away.
    func coming(back seat: Int, at time: Int, _ attendance: Attendance) -> [Expected] {
        guard isAway(seat), let running else { return [] }
        return running.expected(running.act(seat, at: time), at: time, gone: gone(attendance, at: time))
    }

    /// What is due in the running game. If a computer plays, the seat is back at once.
    func lapse(_ attendance: Attendance, at time: Int) -> [Expected] {
        guard let running else { return [] }
        var steps = running.dealt.wakeSteps(at: time)
        for seat in running.awaited where hasComputer(at: seat) {
            steps += running.applying(steps, at: time).act(seat, at: time)
        }
        return running.expected(steps, at: time, gone: gone(attendance, at: time))
    }

    func free(_ command: Value, _ attendance: Attendance, at time: Int) -> CommandVerdict {
        guard let seat = command["seat"]?.integer else { return .refused(["bad-field"]) }
        guard seats.indices.contains(seat) else { return .refused(["no-such-seat"]) }
        let holder = seats[seat]
        guard holder.player != nil else { return .refused(["seat-free"]) }
        if status == .running, holder.bot == nil, !isAway(seat), !isGone(seat, attendance, at: time) {
            return .refused(["player-there"])
        }
        return .events(leave(seat, reason: "freed", attendance, at: time))
    }

    /// `mute` and `ban`.
    func list(_ command: Value, as type: String, _ attendance: Attendance, at time: Int) -> CommandVerdict {
        let on = command.given("on")
        guard let player = command["player"]?.string, on == nil || on?.bool != nil else {
            return .refused(["bad-field"])
        }
        let isOn = on?.bool ?? true
        let players = type == "mute" ? muted : banned
        guard player != host, !player.hasPrefix("bot-") else { return .refused(["not-this-player"]) }
        guard players.contains(where: { $0.hasSameBytes(as: player) }) != isOn else { return .events([]) }
        if isOn, !names(player), !attendance.hasBeenHere(player) { return .refused(["not-been-here"]) }
        if isOn, players.count >= Self.listLimit { return .refused(["too-many"]) }
        let name = type == "mute" ? "player-muted" : "player-banned"
        var events = [Expected(name, ["player": .string(player), "on": .bool(isOn)])]
        if type == "ban", isOn, let seat = seat(of: player) {
            events += leave(seat, reason: "banned", attendance, at: time)
        }
        return .events(events)
    }

    /// Whether anything shown of the room names the player.
    private func names(_ player: String) -> Bool {
        player == host || muted.contains(player) || banned.contains(player) || seat(of: player) != nil
            || players.contains { $0["player"]?.string == player }
    }

    /// Most players who are muted, or banned.
    private static let listLimit = 100
}

extension String {
    /// Whether it is 64 hexadecimal digits in lower case.
    var isDigest: Bool { utf8.count == 64 && isHex }

    var isHex: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }
}
