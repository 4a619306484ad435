import EventStore
import Games
import Records
import RoomRules
import WebProtocols

/// A room that is awake here. It reads its stream, and passes the records to its home, which judges, and to its edge,
/// which notifies the members. Lives on one loop; every call comes from there.
public final class Room {
    public let code: String
    public let stream: RoomStream
    private(set) var home: RoomHome
    public let edge: RoomEdge
    private let timer: RoomTimer
    /// Records that were read again, newer than what members were shown.
    private var unshown: [Record] = []
    /// Whether the log, read again, differs from what members were shown.
    private var hasDiverged = false
    /// Whether the log may have gone back since it was read, and no check has shown that it has not.
    var isDoubtful = false
    /// Whether that check is still to be made.
    public var mustCompare = false { didSet { if mustCompare { isDoubtful = true } } }
    /// Called when this node gives the room up, once no append is on its way to the log.
    var whenGivenUp: [() -> Void] = []
    /// Whether the room was given up. Nothing of it is read here from then on.
    var hasGivenUp = false
    /// How often names were looked up. Only the last answer counts.
    private var namings = 0
    /// How often a reading was started, which may wait for a snapshot. Only the last one counts.
    var readings = 0
    let surroundings: RoomSurroundings
    /// Those that wait until the room is awake, or known not to be.
    var visitors: [() -> Void] = []

    init(code: String, timer token: UInt64, surroundings: RoomSurroundings) {
        (self.code, self.surroundings) = (code, surroundings)
        timer = RoomTimer(token, of: surroundings.timers)
        stream = RoomStream(code: code, surroundings: surroundings, timer: timer)
        home = RoomHome(stream: stream, surroundings: surroundings, timer: timer)
        edge = RoomEdge(room: stream, home: home, surroundings: surroundings, timer: timer)
        home.edge = edge
    }

    var timerToken: UInt64 { timer.token }
    var life: RoomStream.Life { stream.life }
    public var state: RoomState { stream.state }
    /// Connections, whether they have said hello or not.
    public var memberCount: Int { edge.members.count }
    /// How far its clock is ahead of hub time.
    public var lead: Milliseconds { stream.lead }
    /// Whether it is awake, and its home is not being left.
    public var isJudgedHere: Bool { life == .awake && !home.isBeingLeft }

    // MARK: Waking and sleeping

    /// Releases everything that holds the room. It wakes again when it is asked for.
    public func sleep() {
        readings += 1
        home.computers.dismissAll()
        surroundings.presence.set(PresenceCount(), in: code)
        stream.unfollow()
        timer.cancel()
    }

    /// Breaks reference cycles.
    public func discard() {
        sleep()
        home.close()
        edge.forgetPlayers()
        for member in edge.members { edge.leave(member) }
    }

    /// Whether nothing would be lost or late if the room slept.
    var maySleep: Bool {
        guard edge.members.isEmpty, visitors.isEmpty, home.isIdle else { return false }
        return switch life {
        case .absent, .broken, .unread: true
        case .loading, .naming: false
        case .awake: home.maySleep
        }
    }

    /// Reads everything again, for a new home that knows only what is read. `waiting` are the requests of the old home,
    /// which has judged nothing since `since`.
    func renewHome(taking waiting: [RoomRequest], since: Milliseconds?) {
        var lostTime = home.clock.lostTime
        lostTime.vacantSince = since
        stream.foldAnew()
        (unshown, hasDiverged) = ([], false)
        timer.cancel()
        home = RoomHome(stream: stream, surroundings: surroundings, timer: timer, lostTime: lostTime)
        (home.edge, edge.home) = (edge, home)
        edge.introduceMembers()
        for request in waiting { home.handle(request) }
        read()
    }

    /// Calls `visitor` as soon as it is known whether the room exists.
    func whenKnown(_ visitor: @escaping () -> Void) {
        switch life {
        case .loading, .naming: visitors.append(visitor)
        case .awake, .absent, .broken: visitor()
        case .unread:
            visitors.append(visitor)
            stream.life = .loading
            read()
        }
    }

    func become(_ life: RoomStream.Life) {
        stream.life = life
        let known = visitors
        visitors = []
        for visitor in known { visitor() }
    }

    // MARK: Time

    func timerFired() {
        if timer.fired() {
            // Otherwise it would be due again at once, and a stream that cannot be read would be read endlessly.
            edge.sendPresenceIfDue()
            return read()
        }
        home.clockFired()
        edge.sendPresenceIfDue()
    }

    /// The room could not be played in this time, which counts as nobody's absence.
    public func leaveOut(_ outage: Outage) {
        home.clock.attendance.leaveOut(from: outage.from + stream.lead, until: outage.until + stream.lead)
    }

    /// The room's loop could not play it.
    public func addLostTime(_ outage: Outage) { home.clock.lostTime.add(outage, now: surroundings.now) }

