extension RoomFold {
    private static let hostCommands: Set = [
        "options", "visibility", "start", "bot", "free", "mute", "ban", "close",
    ]
    private static let waitingCommands: Set = ["leave", "bot", "free", "ban", "close"]

    /// The required result of a command in this state. `player` is nil for someone without a name here.
    func verdict(
        on command: JSON, by player: String?, _ attendance: Attendance, at time: Int
    ) -> CommandVerdict {
        guard let type = command["type"]?.text else { return .refused(["bad-field"]) }
        var reasons: Set<String> = []
        // Those who are still connected may keep talking.
        if status == .closed, type != "say", type != "react" { reasons.insert("room-closed") }
        guard let player else {
            let any: Set = ["no-name", "unknown-token", "hello-first", "unknown-type", "bad-field"]
            return .refused(reasons.union(any))
        }
        if banned.contains(player) { reasons.insert("banned") }
        if Self.hostCommands.contains(type), player != host { reasons.insert("not-host") }
        let verdict = self.verdict(on: command, type, by: player, attendance, at: time)
        guard !reasons.isEmpty else { return verdict }
        if case .refused(let others) = verdict { return .refused(reasons.union(others)) }
        return .refused(reasons)
    }

    private func verdict(
        on command: JSON, _ type: String, by player: String, _ attendance: Attendance, at time: Int
    ) -> CommandVerdict {
        if status == .dealing, Self.waitingCommands.contains(type) { return .waits }
        switch type {
        case "sit": return sit(command, by: player)
        case "leave":
            guard let seat = seat(of: player) else { return .refused(["not-seated"]) }
            return .events(leave(seat, reason: "left", attendance, at: time))
        case "options": return changeOptions(command)
        case "visibility": return show(command)
        case "start": return start(attendance, at: time)
        case "propose": return propose(command, by: player, attendance, at: time)
        case "answer": return answer(command, by: player)
        case "ready": return ready(command, by: player)
        case "bot": return bot(command, attendance, at: time)
        case "free": return free(command, attendance, at: time)
        case "mute", "ban": return list(command, as: type, attendance, at: time)
        case "close": return .events(close(attendance, at: time))
        case "say", "react": return muted.contains(player) ? .refused(["muted", "bad-field"]) : .unrecorded
        default: return play(command, type, by: player, attendance, at: time)
        }
    }

    private func play(
        _ command: JSON, _ type: String, by player: String, _ attendance: Attendance, at time: Int
    ) -> CommandVerdict {
        guard GameCommand.types.contains(type) else { return .refused(["unknown-type"]) }
        guard let move = GameCommand(command) else {
            return .refused(["bad-field", "unknown-type", "not-running", "dealing", "not-seated", "not-your-turn"])
        }
        let seat = seat(of: player)
        guard status == .running, let running else {
            if move == .here { return .events([]) }
            return .refused(["not-running", "dealing", "not-seated", "unknown-type"])
        }
        guard let seat, plays(seat) else {
            return move == .here ? .events([]) : .refused(["not-seated", "unknown-type"])
        }
        switch running.verdict(on: move, by: seat, at: time, gone: gone(attendance, at: time)) {
        case .refused(let code, _): return .refused(move.isOf(game) ? [code] : [code, "unknown-type", "bad-field"])
        case .events(let events): return .events(events.map(Expected.play))
        }
    }
}

extension GameCommand {
    fileprivate func isOf(_ game: String) -> Bool {
        switch self {
        case .flip, .shuffle: game == "memory"
        case .place: game == "reversi"
        case .drop: game == "connect-four"
        case .resign: game != "memory"
        case .here: true
        }
    }
}
