// What must be so once nothing is under way.
extension RoomModel {
    /// How long after a change presence may tell of it, in ms.
    static let presencePause = 1_000
    /// What is between two messages of who came and went at least, in ms.
    static let presenceSpan = 250
    /// How much later a seat that was taken or a name that has changed may be seen, in ms.
    static let presenceLag = 2_000
    /// For which somebody may be behind, in ms: 30 s, and what it takes to see that they are over.
    private static let behindTime = 40_000

    /// Who is connected.
    struct Present: Equatable {
        /// In order.
        var players: [String] = []
        var spectators = 0

        init(players: [String], spectators: Int) { (self.players, self.spectators) = (players, spectators) }

        /// As a greeting has it; nil where it has none.
        init?(greeting: JSON?) {
            guard let players = greeting?["players"]?.list, let spectators = greeting?["spectators"]?.number else {
                return nil
            }
            self.init(players: players.compactMap(\.text), spectators: spectators)
        }

        /// Moved on by a `presence`; nil where that is none.
        func after(_ message: JSON) -> Present? {
            guard let came = message["came"]?.list, let went = message["went"]?.list,
                let spectators = message["spectators"]?.number
            else { return nil }
            let gone = went.compactMap(\.text)
            let there = Set(players).union(came.compactMap(\.text)).subtracting(gone)
            return Present(players: there.sorted(), spectators: spectators)
        }
    }

    /// Who is connected, and who of them is told while they are many.
    struct WhoIsThere {
        let all: Present
        /// Nil where they are too few.
        let ofCrowd: Present?

        func isTold(_ told: Present?) -> Bool { told == all || told != nil && told == ofCrowd }
    }

    /// With more players than these, those without a seat may be only counted.
    private static let crowdEnds = 80

    var present: WhoIsThere {
        let players = attendance.connections.keys.sorted()
        let standing = players.filter { durable.seat(of: $0) == nil }
        let all = Present(players: players, spectators: namelessCount + standing.count)
        guard players.count > Self.crowdEnds else { return WhoIsThere(all: all, ofCrowd: nil) }
        let shown = players.filter { durable.seat(of: $0) != nil || $0 == durable.host }
        return WhoIsThere(all: all, ofCrowd: Present(players: shown, spectators: all.spectators))
    }

    /// Whether a command waits for what no time brings: the draw of a game.
    func mayWait(_ command: AskedCommand) -> Bool { durable.status == .dealing }

    /// For which what is due may be late where the room has to be woken first, in ms.
    private static let wakingTime = 15_000

    /// Whether something should have been done by now, whoever is there.
    var isOverdue: Bool {
        let time = context.now - Self.wakingTime
        guard version > 0, context.hinderedAt <= time else { return false }
        let running = durable.status == .running ? durable.running?.due : nil
        let due = [running, durable.proposal?.deadline, durable.dealing?.deadline].compactMap { $0 }.min()
        guard let due, due <= time else { return false }
        return due + uncounted(until: context.now) <= time
    }

    /// How much time need not count in the room by now.
    private func uncounted(until now: Int) -> Int {
        outage(behind: durable, until: now)
            + context.vacant.between(max(durable.time, durable.extendedUntil) - lead, now)
    }

