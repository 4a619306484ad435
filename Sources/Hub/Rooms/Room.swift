import Cryptography
import EventStore
import Games
import WebProtocols

/// A room that is awake: its state, its audience, and the commands on their way through the log. Lives on one loop;
/// every call comes from there.
final class Room {
    /// Commands that may wait while an append is under way; past it, `busy`.
    static let queueLimit = 256
    /// The newest commits that are remembered by id, and the newest frames that are kept for those who resume.
    static let recentLimit = 256
    /// What makes a spectator of a player, or the other way round.
    private static let seatEvents: Set = ["seat-taken", "seat-freed", "player-left"]
    /// Ids of the room's own commits begin so; no player's id does.
    static let ownPrefix = "hub/"
    /// What the log refused for the clock is tried again after so long.
    static let retryPause: Milliseconds = 1_000

    enum Life: Equatable {
        /// Its stream is being read.
        case loading
        /// Read; the names of its players are being looked up.
        case naming
        case awake
        /// The stream has no records: there is no such room.
        case absent
        /// Its log cannot be read or does not fit together: it does not open.
        case broken(String)
    }

    let code: String
    let stream: StreamName
    let surroundings: RoomSurroundings
    let audience: Audience
    /// The name of this room's timer.
    let timer: UInt64
    var life = Life.loading
    var state: RoomState
    var names: [PlayerID: String] = [:]
    /// The newest records, framed, oldest first.
    var recent: [(version: Int, hash: Digest, frame: Frame)] = []
    /// The newest commits, with the version of their last event.
    private var answered: [String: Int] = [:]
    private var answeredOrder: [String] = []

    private var waiting: [Request] = []
    /// The request whose commit is on its way to the log: at most one.
    private var inFlight: (request: Request, ticket: Ticket)?
    /// A request that lost against another writer, and the version to wait for before it is judged again.
    private var conflicted: (request: Request, version: Int)?
    /// Whether the clock is to be looked at before anything else.
    private var clockIsDue = false
    private var followTicket: Ticket = 0
    /// Who waits for the room to be awake, or known not to be.
    private var awaiting: [any RoomVisitor] = []
    var resumes: [Ticket: (member: Member, after: Int, head: Digest?, upTo: Int)] = [:]

    init(code: String, timer: UInt64, surroundings: RoomSurroundings) {
        self.code = code
        stream = .room(code)
        self.timer = timer
        self.surroundings = surroundings
        state = RoomState(code: code)
        audience = Audience(now: surroundings.now)
    }

    // MARK: Waking and sleeping

    /// Reads the room's log, and follows it from then on.
    func wake() { follow() }

    /// Lets go of everything that holds the room; it wakes again when somebody asks for it.
    func sleep() {
        surroundings.log.unfollow(followTicket, into: surroundings.inbox)
        surroundings.end(followTicket)
        surroundings.timers.cancel(timer)
    }

    /// Whether nothing would be lost or late if the room slept.
    func maySleep(now: Milliseconds) -> Bool {
        guard audience.members.isEmpty, waiting.isEmpty, inFlight == nil, conflicted == nil, awaiting.isEmpty else {
            return false
        }
        switch life {
        case .absent, .broken: return true
        case .loading, .naming: return false
        case .awake:
            let isQuiet = state.deadline.map { $0 > now + surroundings.limits.wakeAhead } ?? true
            return isQuiet && now - audience.emptySince >= surroundings.limits.sleepAfter
        }
    }

    /// Calls `visitor` as soon as it is known whether the room is there.
    func whenKnown(_ visitor: any RoomVisitor) {
        switch life {
        case .loading, .naming: awaiting.append(visitor)
        case .awake, .absent, .broken: visitor.roomIsKnown(self)
        }
    }

    private func follow() {
        followTicket = surroundings.ticket(for: self)
        surroundings.log.follow(stream, after: state.version, ticket: followTicket, into: surroundings.inbox)
    }

    private func become(_ life: Life) {
        self.life = life
        let known = awaiting
        awaiting = []
        for visitor in known { visitor.roomIsKnown(self) }
    }

    func fail(_ reason: String) {
        surroundings.logger.error("room does not open", metadata: ["room": "\(code)", "reason": "\(reason)"])
        for member in audience.members { member.close(.internalError, "the log of this room is damaged") }
        waiting = []
        become(.broken(reason))
    }

    // MARK: Commands

