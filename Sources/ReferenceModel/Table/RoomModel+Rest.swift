import JSON

// What must be true once nothing is under way.
extension RoomModel {
    /// How long after a change a presence may still follow, in ms.
    static let presencePause = 1_000
    /// Shortest time between two presence messages, in ms.
    static let presenceSpan = 250
    /// How much later a taken seat or a changed name may be seen, in ms.
    static let presenceLag = 2_000
    /// How long a client may be behind, in ms: 30 s, and the time to notice that they are over.
    private static let behindTime = 40_000

    struct Present: Equatable {
        /// In order.
        var players: [String] = []
        var spectators = 0

        init(players: [String], spectators: Int) { (self.players, self.spectators) = (players, spectators) }

        /// From a greeting; nil if it has no presence.
        init?(greeting: Value?) {
            guard let players = greeting?["players"]?.list, let spectators = greeting?["spectators"]?.integer else {
                return nil
            }
            self.init(players: players.compactMap(\.string), spectators: spectators)
        }

        /// After a `presence`; nil if the message is not one.
        func after(_ message: Value) -> Present? {
            guard let came = message["came"]?.list, let went = message["went"]?.list,
                let spectators = message["spectators"]?.integer
            else { return nil }
            let gone = went.compactMap(\.string)
            let there = Set(players).union(came.compactMap(\.string)).subtracting(gone)
            return Present(players: there.sorted(), spectators: spectators)
        }
    }

    /// The people connected, and those that are named in a crowd.
    struct WhoIsThere {
        let all: Present
        /// Nil if there are too few for a crowd.
        let ofCrowd: Present?

        func isTold(_ told: Present?) -> Bool { told == all || told != nil && told == ofCrowd }
    }

    /// With more players than these, those without a seat may only be counted.
    private static let crowdEnds = 80

    var present: WhoIsThere {
        let players = attendance.connections.keys.sorted()
        let standing = players.filter { durable.seat(of: $0) == nil }
        let all = Present(players: players, spectators: namelessCount + standing.count)
        guard players.count > Self.crowdEnds else { return WhoIsThere(all: all, ofCrowd: nil) }
        let shown = players.filter { durable.seat(of: $0) != nil || $0 == durable.host }
        return WhoIsThere(all: all, ofCrowd: Present(players: shown, spectators: all.spectators))
    }

    /// Whether a command waits for the draw of a game, which no time brings.
    func mayWait(_ command: AskedCommand) -> Bool { durable.status == .dealing }

    /// How late anything due may be if the room has to be woken first, in ms.
    private static let wakingTime = 15_000

    /// Whether something is overdue, no matter who is connected.
    var isOverdue: Bool {
        let time = context.now - Self.wakingTime
        guard version > 0, context.hinderedAt <= time else { return false }
        let running = durable.status == .running ? durable.running?.due : nil
        let due = [running, durable.proposal?.deadline, durable.dealing?.deadline].compactMap { $0 }.min()
        guard let due, due <= time else { return false }
        return due + uncounted(until: context.now) <= time
    }

    /// How much time need not count in the room so far.
    private func uncounted(until now: Int) -> Int {
        outage(behind: durable, until: now)
            + context.vacant.between(max(durable.time, durable.extendedUntil) - lead, now)
    }

    /// Whether a run may claim the room: for a client, or for something that is due. Nothing else needs a claim.
    var mayBeClaimed: Bool {
        let time = context.now - Self.wakingTime
        guard connections.isEmpty, presenceChangedAt <= time, recordedAt <= time, context.hinderedAt <= time else {
            return true
        }
        return durable.status == .running || durable.status == .dealing || durable.proposal != nil
    }

    func checkRest(at now: Int) {
        guard version > 0, durable.status != .closed else { return }
        checkDue(at: now)
    }

    func checkDue(at now: Int) {
        let late = "everything due is done"
        let place = "room \(code), version \(version)"
        func check(_ due: Int?, _ what: String) {
            guard let due, due <= now, due + uncounted(until: now) <= now else { return }
            findings.note(late, "\(place): \(what) since \(due), at \(now)")
        }
        if durable.status == .running { check(durable.running?.due, "a turn or a reveal") }
        check(durable.proposal?.deadline, "a proposal")
        check(durable.dealing?.deadline, "a draw")
        check(hostMissedAt, "another host")
    }

    /// The latest time at which the room must have another host; nil if none is needed so far.
    private var hostMissedAt: Int? {
        // Waits until nodes of an older release have left.
        guard durable.successor(attendance) != nil, !context.mayLack(event: "host-changed", since: context.now) else {
            return nil
        }
        return
            (attendances(since: context.now).map { $0.absence(of: durable.host).map { $0 + RoomFold.absence } ?? .max })
            .max().flatMap { $0 == .max ? nil : $0 }
    }

