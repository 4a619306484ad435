/// Checks that what must happen in a room has happened.
struct RoomCheck {
    let room: RoomModel

    private var context: ModelContext { room.context }
    private var durable: RoomFold { room.durable }

    /// How long after a change a presence may still follow, in ms.
    static let presencePause = 1_000
    /// Shortest time between two presence messages, in ms.
    static let presenceSpan = 250
    /// How much later a taken seat or a changed name may be seen, in ms.
    static let presenceLag = 2_000
    /// How long a client may be behind, in ms: 30 s, and the time to notice that they are over.
    private static let behindTime = 40_000

    /// How late anything due may be if the room has to be woken first, in ms.
    private static let wakingTime = 15_000

    /// Whether something is overdue, no matter who is connected.
    var isOverdue: Bool {
        let time = context.now - Self.wakingTime
        guard room.version > 0, context.hinderedAt <= time else { return false }
        let running = durable.status == .running ? durable.running?.due : nil
        let due = [running, durable.proposal?.deadline, durable.dealing?.deadline].compactMap { $0 }.min()
        guard let due, due <= time else { return false }
        return due + uncounted(until: context.now) <= time
    }

    /// How much time need not count in the room so far.
    private func uncounted(until now: Int) -> Int {
        room.outage(behind: durable, until: now)
            + context.vacant.between(max(durable.time, durable.extendedUntil) - room.lead, now)
    }

    /// Whether a run may claim the room: for a client, or for something that is due. Nothing else needs a claim.
    var mayBeClaimed: Bool {
        let time = context.now - Self.wakingTime
        guard room.connections.isEmpty, room.presenceChangedAt <= time, room.recordedAt <= time,
            context.hinderedAt <= time
        else { return true }
        return durable.status == .running || durable.status == .dealing || durable.proposal != nil
    }

    // MARK: At rest

    func checkRest(at now: Int) {
        guard room.version > 0, durable.status != .closed else { return }
        checkDue(at: now)
    }

    func checkDue(at now: Int) {
        func check(_ due: Int?, _ what: String) {
            guard let due, due <= now, due + uncounted(until: now) <= now else { return }
            room.findings.recordBreach(
                "everything due is done", "room \(room.code), version \(room.version): \(what) since \(due), at \(now)")
        }
        if durable.status == .running { check(durable.running?.due, "a turn or a reveal") }
        check(durable.proposal?.deadline, "a proposal")
        check(durable.dealing?.deadline, "a draw")
        check(hostMissedAt, "another host")
    }

    /// The latest time at which the room must have another host; nil if none is needed so far.
    private var hostMissedAt: Int? {
        // Waits until nodes of an older release have left.
        guard durable.successor(room.attendance) != nil, !context.mayLack(event: "host-changed", since: context.now)
        else { return nil }
        let absences = room.attendances(since: context.now).map { $0.absence(of: durable.host) }
        // A node may still take the host for connected.
        return absences.contains(nil) ? nil : absences.compactMap(\.self).max().map { $0 + RoomFold.absence }
    }

    // MARK: At any time, unless something hinders the hub

    /// How long a computer may think about a move, in ms.
    private static let thinkTime = 2_000
    /// How late a job that runs once a second may be, in ms.
    private static let slack = 250

    /// All loops have just turned.
    func checkTime() {
        guard !room.connections.isEmpty, room.version > 0 else { return }
        checkPresence()
        checkComputer()
        checkBehind()
    }

    /// A client that does not read, and falls behind others for long, is closed.
    private func checkBehind() {
        for connection in room.connections.values where !connection.isReading && connection.isGreeted {
            guard connection.next <= room.shownVersion, connection.lostLog == nil else {
                connection.behind = nil
                continue
            }
            var behind = connection.behind ?? (connection.next, context.now)
            if behind.next != connection.next { behind = (connection.next, context.now) }
            connection.behind = behind
            guard context.now - max(behind.since, context.hinderedAt) > Self.behindTime else { continue }
            room.findings.recordBreach(
                "a client that does not read is closed",
                "connection \(connection.number), room \(room.code): at \(connection.next - 1) of \(room.shownVersion) "
                    + "since \(behind.since)")
        }
    }

    private func checkPresence() {
        let time = context.now - Self.presencePause - Self.slack
        guard room.presenceChangedAt <= time, context.hinderedAt <= time else { return }
        // A client that says hello may count before its greeting, or only after it.
        guard room.connections.values.allSatisfy({ $0.helloAt <= time }) else { return }
        // When a home closes a client whose socket is at another node, it sees that client leave a moment later.
        let told = room.connections.values.filter { !context.isCluster || $0.presenceAt <= time }
        let those = told.filter { mustKnowPresence($0, since: time) }
        guard !those.isEmpty else { return }
        let present = room.present
        for connection in those {
            connection.isPresenceTrue = present.isTold(connection.presence)
            connection.presenceCheckedAt = context.now
        }
        guard let one = those.filter({ !$0.isPresenceTrue }).min(by: { $0.number < $1.number }) else { return }
        room.findings.recordBreach(
            "presence says within a second who is connected",
            "connection \(one.number), room \(room.code): \(one.presence.map { "\($0)" } ?? "none") "
                + "instead of \(present)")
    }

    private func checkComputer() {
        guard durable.status == .running, let seat = durable.running?.awaited.first(where: durable.hasComputer) else {
            return
        }
        let time = context.now - Self.thinkTime
        // The room may sleep while no one is connected.
        guard room.recordedAt <= time, context.hinderedAt <= time,
            room.connections.values.contains(where: { $0.isGreeted && $0.greetedAt <= time })
        else { return }
        room.findings.recordBreach(
            "a computer that is awaited moves",
            "room \(room.code), version \(room.version): seat \(seat) since \(room.recordedAt), at \(context.now)")
    }

    /// Whether the last presence that it was told must be true, and has not been seen to be.
    private func mustKnowPresence(_ connection: ConnectionModel, since time: Int) -> Bool {
        guard connection.isOpen, connection.isReading, connection.isGreeted, connection.isGreetedSince,
            connection.greetedAt <= time, connection.readsSince <= time
        else { return false }
        return !connection.isPresenceTrue || connection.presenceCheckedAt < room.presenceChangedAt
    }
}