    /// A command with whose it is. Those of the room itself have no member.
    struct Request {
        /// Unique in the stream for ever.
        let commit: String
        let command: RoomCommand
        let player: PlayerID
        let time: Milliseconds
        let member: Member?
        /// As the client named it.
        let id: String
    }

    func handle(_ request: Request) {
        guard waiting.count < Self.queueLimit else { return refuse(request, .busy) }
        waiting.append(request)
        proceed()
    }

    /// The deadline may have come: judged before anything that waits, and refused by no full queue.
    func clockFired() {
        clockIsDue = true
        proceed()
        sendPresenceIfDue()
    }

    /// Judges what waits, until an append is on its way.
    private func proceed() {
        guard life == .awake else { return }
        // Until the outage is recorded no clock may be judged, and nothing could be written anyway.
        guard !surroundings.isLogDown else { return refuseWaiting() }
        while inFlight == nil, conflicted == nil {
            if appendWhatClockSays() { return }
            guard let request = waiting.first else { return }
            if appendReturn(of: request) { return }
            waiting.removeFirst()
            judge(request)
        }
    }

    private func judge(_ request: Request) {
        if let version = answered[request.commit] { return answer(request, version) }
        do {
            let events = try state.decide(
                request.command, by: request.player, at: max(request.time, state.time), random: surroundings.random)
            guard !events.isEmpty else { return answer(request, state.version) }
            append(events, for: request, at: max(request.time, state.time))
        } catch { refuse(request, error) }
    }

    /// What follows from the time alone: time that did not count first, then what is overdue.
    private func appendWhatClockSays() -> Bool {
        var events = state.extendClock(over: surroundings.outages)
        // A command that came before the deadline is judged before it, however long it had to wait.
        let isDue = state.deadline.map { $0 <= waiting.first?.time ?? surroundings.now } ?? false
        if events.isEmpty, isDue { events = state.wake(at: surroundings.now, random: surroundings.random) }
        clockIsDue = false
        guard !events.isEmpty else { return false }
        appendOwn(events)
        return true
    }

    /// A player who was marked away and does anything is back, before what they do is judged.
    private func appendReturn(of request: Request) -> Bool {
        guard answered[request.commit] == nil else { return false }
        let events = state.act(request.player, at: surroundings.now, random: surroundings.random)
        guard !events.isEmpty else { return false }
        appendOwn(events)
        return true
    }

    private func appendOwn(_ events: [RoomEvent]) {
        let request = Request(
            commit: Self.ownPrefix + String(state.version), command: .here, player: "", time: surroundings.now,
            member: nil, id: "")
        append(events, for: request, at: max(surroundings.now, state.time))
    }

    private func append(_ events: [RoomEvent], for request: Request, at time: Milliseconds) {
        let encoded = events.enumerated().map { index, event in
            EventCoding.encode(event, version: state.version + 1 + index, at: time)
        }
        let ticket = surroundings.ticket(for: self)
        inFlight = (request, ticket)
        surroundings.log.append(
            Commit(id: request.commit, events: encoded), to: stream, expecting: state.version, ticket: ticket,
            answer: surroundings.inbox)
    }

    private func answer(_ request: Request, _ version: Int) {
        request.member?.answer(HubMessage.ok(request.id, version: version))
    }

    private func refuse(_ request: Request, _ rejection: Rejection) {
        surroundings.counters.refusals.add(1)
        request.member?.answer(HubMessage.error(request.id, rejection))
    }

    // MARK: What the log says

    /// Records that are durable, in order: the only way in which the state ever changes.
    private func receive(_ records: [Record]) {
        for record in records where record.version > state.version {
            do throws(RoomState.FoldError) { try state.apply(record) } catch {
                return fail("\(error)")
            }
            let frame = Frame.text(record.event.shown)
            remember(record, frame)
            audience.broadcast(frame, now: surroundings.now)
            if Self.seatEvents.contains(record.event.type) { audience.presenceChanged() }
        }
        surroundings.counters.events.add(records.count)
        if let conflict = conflicted, state.version >= conflict.version {
            conflicted = nil
            putBack(conflict.request)
        }
        proceed()
        armTimer()
    }

