/// Compares one commit of a room with what it must have come from.
struct CommitJudge {
    struct TimedStep {
        let step: RoomFold.Step
        let time: Int
    }

    /// What a commit says that it comes from.
    enum Cause {
        /// Unanswered commands of this player with this id.
        case commands([AskedCommand], of: String)
        case opening(by: String)
        case computer(seat: Int)
        case room
        /// Another hub on the same log, whose clients the model does not see.
        case other
    }

    let room: RoomModel
    /// Before the commit.
    let fold: RoomFold
    let events: [LoggedEvent]
    /// The attendance when it was judged.
    var attendance: Attendance

    var findings: Findings { room.findings }
    var place: String { "room \(room.code), version \(events[0].version)" }

    /// What the commit does. Notes its faults.
    func steps() -> [TimedStep] {
        guard let cause = cause() else { return [] }
        if let steps = plainSteps(cause) { return steps }
        for (index, event) in events.enumerated() {
            findings.expect(
                event.shown.saysMore == (index < events.count - 1),
                "each event of a commit but the last says that more follow",
                "room \(room.code), version \(event.version): \(String(decoding: event.shown, as: UTF8.self))")
        }
        return judgedSteps(cause)
    }

    // MARK: The cause

    private func cause() -> Cause? {
        let commit = events[0].commit
        guard let slash = commit.utf8.firstIndex(of: UInt8(ascii: "/")) else { return unknown(commit) }
        let (who, what) = (commit[..<slash], commit[commit.utf8.index(after: slash)...])
        if who == "other" { return .other }
        if who == "hub" { return hubCause(what, commit) }
        if fold.version == 0 {
            findings.expect(
                what == "open/" + room.code, "a commit is named after its cause", "\(place): \(commit)")
            return .opening(by: String(who))
        }
        let player = String(who)
        let commands = (room.asked[ByteText(String(what))] ?? []).filter { $0.may(be: player) }
        guard !commands.isEmpty else {
            findings.note("an event was asked for, or is the room's or a computer's", "\(place): \(commit)")
            return nil
        }
        return .commands(commands, of: player)
    }

    private func hubCause(_ what: Substring, _ commit: String) -> Cause? {
        let parts = what.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let (isComputer, version) = (parts.count == 4, parts.last.flatMap { Int(String(Substring($0))) })
        // A computer thinks about what it has seen last.
        findings.expect(
            isComputer ? (version ?? .max) <= fold.version : version == fold.version,
            "a commit of the hub is named after the version before it",
            "\(place): \(commit)")
        guard isComputer else { return parts.count == 2 ? .room : unknown(commit) }
        guard String(Substring(parts[1])) == "computer", let seat = Int(String(Substring(parts[2]))) else {
            return unknown(commit)
        }
        findings.expect(
            room.takeMove(
                ofComputerAt: seat, askedBehind: version ?? 0, upTo: fold.version + events.count),
            "a computer that is asked once moves once", "\(place): \(commit)")
        return .computer(seat: seat)
    }

    private func unknown(_ commit: String) -> Cause? {
        findings.note("a commit is named after its cause", "\(place): \(commit)")
        return nil
    }

    /// When the cause was asked for.
    func earliest(of cause: Cause) -> Int {
        guard case .commands(let commands, _) = cause else { return 0 }
        return commands.map(\.askedAt).min() ?? 0
    }

    // MARK: Moves

    /// The steps, if they are known beforehand, have no consequences and are written plainly.
    private func plainSteps(_ cause: Cause) -> [TimedStep]? {
        guard fold.status == .running, fold.proposal == nil, let running = fold.running,
            let time = events[0].shown.eventTime
        else { return nil }
        let plays: [GameEvent]
        switch cause {
        case .commands(let commands, let player):
            guard let move = GameCommand(commands[0].message), let seat = fold.seat(of: player), fold.plays(seat),
                fold.banned.isEmpty,
                case .events(let events) = running.verdict(
                    on: move, by: seat, at: time, gone: fold.gone(attendance, at: time))
            else { return nil }
            plays = events
        case .computer(let seat):
            guard fold.hasComputer(at: seat), let move = computersMove(JSONParser.read(events[0].shown) ?? .null),
                case .events(let events) = running.verdict(
                    on: move, by: seat, at: time, gone: fold.gone(attendance, at: time))
            else { return nil }
            plays = events
        case .room:
            guard let due = running.due, due <= time, room.outage(behind: fold, until: time) == 0 else { return nil }
            plays = fold.lapse(attendance, at: time)
        case .opening, .other: return nil
        }
        guard plays.count == events.count, time >= max(fold.time, earliest(of: cause)),
            time <= room.context.now + room.lead + room.context.clockSpread
        else { return nil }
        for (index, (play, event)) in zip(plays, events).enumerated() {
            let more = index < events.count - 1
            guard play.isPlainly(event.shown, version: event.version, time: time, more: more) else { return nil }
        }
        return plays.map { TimedStep(step: .play($0), time: time) }
    }

    /// The computer's command that this event must come from.
    func computersMove(_ event: JSON) -> GameCommand? {
        switch event["type"]?.text {
        case "show-card": event["cell"]?.number.map { .flip(cell: $0) }
        case "cards-shuffled": .shuffle
        case "place-disc": event["cell"]?.number.map { .place(cell: $0) }
        case "drop-disc": event["cell"]?.number.map { .drop(column: $0 % 7) }
        case "resigned": .resign
        default: nil
        }
    }
}

extension RoomFold {
    /// Whether a computer plays for a seat, or has it.
    func hasComputer(at seat: Int) -> Bool {
        seats.indices.contains(seat) && (seats[seat].bot != nil || seats[seat].helped != nil)
    }
}
