import Cryptography
import JSON

/// A room: its log, how far that has been shown, and its connections.
final class RoomModel {
    let code: String
    let context: ModelContext
    private(set) var log: RoomLog
    /// Its logs before it went back, newest last, as long as some client may not know of that.
    private(set) var former: [RoomLog] = []
    /// Unanswered commands, by id.
    var asked: [ByteText: [AskedCommand]] = [:]
    fileprivate(set) var attendances: Attendances
    /// When this hub may have last woken the room; nil if never.
    fileprivate(set) var touchedAt: Int?
    /// When another of several hubs may have last become its home.
    private(set) var movedAt: Int?
    /// The last run that has claimed it.
    private(set) var home: String?
    /// Times in which its home could not play it, which may not have been given back.
    fileprivate(set) var stops: [(from: Int, to: Int)] = []
    /// When presence last changed.
    var presenceChangedAt = 0
    /// How far its clock may be ahead of the hub's, in ms. Its times continue from its log, no matter what the
    /// machine's clock shows now.
    private(set) var lead = 0
    /// When a player last sat down. Others may then see a new name.
    private(set) var seatTakenAt = 0
    var chat = Chat()
    /// Reactions that were sent, by player.
    var reactions: Set<ByteText> = []
    /// No one has been greeted since the room was empty, so it may have forgotten its chat.
    var mayHaveSlept = false
    private(set) var listing = RoomListing()
    /// When the newest event was recorded.
    private(set) var recordedAt = 0
    /// By seat of a computer, the version after its last move.
    private var computersMoves: [Int: Int] = [:]
    /// Its open connections.
    fileprivate(set) var connections: [ObjectIdentifier: ConnectionModel] = [:]
    let hash: UInt64

    init(code: String, context: ModelContext) {
        (self.code, self.context) = (code, context)
        attendances = Attendances(Attendance(at: context.now))
        log = RoomLog(code: code, context: context)
        hash = Outage.hash(of: code)
    }

    var version: Int { log.version }
    var durable: RoomFold { log.durable }
    var shownVersion: Int { log.shownVersion }
    var findings: Findings { context.findings }

    // MARK: The log

    func eventsRecorded(_ events: [LoggedEvent]) {
        guard let first = events.first else { return }
        let place = "room \(code), version \(first.version)"
        // If no one is connected, the room may have slept until now.
        if touchedAt == nil || connections.isEmpty { touchedAt = context.now }
        findings.expect(
            log.commits[ByteText(first.commit)] == nil, "a commit's id is used once in a stream",
            "\(place): \(first.commit)")
        findings.expect(first.version == version + 1, "versions have no gaps", "\(place) after \(version)")
        guard findings.broken == nil else { return }
        log.append(events, of: first.commit)
        let judge = CommitJudge(room: self, fold: durable, events: events, attendance: attendances.current)
        let judged = judge.judgedEvents()
        guard findings.broken == nil else { return }
        for event in judged {
            log.foldEvent(event)
            context.results.recordResults(of: event.json, in: code, at: context.now)
            if event.sealed != nil || ["game-ended", "room-closed"].contains(event.type) {
                context.secrets.keep(durable.secrets, of: code)
            }
            if Self.seatEvents.contains(event.type) { presenceChangedAt = context.now }
            if event.type == "seat-taken" { seatTakenAt = context.now }
        }
        listing.recordState(of: durable, at: context.now)
        recordedAt = context.now
    }

    /// Events that make a spectator of a player, or the other way round.
    private static let seatEvents: Set = ["seat-taken", "seat-freed", "player-left", "host-changed"]

    /// The computer at a seat was asked after version `asked`, and has moved.
    func takeMove(ofComputerAt seat: Int, askedBehind asked: Int, upTo version: Int) -> Bool {
        defer { computersMoves[seat] = version }
        return asked >= computersMoves[seat] ?? 0
    }

    // MARK: Going back

