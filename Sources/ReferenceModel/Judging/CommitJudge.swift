/// Compares one commit of a room with what it must have come from.
struct CommitJudge: PlacedCheck {
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

    /// The events of the commit. Notes its faults.
    func judgedEvents() -> [RoomEvent] {
        guard let cause = cause() else { return [] }
        var (judged, last) = ([RoomEvent](), fold.time)
        for (index, logged) in events.enumerated() {
            guard let event = RoomEvent(logged.shown, sealed: logged.sealed), event.version == logged.version,
                logged.shown.eventVersion(from: 0) == logged.version
            else {
                recordBreach("an event is {v, t, type, ...}", String(decoding: logged.shown, as: UTF8.self))
                return []
            }
            let isLast = index == events.count - 1
            expect(
                event.json["more"] == (isLast ? nil : true)
                    && event.json.elements.firstIndex { $0.0 == "more" } == (isLast ? nil : 3),
                "each event of a commit but the last says that more follow", "\(event.json)")
            expect(event.time >= last, "a room's times never go back", "\(event.time) after \(last)")
            last = event.time
            if case .other = cause {
            } else {
                room.context.checkTime(event.time, from: earliest(of: cause), lead: room.lead, place)
            }
            checkCommitment(event)
            judged.append(event)
        }
        if let fault = fault(cause, judged), !holdsWhenJudged(cause, judged) {
            recordBreach(fault.rule, "\(fault.detail)")
        }
        return judged
    }

    private func cause() -> Cause? {
        let commit = events[0].commit
        guard let slash = commit.utf8.firstIndex(of: UInt8(ascii: "/")) else { return unknown(commit) }
        let (who, what) = (commit[..<slash], commit[commit.utf8.index(after: slash)...])
        if who == "other" { return .other }
        if who == "hub" { return hubCause(what, commit) }
        if fold.version == 0 {
            expect(what == "open/" + room.code, "a commit is named after its cause", commit)
            return .opening(by: String(who))
        }
        let player = String(who)
        let commands = (room.asked[ByteText(String(what))] ?? []).filter { $0.may(be: player) }
        guard !commands.isEmpty else {
            recordBreach("an event was asked for, or is the room's or a computer's", commit)
            return nil
        }
        return .commands(commands, of: player)
    }

    private func hubCause(_ what: Substring, _ commit: String) -> Cause? {
        let parts = what.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let (isComputer, version) = (parts.count == 4, parts.last.flatMap { Int(String(Substring($0))) })
        // A computer thinks about what it has seen last.
        expect(
            isComputer ? (version ?? .max) <= fold.version : version == fold.version,
            "a commit of the hub is named after the version before it", commit)
        guard isComputer else { return parts.count == 2 ? .room : unknown(commit) }
        guard String(Substring(parts[1])) == "computer", let seat = Int(String(Substring(parts[2]))) else {
            return unknown(commit)
        }
        expect(
            room.takeMove(ofComputerAt: seat, askedBehind: version ?? 0, upTo: fold.version + events.count),
            "a computer that is asked once moves once", commit)
        return .computer(seat: seat)
    }

    private func unknown(_ commit: String) -> Cause? {
        recordBreach("a commit is named after its cause", commit)
        return nil
    }

    /// When the cause was asked for.
    private func earliest(of cause: Cause) -> Int {
        guard case .commands(let commands, _) = cause else { return 0 }
        return commands.map(\.askedAt).min() ?? 0
    }
}

extension RoomFold {
    /// Whether a computer plays for a seat, or has it.
    func hasComputer(at seat: Int) -> Bool {
        seats.indices.contains(seat) && (seats[seat].bot != nil || seats[seat].helped != nil)
    }
}