    /// Whether a player has reacted this way. Others may see it after the command has been answered.
    func hasSeen(_ emoji: String, of player: String) -> Bool {
        let reaction = ByteText(player + "/" + emoji)
        if reactions.contains(reaction) { return true }
        let isAsked = asked.values.contains { commands in
            commands.contains { command in
                command.type == "react" && command.may(be: player)
                    && command.message["emoji"]?.string?.hasSameBytes(as: emoji) == true
            }
        }
        if isAsked { reactions.insert(reaction) }
        return isAsked
    }

    /// Whether everyone who was sent the line has left. Of several hubs, those that knew it may be gone, and an
    /// unanswered speaker repeats it.
    private func mayBeForgotten(_ line: Chat.Line) -> Bool {
        context.isCluster
            && !connections.values.contains { connection in
                connection.toldLines.contains { $0.from == line.from && $0.text.hasSameBytes(as: line.text) }
            }
    }

    /// Whether a line of chat was said and not sent before. Marks it as sent.
    func hasSaid(_ line: Chat.Line) -> Bool {
        for (_, commands) in asked.sorted(by: { $0.key.text < $1.key.text }) {
            for command in commands where command.type == "say" && command.may(be: line.from) {
                guard command.message["text"]?.string?.withoutTurns.hasSameBytes(as: line.text) == true,
                    chat.take(command.id, of: line.from) || mayBeForgotten(line)
                else { continue }
                chat.append(line)
                return true
            }
        }
        return false
    }
}

// What must be true at any time, unless the hub is hindered.
extension RoomModel {
    /// How long a computer may think about a move, in ms.
    private static let thinkTime = 2_000
    /// How late a job that runs once a second may be, in ms.
    private static let slack = 250

    /// All loops have just turned.
    func checkTime() {
        guard !connections.isEmpty, version > 0 else { return }
        checkPresence()
        checkComputer()
        checkBehind()
    }

    /// A client that does not read, and falls behind others for long, is closed.
    private func checkBehind() {
        for connection in connections.values where !connection.isReading && connection.isGreeted {
            guard connection.next <= shownVersion, connection.lostLog == nil else {
                connection.behind = nil
                continue
            }
            var behind = connection.behind ?? (connection.next, context.now)
            if behind.next != connection.next { behind = (connection.next, context.now) }
            connection.behind = behind
            guard context.now - max(behind.since, context.hinderedAt) > Self.behindTime else { continue }
            findings.note(
                "a client that does not read is closed",
                "connection \(connection.number), room \(code): at \(connection.next - 1) of \(shownVersion) since "
                    + "\(behind.since)"
            )
        }
    }

    private func checkPresence() {
        let time = context.now - Self.presencePause - Self.slack
        guard presenceChangedAt <= time, context.hinderedAt <= time else { return }
        // A client that says hello may count before its greeting, or only after it.
        guard connections.values.allSatisfy({ $0.helloAt <= time }) else { return }
        // When a home closes a client whose socket is at another node, it sees that client leave a moment later.
        let told = connections.values.filter { !context.isCluster || $0.presenceAt <= time }
        let those = told.filter { $0.mustKnowPresence(since: time, changedAt: presenceChangedAt) }
        guard !those.isEmpty else { return }
        let present = self.present
        for connection in those {
            connection.isPresenceTrue = present.isTold(connection.presence)
            connection.presenceCheckedAt = context.now
        }
        guard let one = those.filter({ !$0.isPresenceTrue }).min(by: { $0.number < $1.number }) else { return }
        findings.note(
            "presence says within a second who is connected",
            "connection \(one.number), room \(code): \(one.presence.map { "\($0)" } ?? "none") instead of \(present)")
    }

    private func checkComputer() {
        guard durable.status == .running, let turn = durable.running?.turn, durable.hasComputer(at: turn) else {
            return
        }
        let time = context.now - Self.thinkTime
        // The room may sleep while no one is connected.
        guard recordedAt <= time, context.hinderedAt <= time,
            connections.values.contains(where: { $0.isGreeted && $0.greetedAt <= time })
        else { return }
        findings.note(
            "a computer whose turn it is moves",
            "room \(code), version \(version): seat \(turn) since \(recordedAt), at \(context.now)")
    }
}

extension ConnectionModel {
    fileprivate func mustKnowPresence(since time: Int, changedAt: Int) -> Bool {
        guard isOpen, isReading, isGreeted, isGreetedSince, greetedAt <= time, readsSince <= time else { return false }
        return !isPresenceTrue || presenceCheckedAt < changedAt
    }
}