    /// Whether a run may claim it: for who comes, or for what is due one day. Nothing else that is asked of it does.
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
        checkComputer(at: now)
    }

    func checkDue(at now: Int) {
        let late = "what is due is done"
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

    /// When somebody else is to be host, at the latest; nil: nobody, so far.
    private var hostMissedAt: Int? {
        // It waits for nodes of an older release to go.
        guard durable.successor(attendance) != nil, !context.mayLack(event: "host-changed", since: context.now) else {
            return nil
        }
        return
            (attendances(since: context.now).map { $0.absence(of: durable.host).map { $0 + RoomFold.absence } ?? .max })
            .max().flatMap { $0 == .max ? nil : $0 }
    }

    /// A room that somebody is in has its computers play.
    private func checkComputer(at now: Int) {
        guard durable.status == .running, let turn = durable.running?.turn, durable.hasComputer(at: turn),
            connections.values.contains(where: { $0.isGreeted && now - $0.greetedAt >= Self.computersPause })
        else { return }
        findings.expect(
            now - durable.usedAt < Self.computersPause, "a computer moves when it is its turn",
            "room \(code), version \(version): seat \(turn) since \(durable.usedAt), at \(now)")
    }

    /// Longer than a computer thinks and cards are shown, in ms.
    private static let computersPause = 30_000

    /// Whether a player has reacted so: who sees it later may do so when it has been answered.
    func hasSeen(_ emoji: String, of player: String) -> Bool {
        let reaction = ByteText(player + "/" + emoji)
        if reactions.contains(reaction) { return true }
        let isAsked = asked.values.contains { commands in
            commands.contains { command in
                command.type == "react" && command.may(be: player)
                    && command.message["emoji"]?.text?.hasSameBytes(as: emoji) == true
            }
        }
        if isAsked { reactions.insert(reaction) }
        return isAsked
    }

    /// Whether nobody is here any more who was told of the line: of several hubs those may be gone that knew of it, and
    /// whoever was not answered says it again.
    private func mayBeForgotten(_ line: Chat.Line) -> Bool {
        context.isCluster
            && !connections.values.contains { connection in
                connection.toldLines.contains { $0.from == line.from && $0.text.hasSameBytes(as: line.text) }
            }
    }

    /// Whether a line of chat was said, and not told before: it is now.
    func hasSaid(_ line: Chat.Line) -> Bool {
        for (_, commands) in asked.sorted(by: { $0.key.text < $1.key.text }) {
            for command in commands where command.type == "say" && command.may(be: line.from) {
                guard command.message["text"]?.text?.withoutTurns.hasSameBytes(as: line.text) == true,
                    chat.take(command.id, of: line.from) || mayBeForgotten(line)
                else { continue }
                chat.append(line)
                return true
            }
        }
        return false
    }
}

// What must be so at any time, unless the hub is hindered.
extension RoomModel {
    /// For which a computer may think about a move, in ms.
    private static let thinkTime = 2_000
    /// By which what happens once a second may be later than that, in ms.
    private static let slack = 250

    /// All loops have just turned.
    func checkTime() {
        guard !connections.isEmpty, version > 0 else { return }
        checkPresence()
        checkComputer()
        checkBehind()
    }

    /// Who does not read, and is told nothing for long that others are shown, is let go.
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
                "who does not read for long is let go",
                "connection \(connection.number), room \(code): at \(connection.next - 1) of \(shownVersion) since "
                    + "\(behind.since)"
            )
        }
    }

    private func checkPresence() {
        let time = context.now - Self.presencePause - Self.slack
        guard presenceChangedAt <= time, context.hinderedAt <= time else { return }
        // Who says hello may be shown ahead of the greeting, or not until then.
        guard connections.values.allSatisfy({ $0.helloAt <= time }) else { return }
        // Whom a home has closed whose socket is at another node is seen to have gone a moment later.
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
        guard durable.status == .running, let running = durable.running, running.waitsForMove,
            durable.hasComputer(at: running.turn)
        else { return }
        let time = context.now - Self.thinkTime
        // While nobody is there the room may sleep.
        guard recordedAt <= time, context.hinderedAt <= time,
            connections.values.contains(where: { $0.isGreeted && $0.greetedAt <= time })
        else { return }
        findings.note(
            "a computer whose turn it is moves",
            "room \(code), version \(version): seat \(running.turn) since \(recordedAt), at \(context.now)")
    }
}

extension ConnectionModel {
    fileprivate func mustKnowPresence(since time: Int, changedAt: Int) -> Bool {
        guard isOpen, isReading, isGreeted, isGreetedSince, greetedAt <= time, readsSince <= time else { return false }
        return !isPresenceTrue || presenceCheckedAt < changedAt
    }
}
