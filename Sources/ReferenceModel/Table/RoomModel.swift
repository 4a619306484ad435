import Cryptography

/// A room: what its log holds, how far that has been shown, and who looks on.
final class RoomModel {
    let code: String
    let context: ModelContext
    /// What the log holds of it.
    private(set) var log: RoomLog
    /// What it held before it went back, the newest last, for as long as somebody may not have heard of that.
    private(set) var former: [RoomLog] = []
    /// What connections have asked for and were not answered, by the ids of commands.
    var asked: [ByteText: [AskedCommand]] = [:]
    fileprivate(set) var attendances: Attendances
    /// When this hub may have woken the room last; nil: it has had nothing to do with it.
    fileprivate(set) var touchedAt: Int?
    /// When another of several hubs may have become its home last.
    private(set) var movedAt: Int?
    /// The run that has claimed it, or did last.
    private(set) var home: String?
    /// Times in which its home could not play it, that may not be given back yet.
    fileprivate(set) var stops: [(from: Int, to: Int)] = []
    /// When what presence says has changed last.
    var presenceChangedAt = 0
    /// By how much its clock is ahead of the hub's at most, in ms: its times go on from its log, whatever the clock of
    /// the machine shows that runs the hub now.
    private(set) var lead = 0
    /// When somebody has sat down last: others may see a name that they do not know.
    private(set) var seatTakenAt = 0
    var chat = Chat()
    /// Reactions that anybody was told, by whose they are.
    var reactions: Set<ByteText> = []
    /// Nobody has been greeted since the room was empty: it may have forgotten its chat.
    var mayHaveSlept = false
    private(set) var listing = RoomListing()
    /// When the newest event was recorded.
    private(set) var recordedAt = 0
    /// Of the computer at each seat: behind which version its last move stands.
    private var computersMoves: [Int: Int] = [:]
    /// The connections to it that are open.
    fileprivate(set) var connections: [ObjectIdentifier: ConnectionModel] = [:]
    let hash: UInt64

    init(code: String, context: ModelContext) {
        (self.code, self.context) = (code, context)
        attendances = Attendances(Attendance(at: context.now))
        log = RoomLog(code: code, context: context)
        hash = Outage.hash(of: code)
    }

    var version: Int { log.version }
    var records: [[UInt8]] { log.records }
    var durable: RoomFold { log.durable }
    var shownVersion: Int { log.shownVersion }
    var findings: Findings { context.findings }

    // MARK: The log

    /// One commit.
    func recorded(_ events: [LoggedEvent]) {
        guard let first = events.first else { return }
        let place = "room \(code), version \(first.version)"
        // Where nobody is here it may have slept until now.
        if touchedAt == nil || connections.isEmpty { touchedAt = context.now }
        findings.expect(
            log.commits[ByteText(first.commit)] == nil, "a commit's id is used once in a stream",
            "\(place): \(first.commit)")
        findings.expect(
            first.version == version + 1, "versions have no gaps", "\(place) behind \(version)")
        guard findings.broken == nil else { return }
        log.append(events, of: first.commit)
        let judge = CommitJudge(room: self, fold: durable, events: events, attendance: attendances.current)
        let steps = judge.steps()
        guard findings.broken == nil else { return }
        for (event, step) in zip(events, steps) {
            log.take(step.step, version: event.version, time: step.time)
            guard case .other(let json, _) = step.step else { continue }
            context.results.note(json, in: code, at: context.now)
            if event.sealed != nil || json["type"] == "room-closed" {
                context.secrets.keep(seed: durable.serverSeed?.hex, of: code)
            }
            if Self.seatEvents.contains(json["type"]?.text ?? "") { presenceChangedAt = context.now }
            if json["type"] == "seat-taken" { seatTakenAt = context.now }
        }
        noteListing(steps)
        recordedAt = context.now
        log.tookAll()
    }

    /// What makes a spectator of a player, or the other way round.
    private static let seatEvents: Set = ["seat-taken", "seat-freed", "player-left", "host-changed"]

    private func noteListing(_ steps: [CommitJudge.TimedStep]) {
        let areMoves = steps.allSatisfy { if case .play = $0.step { true } else { false } }
        if areMoves {
            listing.noteMove(durable, at: context.now)
        } else {
            listing.note(durable, at: context.now)
        }
    }

