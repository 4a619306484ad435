import Games
import JSON

extension RoomFold {
    private static let hostCommands: Set = ["options", "visibility", "start", "bot", "free", "mute", "ban", "close"]
    private static let waitingCommands: Set = ["leave", "bot", "free", "ban", "close"]

    /// The required result of a command in this state. `player` is nil for someone without a name here.
    func verdict(on command: Value, by player: String?, _ attendance: Attendance, at time: Int) -> CommandVerdict {
        guard let type = command["type"]?.string else { return .refused(["bad-field"]) }
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
        on command: Value, _ type: String, by player: String, _ attendance: Attendance, at time: Int
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
        case "close": return .events(close(at: time))
        case "here": return here(player, attendance, at: time)
        case "say", "react": return muted.contains(player) ? .refused(["muted", "bad-field"]) : .unrecorded
        default: return play(command, type, by: player, attendance, at: time)
        }
    }

    private func play(
        _ command: Value, _ type: String, by player: String, _ attendance: Attendance, at time: Int
    ) -> CommandVerdict {
        // What a game does not know, or cannot read, is refused for that or for anything else.
        let unread: Set = ["unknown-type", "bad-field"]
        guard let kind, kind.hasCommand(type) else { return .refused(["unknown-type"]) }
        guard status == .running, let running else {
            return .refused(unread.union(["not-running", "dealing", "not-seated"]))
        }
        guard let seat = seat(of: player), plays(seat) else { return .refused(unread.union(["not-seated"])) }
        do throws(Rejection) {
            let steps = try running.decide(command, by: seat, at: time) ?? []
            return .events(running.expected(steps, at: time, gone: gone(attendance, at: time)))
        } catch { return .refused([error.code]) }
    }

    /// A player who is there is not away any longer.
    private func here(_ player: String, _ attendance: Attendance, at time: Int) -> CommandVerdict {
        .events(seat(of: player).map { coming(back: $0, at: time, attendance) } ?? [])
    }
}