    /// The log has gone back to where another node had the room without judging it. What that owed is owed again.
    public func claimAgain(_ claim: Claim) { home.claimAgain(claim) }

    /// Checks the clock again, and judges what waits.
    public func checkClock() { home.checkClock() }

    /// A computer player has answered.
    public func computerReplied(_ reply: ComputerReply) { home.computers.judge(reply, in: home) }

    /// Whether the room may have lost time that is not in its log yet.
    public var owesTime: Bool {
        switch life {
        case .loading, .naming, .unread: true
        case .awake: home.clock.owesTime
        case .absent, .broken: false
        }
    }

    /// Since when time is lost that this home could not record; nil if none is.
    public var owedSince: Milliseconds? {
        switch life {
        case .loading, .naming, .unread, .broken, .awake: home.clock.uncountedSince
        case .absent: nil
        }
    }

    /// The log takes writes again. A room that could not be read is read again even if nobody asks for it, since it may
    /// have been woken for its deadline.
    public func logIsBack() {
        mustCompare = true
        switch life {
        case .loading:
            sleep()
            edge.presenceChanged()
            read()
        case .unread:
            stream.life = .loading
            read()
        default: home.logIsBack()
        }
    }
}

extension Room: LogClient {
    public func logSent(_ message: LogMessage, ticket: Ticket) {
        switch message {
        case .records(_, let records): if ticket == stream.ticket { recordsRead(records) }
        case .caughtUp(_, let version, let head):
            if ticket == stream.ticket { caughtUp(with: StreamEnd(version: version, head: head)) }
        case .followFailed(_, let error): if ticket == stream.ticket { followFailed(error) }
        default: break
        }
    }

    /// Durable records, in order. The state changes in no other way.
    func recordsRead(_ records: [Record]) {
        let known = stream.readVersion
        if let first = records.first, first.version == known, first.end != stream.readEnd { return streamHasGoneBack() }
        let first = records.firstIndex { $0.version > known } ?? records.count
        var next = first
        while next < records.count {
            let count: Int
            do throws(RoomState.FoldError) {
                count = try stream.fold(records[next...], decided: home.writer.decision)
            } catch {
                return foldFailed(records[next], error)
            }
            for index in next..<next + count { show(records[index]) }
            next += count
        }
        // While the stream is read, the state may be an older one.
        if life != .loading { edge.showHands() }
        surroundings.counters.events.add(records.count)
        stream.rememberCommands(in: records)
        home.recordsAppended(records)
        if life == .awake, records.contains(where: { $0.event.type == GameStarted.type }) { keepSnapshot() }
    }

    private func show(_ record: Record) {
        if !stream.isReadAnew { return edge.show(ShownEvent(record)) }
        if record.version > edge.shown.version { unshown.append(record) }
        if record.version == edge.shown.version { hasDiverged = record.end != edge.shown }
    }

    private func caughtUp(with end: StreamEnd) {
        let known = stream.readEnd
        guard end.version > known.version || end == known else { return streamHasGoneBack() }
        caughtUp()
    }

    func caughtUp() {
        guard life == .loading else { return }
        guard stream.isWhole else { return snapshotFailed("its game is not there") }
        isDoubtful = mustCompare
        let behind = stream.caughtUp()
        guard stream.state.version > 0 else { return vanish() }
        if stream.state.version < edge.shown.version { hasDiverged = true }
        if hasDiverged {
            edge.diverge()
        } else {
            for record in unshown { edge.show(ShownEvent(record)) }
            edge.showHands()
        }
        unshown = []
        // Absences are dated by the room's time.
        home.clock.attendance.shift(by: behind)
        edge.shift(by: behind)
        stream.life = .naming
        // Without names the room still plays: its players show as "someone".
        namings += 1
        surroundings.rows.findNames(of: stream.state.players) { [self, naming = namings] names in
            if naming == namings { namesFound(names) }
        }
    }

    /// The room does not exist, or no longer does.
    private func vanish() {
        if edge.shown.version > 0 {
            edge.closeAll(.policyViolation, "this room no longer exists")
            home.close()
        }
        become(.absent)
        if !whenGivenUp.isEmpty { isGivenUp() }
    }

    private func namesFound(_ names: [(player: PlayerID, name: String)]) {
        guard life == .naming else { return }
        for (player, name) in names { edge.setName(name, of: player) }
        if hasDiverged { edge.presenceChanged(isNewName: true) }
        // Before visitors are called, since they may make the room look at its clock.
        home.clock.lostTime.endVacancy(now: surroundings.now)
        become(.awake)
        edge.bringThoseAhead()
        home.startJudging()
        edge.armTimer()
    }

    func streamFailed(_ reason: String) {
        surroundings.logBrokenRoom(code, reason)
        edge.closeAll(.internalError, "the log of this room is damaged")
        home.close()
        become(.broken)
        if !whenGivenUp.isEmpty { isGivenUp() }
    }
}
