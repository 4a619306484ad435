import Games

// What depends on who is there: the host's place, games that everybody has left alone, what people say.
extension Room {
    /// A game without a turn timer in which no seated player has been connected for so long ends.
    static let desertion: Milliseconds = 3_600_000
    /// A room that nobody has used for so long is closed: its last seed is revealed.
    static let expiry: Milliseconds = 30 * 86_400_000

    /// What follows from nobody's, or the host's, having been there; nothing before `attendanceDeadline`.
    func eventsOfAbsence() -> [RoomEvent] {
        guard let due = attendanceDeadline, due <= surroundings.now else { return [] }
        let moment = moment(at: surroundings.now)
        let handedOn = state.replaceHost(moment)
        if !handedOn.isEmpty { return handedOn }
        if let due = desertedAt, due <= surroundings.now { return state.desert(moment) }
        if let due = expiresAt, due <= surroundings.now { return state.closing(at: moment.now) }
        return []
    }

    /// When the room has something to do because of who is, or is not, there; nil if nothing.
    var attendanceDeadline: Milliseconds? { earlier(hostIsMissedAt, earlier(desertedAt, expiresAt)) }

    private var hostIsMissedAt: Milliseconds? {
        guard state.phase != .closed, let since = audience.goneSince(state.host),
            state.successor(moment(at: surroundings.now)) != nil
        else { return nil }
        return since + Self.absence
    }

    private var desertedAt: Milliseconds? {
        guard state.phase == .running, state.deadline == nil else { return nil }
        var latest: Milliseconds?
        for player in state.playing.values where !state.isComputer(player) {
            guard let since = audience.goneSince(player) else { return nil }
            latest = max(latest ?? since, since)
        }
        return latest.map { $0 + Self.desertion }
    }

    private var expiresAt: Milliseconds? {
        guard state.phase != .closed, state.phase != .unopened, audience.members.isEmpty else { return nil }
        return state.time + Self.expiry
    }

    // MARK: Chat

    /// `say` and `react`: not recorded.
    func handle(_ utterance: Chat.Utterance, id: String, from member: Member) {
        guard let player = member.player?.id else { return }
        do throws(Rejection) {
            guard !state.banned.contains(player) else { throw .banned }
            guard !state.muted.contains(player) else { throw .muted }
            guard member.maySay(now: surroundings.now) else { throw .tooFast(surroundings.limits.linesPerSecond) }
            if let frame = chat.add(utterance, from: player, id: "\(player)/\(id)", at: surroundings.now) {
                audience.tell(frame)
            }
            member.answer(HubMessage.ok(id, version: state.version))
            act(player)
        } catch {
            surroundings.counters.refusals.add(1)
            member.answer(HubMessage.error(id, error))
        }
    }
}
