import Cryptography

/// A room: what its log holds, how far that has been shown, and who looks on.
final class RoomModel {
    let code: String
    let context: ModelContext
    /// The bytes of each event, that of version 1 first.
    private(set) var records: [[UInt8]] = []
    private var heads: [Digest] = []
    /// What is sealed, by version.
    private var seals: [Int: [UInt8]] = [:]
    /// By their ids.
    private(set) var commits: [ByteText: Commit] = [:]
    /// At the newest durable version.
    private(set) var durable: RoomFold
    /// At the version of the newest greeting.
    private var greeted: RoomFold
    /// What is behind that.
    private var pending: [(step: RoomFold.Step, time: Int)] = []
    /// The newest version that anybody has been shown.
    private(set) var shownVersion = 0
    /// What connections have asked for and were not answered, by the ids of commands.
    var asked: [ByteText: [AskedCommand]] = [:]
    fileprivate(set) var attendances: Attendances
    /// When this hub may have woken the room last; nil: it has had nothing to do with it.
    fileprivate(set) var touchedAt: Int?
    /// When another of several hubs may have become its home last.
    private(set) var movedAt: Int?
    private var home: String?
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

    /// Past which the steps since the last greeting are taken without one.
    private static let pendingLimit = 256

    init(code: String, context: ModelContext) {
        (self.code, self.context) = (code, context)
        attendances = Attendances(Attendance(at: context.now))
        (durable, greeted) = (RoomFold(code: code), RoomFold(code: code))
        hash = Outage.hash(of: code)
    }

    var version: Int { records.count }
    var findings: Findings { context.findings }

    /// The head behind an event; nil where there is no such event.
    func head(at version: Int) -> Digest? {
        if version == 0 { return SHA256.digest(of: "room/" + code) }
        return heads.indices.contains(version - 1) ? heads[version - 1] : nil
    }

    struct Commit {
        /// Of its events.
        let versions: ClosedRange<Int>
        /// How many were there before.
        let number: Int
    }

    // MARK: The log

    /// One commit.
    func recorded(_ events: [LoggedEvent]) {
        guard let first = events.first else { return }
        let place = "room \(code), version \(first.version)"
        // Where nobody is here it may have slept until now.
        if touchedAt == nil || connections.isEmpty { touchedAt = context.now }
        findings.expect(
            commits[ByteText(first.commit)] == nil, "a commit's id is used once in a stream",
            "\(place): \(first.commit)")
        findings.expect(
            first.version == version + 1, "versions have no gaps", "\(place) behind \(version)")
        guard findings.broken == nil else { return }
        for event in events { chain(event) }
        commits[ByteText(first.commit)] = Commit(
            versions: first.version...(first.version + events.count - 1), number: commits.count)
        let judge = CommitJudge(room: self, fold: durable, events: events, attendance: attendances.current)
        let steps = judge.steps()
        guard findings.broken == nil else { return }
        for (event, step) in zip(events, steps) {
            pending.append((step.step, step.time))
            fold(&durable, step.step, version: event.version, time: step.time)
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
        if pending.count > Self.pendingLimit { _ = greet(at: shownVersion) }
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

    private func chain(_ event: LoggedEvent) {
        let hasher = context.hasher
        let before = heads.last ?? SHA256.digest(of: "room/" + code)
        hasher.update(event.shown)
        let shown = hasher.finish()
        var sealed: Digest?
        if let seed = event.sealed {
            seals[event.version] = seed
            hasher.update(seed)
            sealed = hasher.finish()
        }
        hasher.update(before)
        hasher.update(shown)
        if let sealed { hasher.update(sealed) }
        let head = hasher.finish()
        findings.expect(
            head == Digest(bytes: event.head), "the head follows from the one before and what is recorded",
            "room \(code), version \(event.version)")
        records.append(event.shown)
        heads.append(head)
    }

    private func fold(_ fold: inout RoomFold, _ step: RoomFold.Step, version: Int, time: Int) {
        do throws(BrokenPromise) { try fold.apply(step, version: version, time: time) } catch {
            findings.note(error.rule, "room \(code), version \(version): \(error.detail)")
        }
    }

    // MARK: What is shown

    /// Somebody is sent the event whose message begins at `start` of `bytes`.
    @inline(__always)
    func show(_ version: Int, _ bytes: [UInt8], from start: Int) {
        guard version <= records.count, version > 0 else {
            return findings.note(
                "an event is durable before it is shown",
                "room \(code), version \(version) of \(records.count)"
            )
        }
        if version > shownVersion { shownVersion = version }
        if !records[version - 1].isEnd(of: bytes, from: start) {
            findings.note(
                "an event is shown as it was recorded",
                "room \(code), version \(version): \(String(decoding: bytes[start...], as: UTF8.self)) instead of "
                    + String(decoding: records[version - 1], as: UTF8.self))
        }
    }

    /// The fold at the version of a greeting; nil where there is no such version.
    func greet(at version: Int) -> RoomFold? {
        guard version <= records.count, version > 0 else { return nil }
        if version > shownVersion { shownVersion = version }
        if version < greeted.version { return fold(at: version) }
        let count = version - greeted.version
        for (step, time) in pending.prefix(count) { fold(&greeted, step, version: greeted.version + 1, time: time) }
        pending.removeFirst(count)
        return greeted
    }

    /// The folds from one version on to the newest: slow.
    func folds(from first: Int) -> [RoomFold] {
        var (result, folds) = (RoomFold(code: code), [RoomFold]())
        for version in 1...max(1, records.count) where version <= records.count {
            guard let event = JSONParser.read(records[version - 1]) else { break }
            fold(&result, .other(event, sealed: seals[version]), version: version, time: event["t"]?.number ?? 0)
            if version >= first { folds.append(result) }
        }
        return folds
    }

    /// From the beginning: slow.
    func fold(at version: Int) -> RoomFold {
        var result = RoomFold(code: code)
        for (index, record) in records.prefix(version).enumerated() {
            guard let event = JSONParser.read(record) else { break }
            fold(&result, .other(event, sealed: seals[index + 1]), version: index + 1, time: event["t"]?.number ?? 0)
        }
        return result
    }
}

extension RoomModel {
    /// This outage is recorded, and concerns this room.
    func leaveOut(_ outage: Outage) {
        attendances.change(at: context.now) { $0.leaveOut(from: outage.from, to: outage.to) }
        touchedAt = touchedAt.map { Attendance.moved($0, over: outage.from, outage.to) }
    }

    /// There are other nodes than before.
    func nodesChanged() {
        let now = NodesModel.home(of: code, among: context.nodes.names)
        guard now != home else { return }
        (home, movedAt, touchedAt, presenceChangedAt) = (now, context.now, context.now, context.now)
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
        chat = Chat()
        touchedAt = nil
    }
}