    /// The database has failed over, and only this much of the room's log is left. What clients were sent and have
    /// asked for stays.
    func goBack(to version: Int) {
        let lost = log
        log = lost.branch(at: version)
        former = (former + [lost]).suffix(Self.formerLimit)
        for log in former { log.isKept(upTo: version) }
        for connection in connections.values { connection.goBack(to: version, losing: lost) }
        for command in asked.values.joined() { command.goBack(to: version) }
        computersMoves = computersMoves.mapValues { min($0, version) }
        listing.goBack(to: durable, at: context.now)
        context.secrets.goBack(room: code, isRevealed: lost.durable.serverSeed?.hex != durable.serverSeed?.hex)
        // Its next home starts from the log.
        movedAt = context.now
        // The claim may have changed, too, with what its holder owed.
        stops = []
        (touchedAt, presenceChangedAt) = (context.now, context.now)
        (seatTakenAt, recordedAt) = (context.now, context.now)
    }

    /// More can go back while some client does not know of the first.
    private static let formerLimit = 4

    /// The log that a greeting was made from.
    func log(of greeting: Value) -> RoomLog {
        guard !former.isEmpty, let version = greeting["version"]?.integer, let head = greeting["head"]?.string else {
            return log
        }
        return ([log] + former.reversed()).first { $0.head(at: version)?.hex == head } ?? log
    }

    /// The logs that a hub may believe to be the room's.
    var knownLogs: [RoomLog] { former.isEmpty || !context.mayKnowLost ? [log] : [log] + former.reversed() }
}

extension RoomModel {
    /// The room could not be played in this time.
    func leaveOut(from: Int, to: Int) {
        attendances.change(at: context.now) { $0.leaveOut(from: from, to: to) }
        touchedAt = touchedAt.map { Attendance.moved($0, over: from, to) }
        // Its present home could not start before.
        movedAt = movedAt.map { Attendance.moved($0, over: from, to) }
    }

    /// The same without a record: only its home knows.
    func wasStopped(from: Int, to: Int) {
        guard from < to else { return }
        stops = stops.filter { $0.to > max(durable.time, durable.extendedUntil) - lead } + [(from, to)]
    }

    /// This run has claimed it, at `now` by its own clock; nil if it was released.
    func isHome(_ run: String?, at now: Int?) {
        guard run != home else { return }
        if let now { lead = max(lead, durable.time - now) }
        (home, movedAt) = (run, context.now)
        (touchedAt, presenceChangedAt) = (context.now, context.now)
    }

    func playerCame(_ player: String) {
        attendances.change(at: context.now) { [context] in $0.playerCame(player, at: context.now) }
    }
    func mayHaveGone(_ player: String) {
        attendances.change(at: context.now) { [context] in $0.mayHaveGone(player, at: context.now) }
    }
    func playerWent(_ player: String) {
        attendances.change(at: context.now) { [context] in
            // A node's messages may be late. A player who has left before they arrive was never present for the home.
            let since = $0.hereSince[player] ?? 0
            let isMissed = context.isCluster && context.now - since < context.ghostTime && context.hinderedAt >= since
            $0.playerWent(player, at: context.now, isMissed: isMissed)
        }
    }

    func connectionOpened(_ connection: ConnectionModel) {
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
    /// A hub has started: no one is connected, and absences begin now.
    func hubStarted(at now: Int) {
        attendances = Attendances(Attendance(at: now))
        lead = max(0, durable.time - now)
        // The clock that timed these was set back.
        stops.removeAll { $0.to > now + context.clockSpread }
        chat = Chat()
        touchedAt = nil
    }
}

extension RoomModel {
    /// The time in ms that this room could not be played and that `fold` does not count, in outages that ended by
    /// `until`. `isKnown`: including those that are in no record.
    func outage(behind fold: RoomFold, until: Int, isKnown: Bool = false) -> Int {
        guard !context.outages.isEmpty || !stops.isEmpty else { return 0 }
        let start = max(fold.time, fold.extendedUntil)
        var spans: [(from: Int, to: Int)] = []
        for outage in context.outages.reversed() {
            guard outage.to > start, outage.to <= until, outage.concerns(hash) else { continue }
            // Some nodes know that an apparent silence, caused by setting the database's clock, is none.
            if isKnown, outage.isSilence, context.databaseClockSteps > 0 { continue }
            spans.append((max(outage.from, start), outage.to))
        }
        if isKnown {
            for stop in stops where stop.to > start && stop.to <= until + context.clockLag {
                spans.append((max(stop.from, start), min(stop.to, until)))
            }
        }
        var (sum, end) = (0, start)
        for span in spans.sorted(by: { $0.from < $1.from }) where span.to > end {
            sum += span.to - max(span.from, end)
            end = span.to
        }
        return sum
    }
}