    /// The computer at a seat has been asked behind version `asked`, and has moved.
    func takeMove(ofComputerAt seat: Int, askedBehind asked: Int, upTo version: Int) -> Bool {
        defer { computersMoves[seat] = version }
        return asked >= computersMoves[seat] ?? 0
    }

    // MARK: Going back

    /// The database has failed over: no more than this is left of its log. What others were shown and told, and what
    /// they have asked for, stays.
    func goBack(to version: Int) {
        let lost = log
        log = lost.branch(at: version)
        former = (former + [lost]).suffix(Self.formerLimit)
        for log in former { log.isKept(upTo: version) }
        for connection in connections.values { connection.goBack(to: version, losing: lost) }
        for command in asked.values.joined() { command.goBack(to: version) }
        computersMoves = computersMoves.mapValues { min($0, version) }
        listing.goBack(to: durable, at: context.now)
        context.secrets.goBack(
            room: code, isRevealed: lost.durable.serverSeed?.hex != durable.serverSeed?.hex)
        // Its home begins anew.
        movedAt = context.now
        // So may be who had claimed it, and what that one owed.
        stops = []
        (touchedAt, presenceChangedAt) = (context.now, context.now)
        (seatTakenAt, recordedAt) = (context.now, context.now)
    }

    /// More than go back while somebody has not heard of the first.
    private static let formerLimit = 4

    /// That which a greeting is from.
    func log(of greeting: JSON) -> RoomLog {
        guard !former.isEmpty, let version = greeting["version"]?.number, let head = greeting["head"]?.text else {
            return log
        }
        return ([log] + former.reversed()).first { $0.head(at: version)?.hex == head } ?? log
    }

    /// Those that somebody may take for what the log holds.
    var knownLogs: [RoomLog] { former.isEmpty || !context.mayKnowLost ? [log] : [log] + former.reversed() }
}

extension RoomModel {
    /// The room could not be played in this time.
    func leaveOut(from: Int, to: Int) {
        attendances.change(at: context.now) { $0.leaveOut(from: from, to: to) }
        touchedAt = touchedAt.map { Attendance.moved($0, over: from, to) }
        // Whoever is its home by now could not begin before.
        movedAt = movedAt.map { Attendance.moved($0, over: from, to) }
    }

    /// The same, and no record says so: its home has to know.
    func wasStopped(from: Int, to: Int) {
        guard from < to else { return }
        stops = stops.filter { $0.to > max(durable.time, durable.extendedUntil) - lead } + [(from, to)]
    }

    /// This run has claimed it; nil: it was released.
    func isHome(_ run: String?) {
        guard run != home else { return }
        (home, movedAt) = (run, context.now)
        (touchedAt, presenceChangedAt) = (context.now, context.now)
    }

    func came(_ player: String) {
        attendances.change(at: context.now) { [context] in $0.came(player, at: context.now) }
    }
    func mayHaveGone(_ player: String) {
        attendances.change(at: context.now) { [context] in $0.mayHaveGone(player, at: context.now) }
    }
    func went(_ player: String) {
        attendances.change(at: context.now) { [context] in
            // What a node tells another may be late: who has gone by then was never there for that one.
            let since = $0.hereSince[player] ?? 0
            let isMissed =
                context.isCluster && context.now - since < context.ghostTime && context.hinderedAt >= since
            $0.went(player, at: context.now, isMissed: isMissed)
        }
    }

    func entered(_ connection: ConnectionModel) {
        // It may have slept until now.
        if connections.isEmpty { (touchedAt, mayHaveSlept) = (context.now, true) }
        connections[ObjectIdentifier(connection)] = connection
    }

    func left(_ connection: ConnectionModel, at now: Int) {
        connections[ObjectIdentifier(connection)] = nil
        presenceChangedAt = now
    }

    /// A command is answered.
    func forget(_ command: AskedCommand) {
        guard let place = asked.index(forKey: ByteText(command.id)) else { return }
        asked.values[place].removeAll { $0 === command }
        if asked.values[place].isEmpty { asked.remove(at: place) }
    }
}

extension RoomModel {
    /// A hub has begun to serve: nobody is here, and nobody has been gone for longer than since then.
    func hubStarted(at now: Int) {
        attendances = Attendances(Attendance(at: now))
        lead = max(0, durable.time - now)
        // The clock that timed these was set back.
        stops.removeAll { $0.to > now + context.clockSpread }
        chat = Chat()
        touchedAt = nil
    }
}
