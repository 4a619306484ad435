import JSON

/// Checks whether an answer to a command is true.
struct AnswerCheck: PlacedCheck {
    let connection: ConnectionModel
    let room: RoomModel
    /// The room's log, now or when the command was judged.
    let log: RoomLog
    let command: AskedCommand
    let findings: Findings

    init(
        _ connection: ConnectionModel, _ room: RoomModel, _ log: RoomLog, _ command: AskedCommand, _ findings: Findings
    ) {
        (self.connection, self.room, self.log) = (connection, room, log)
        (self.command, self.findings) = (command, findings)
    }

    /// Checks against the room's log now, or before it went back, since the hub may not know of that yet.
    static func run(
        _ check: (AnswerCheck) -> Void, of command: AskedCommand, on connection: ConnectionModel, in room: RoomModel,
        _ findings: Findings
    ) {
        let logs = room.knownLogs
        let log =
            logs.count == 1
            ? nil
            : logs.first { log in
                let trial = Findings()
                check(AnswerCheck(connection, room, log, command, trial))
                return trial.broken == nil
            }
        check(AnswerCheck(connection, room, log ?? room.log, command, findings))
    }

    /// Codes with which a hub may refuse anything: it is too busy, cannot write, or another node could not read it.
    private static let faults: Set = ["log-unavailable", "busy", "too-fast", "game-fault", "older-node"]

    var place: String { "connection \(connection.number), room \(room.code)" }

    /// The players who may have asked; nil for someone without a name.
    private var players: [String?] {
        let accounts = connection.context.accounts
        var players = [connection.player]
        if let known = accounts.player(of: command.token), known != connection.player { players.append(known) }
        if let greeted = command.greeted, !players.contains(greeted) { players.append(greeted) }
        if connection.player != nil, !accounts.isClear(command.token) { players.append(nil) }
        return players
    }

    /// The resulting commit; nil if there is none.
    private var commit: RoomLog.Commit? {
        // Chat is in no log.
        if isOfChat { return nil }
        for case let player? in players {
            if let commit = log.commits[ByteText(player + "/" + command.id)] { return commit }
        }
        return nil
    }

    /// `ok`.
    func done(_ answer: Value) {
        guard let version = answer["v"]?.integer else {
            return recordBreach("ok has the version of the last event", "\(answer)")
        }
        expect(
            !connection.isGreeted || connection.latestNext > version || connection.hasOther(than: log),
            "ok comes after its events", "\(answer) before \(connection.next)")
        if let commit, !isForgotten(commit) || version == commit.versions.upperBound {
            return expect(
                version == commit.versions.upperBound, "ok has the version of the last event",
                "\(answer) instead of \(commit.versions.upperBound)")
        }
        expect(
            version >= command.askedBehind && version <= log.version, "ok has the room's version if nothing was done",
            "\(answer), the room is at \(log.version)")
        if isOfChat, wasSaidBefore { return }
        let isJustified = holds { verdict in
            switch verdict {
            case .events(let events): events.isEmpty
            case .unrecorded: true
            case .refused, .waits: false
            }
        }
        expect(isJustified, "ok without events says that there was nothing to do", "\(answer) to \(command.message)")
    }

    private var isOfChat: Bool { command.isOfChat }

    /// A line that was accepted stays accepted, no matter what happens to its speaker.
    private var wasSaidBefore: Bool {
        for case let player? in players where room.chat.hasDone(command.id, of: player) { return true }
        let earlier = room.asked[ByteText(command.id)] ?? []
        return earlier.contains { $0.isLost && $0.type == command.type }
    }

    /// The command has been done.
    func remember() {
        guard isOfChat, !wasSaidBefore else { return }
        for case let player? in players { _ = room.chat.rememberCommand(command.id, of: player) }
    }

    /// Whether so much was recorded since that a repeated command may be judged again.
    private func isForgotten(_ commit: RoomLog.Commit?) -> Bool {
        commit.map { log.commits.count - $0.number > Self.rememberedCommits } ?? false
    }

    private static let rememberedCommits = 256

    /// `error`.
    func refused(_ answer: Value) {
        guard let code = answer["code"]?.string, answer["message"]?.string != nil else {
            return recordBreach("an error has a code and a message", "\(answer)")
        }
        if Self.faults.contains(code) {
            checkCause(of: code, answer)
            // A repeated command may have been done the first time.
            let isNew = commit.map { $0.versions.lowerBound > command.askedBehind } ?? false
            return expect(
                !isNew || room.asked[ByteText(command.id)]?.contains { $0 !== command } == true,
                "a refused command changes nothing", "\(answer), but \(command.message) was recorded")
        }
        expect(
            commit == nil || isForgotten(commit) || code == "no-name", "a refused command changes nothing",
            "\(answer), but \(command.message) was recorded")
        let isJustified = holds { verdict in
            switch verdict {
            case .refused(let codes): codes.contains(code)
            case .unrecorded: Self.ofChat.contains(code)
            case .events, .waits: false
            }
        }
        expect(isJustified, "only impossible commands are refused", "\(answer) to \(command.message)")
    }

    /// Checks that there is a reason for the refusal, as far as that can be seen from outside.
    private func checkCause(of code: String, _ answer: Value) {
        switch code {
        case "game-fault":
            recordBreach("a game does nothing that cannot be recorded", "\(command.message)")
        case "log-unavailable":
            expect(
                connection.context.hinderedAt >= command.askedAt - AnswerForm.lag,
                "a hub that nothing hinders answers requests",
                "\(code) to \(command.message), asked at \(command.askedAt)")
        case "older-node":
            expect(
                connection.context.mayLack(event: answer["event"]?.string ?? "", since: command.askedAt),
                ReleasesModel.rule, "\(answer) to \(command.message), asked at \(command.askedAt)")
        case "too-fast":
            let context = connection.context
            expect(
                connection.said.mayBeTooFast(command.type, context.rates, at: context.now)
                    || players.contains { context.mayHaveWrittenTooMuch($0) },
                "a client that says little is not too fast", "\(command.message), \(connection.said)")
        default: break
        }
    }

    private static let ofChat: Set = ["bad-field", "room-closed"]

    /// Whether `condition` holds for the verdict in any state between the question and now.
    private func holds(_ condition: (CommandVerdict) -> Bool) -> Bool {
        let now = connection.context.now
        var times = [now, command.askedAt]
        // The judging clock may lag.
        if connection.context.clockLag > 0 { times.append(command.askedAt - connection.context.clockLag) }
        func holds(_ fold: RoomFold, _ attendance: Attendance) -> Bool {
            players.contains { player in
                times.contains { time in
                    condition(fold.verdict(on: command.message, by: player, attendance, at: time))
                }
            }
        }
        if holds(log.durable, room.attendance) { return true }
        let attendances = room.attendances(since: command.askedAt)
        return log.folds(from: command.askedBehind).contains { fold in
            attendances.contains { holds(fold, $0) }
        }
    }
}