    private func remember(_ record: Record, _ frame: Frame) {
        // The room's own commits are never asked for again by a client.
        if !record.commit.hasPrefix(Self.ownPrefix), answered.updateValue(record.version, forKey: record.commit) == nil
        {
            answeredOrder.append(record.commit)
        }
        recent.append((record.version, record.hash, frame))
        // Twice the limit and then cut to it: so nothing is moved for most records.
        if answeredOrder.count > Self.recentLimit * 2 {
            for old in answeredOrder.prefix(Self.recentLimit) { answered[old] = nil }
            answeredOrder.removeFirst(Self.recentLimit)
        }
        if recent.count > Self.recentLimit * 2 { recent.removeFirst(Self.recentLimit) }
    }

    /// The log's answer to an append: it comes behind the records of that append.
    private func settled(_ outcome: AppendAnswer) {
        guard let (request, ticket) = inFlight else { return }
        surroundings.end(ticket)
        inFlight = nil
        switch outcome {
        case .appended(let version): answer(request, version)
        case .conflict(let actual):
            if state.version < actual {
                conflicted = (request, actual)
            } else {
                putBack(request)
            }
        case .unavailable:
            refuse(request, .logUnavailable)
            refuseWaiting()
            return armTimer()
        case .outcomeUnknown:
            // Whether it was written is told by the stream itself: it is read before anything else is judged.
            surroundings.log.unfollow(followTicket, into: surroundings.inbox)
            surroundings.end(followTicket)
            putBack(request)
            life = .loading
            follow()
            return
        }
        proceed()
        armTimer()
    }

    /// To be judged again before all others. What the room did of itself is asked of the clock anew: it may say
    /// something else by now.
    private func putBack(_ request: Request) {
        if request.commit.hasPrefix(Self.ownPrefix) {
            clockIsDue = true
        } else {
            waiting.insert(request, at: 0)
        }
    }

    /// The log takes nothing: whoever waits is told so at once, instead of one after the other.
    private func refuseWaiting() {
        let refused = waiting
        waiting = []
        for request in refused { refuse(request, .logUnavailable) }
        clockIsDue = true
    }

    /// The log takes writes again.
    func logIsBack() {
        if life == .loading {
            sleep()
            return follow()
        }
        clockIsDue = true
        proceed()
        armTimer()
    }

    private func followFailed(_ error: EventLogError) {
        surroundings.end(followTicket)
        // A room that people are in waits for the log to come back, unless the log itself is what is wrong.
        if case .chainBroken = error { return fail("\(error)") }
        if audience.members.isEmpty { fail("\(error)") }
    }

    private func caughtUp() {
        guard life == .loading else { return }
        guard state.version > 0 else { return become(.absent) }
        life = .naming
        let ticket = surroundings.ticket(for: self)
        surroundings.projections.players(
            ids: Array(state.players), ticket: ticket, answer: surroundings.inbox)
    }

    private func named(_ rows: [PlayerRow]) {
        for row in rows { names[row.id] = row.name }
        guard life == .naming else { return }
        become(.awake)
        clockIsDue = true
        proceed()
        armTimer()
    }

    // MARK: Timers

    /// One timer for all that the room waits for.
    func armTimer() {
        guard life == .awake else { return }
        let deadline = clockIsDue ? surroundings.now + Self.retryPause : state.deadline
        let next = [deadline, audience.nextPresence].compactMap { $0 }.min()
        if let next {
            surroundings.timers.arm(timer, at: next)
        } else {
            surroundings.timers.cancel(timer)
        }
    }

    private func sendPresenceIfDue() {
        if let due = audience.nextPresence, due <= surroundings.now {
            let presence = audience.presence(seated: Set(state.seats.values))
            audience.sendPresence(
                HubMessage.presence(
                    players: presence.players, names: presence.names, spectators: presence.spectators),
                now: surroundings.now)
        }
        armTimer()
    }
}

/// Who waits for a room to be known.
protocol RoomVisitor: AnyObject {
    func roomIsKnown(_ room: Room)
}

extension Room: LogClient {
    func receive(_ message: LogMessage, ticket: Ticket) {
        switch message {
        case .records(_, let records): if ticket == followTicket { receive(records) }
        case .caughtUp: if ticket == followTicket { caughtUp() }
        case .followFailed(_, let error): if ticket == followTicket { followFailed(error) }
        case .settled(_, let answer): if ticket == inFlight?.ticket { settled(answer) }
        case .loaded(_, let result): loaded(result, ticket: ticket)
        case .players(_, let result):
            surroundings.end(ticket)
            // Without names the room still plays: its players show as "someone".
            named((try? result.get()) ?? [])
        case .rooms, .reached, .erased, .availability: break
        }
    }
}
