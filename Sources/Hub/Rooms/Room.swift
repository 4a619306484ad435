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
    static let seatEvents: Set = ["seat-taken", "seat-freed", "player-left"]
    /// Ids of the room's own commits begin so; no player's id does.
    static let ownPrefix = "hub/"
    /// Who has had no connection for so long is absent: others may act for the player.
    static let absence: Milliseconds = 60_000
    /// What the log refused for the clock is tried again after so long.
    static let retryPause: Milliseconds = 1_000
    /// A stream that cannot be read for so many times in a row, though the log is up, does not open.
    static let readingLimit = 10

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
        /// It could not be read while the log is down: whoever asks next has it tried again.
        case unread
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
    var chat = Chat()
    var computers = RoomComputers()
    /// The newest records, framed, oldest first.
    var recent: [(version: Int, hash: Digest, frame: Frame)] = []
    /// The newest commits, with the version of their last event.
    var answered: [String: Int] = [:]
    var answeredOrder: [String] = []

    var waiting: [Request] = []
    /// Requests that can be judged only when the game has been dealt; within `queueLimit`, too.
    var postponed: [Request] = []
    /// The request whose commit is on its way to the log: at most one.
    var inFlight: (request: Request, ticket: Ticket)?
    /// A request that lost against another writer, and the version to wait for before it is judged again.
    var conflicted: (request: Request, version: Int)?
    /// Whether the clock is to be looked at before anything else.
    var clockIsDue = false
    var followTicket: Ticket = 0
    /// Whether the stream could not be read just now, and is tried again when the timer fires.
    var mustFollowAgain = false
    /// Times in a row that it could not be read.
    var failedReadings = 0
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
        dismissComputers()
        surroundings.presence.set(PresenceCount(), in: code)
        surroundings.log.unfollow(followTicket, into: surroundings.inbox)
        surroundings.end(followTicket)
        surroundings.timers.cancel(timer)
    }

    /// Whether nothing would be lost or late if the room slept.
    func maySleep(now: Milliseconds) -> Bool {
        guard audience.members.isEmpty, waiting.isEmpty, postponed.isEmpty, inFlight == nil, conflicted == nil,
            awaiting.isEmpty
        else {
            return false
        }
        switch life {
        case .absent, .broken, .unread: return true
        case .loading, .naming: return false
        case .awake:
            // A game without a timer is watched until it ends: an hour after its last player has gone.
            guard state.phase != .running || state.deadline != nil, !isComputersTurn else { return false }
            let isQuiet = state.deadline.map { $0 > now + surroundings.limits.wakeAhead } ?? true
            return isQuiet && now - audience.emptySince >= surroundings.limits.sleepAfter
        }
    }

    /// Calls `visitor` as soon as it is known whether the room is there.
    func whenKnown(_ visitor: any RoomVisitor) {
        switch life {
        case .loading, .naming: awaiting.append(visitor)
        case .awake, .absent, .broken: visitor.roomIsKnown(self)
        case .unread:
            awaiting.append(visitor)
            life = .loading
            follow()
        }
    }

    func follow() {
        followTicket = surroundings.ticket(for: self)
        surroundings.log.follow(stream, after: state.version, ticket: followTicket, into: surroundings.inbox)
    }

    func become(_ life: Life) {
        self.life = life
        let known = awaiting
        awaiting = []
        for visitor in known { visitor.roomIsKnown(self) }
    }

    func fail(_ reason: String) {
        surroundings.logger.error("room does not open", metadata: ["room": "\(code)", "reason": "\(reason)"])
        for member in audience.members { member.close(.internalError, "the log of this room is damaged") }
        (waiting, postponed) = ([], [])
        (inFlight, conflicted) = (nil, nil)
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
        /// Whether a computer gives it, for itself or for a player: then the player is not back.
        var isComputers = false
    }

    func handle(_ request: Request) {
        guard waiting.count + postponed.count < Self.queueLimit else { return refuse(request, .busy) }
        waiting.append(request)
        proceed()
    }

    /// The deadline may have come: judged before anything that waits, and refused by no full queue.
    func clockFired() {
        if mustFollowAgain {
            mustFollowAgain = false
            return follow()
        }
        clockIsDue = true
        proceed()
        askComputer()
        sendPresenceIfDue()
    }

    /// Judges what waits, until an append is on its way.
    func proceed() {
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
        if state.phase == .dealing, request.command.waitsForTheDeal { return postponed.append(request) }
        do {
            let moment = moment(at: request.time)
            let events = try state.decide(request.command, by: request.player, moment)
            guard !events.isEmpty else { return answer(request, state.version) }
            append(events, for: request, at: moment.now)
        } catch { refuse(request, error) }
    }

    /// No event is from before the one before it.
    func moment(at time: Milliseconds) -> Moment {
        Moment(now: max(time, state.time), random: surroundings.random, attendance: audience)
    }

    /// What follows from the time alone: time that did not count first, then what is overdue.
    private func appendWhatClockSays() -> Bool {
        var events = state.extendClock(over: surroundings.outages)
        // A command that came before the deadline is judged before it, however long it had to wait.
        let isDue = state.deadline.map { $0 <= waiting.first?.time ?? surroundings.now } ?? false
        if events.isEmpty, isDue { events = state.wake(moment(at: surroundings.now)) }
        if events.isEmpty { events = eventsOfAbsence() }
        clockIsDue = false
        guard !events.isEmpty else { return false }
        appendOwn(events)
        return true
    }

    /// A player who was marked away and does anything is back, before what they do is judged.
    private func appendReturn(of request: Request) -> Bool {
        guard answered[request.commit] == nil, !request.isComputers else { return false }
        let events = state.act(request.player, moment(at: surroundings.now))
        guard !events.isEmpty else { return false }
        appendOwn(events)
        return true
    }

    /// A player whose seat a computer has kept is here again, and has it back.
    func comeBack(_ player: PlayerID) {
        guard let seat = state.seat(of: player), state.isHelped(seat) else { return }
        act(player)
    }

    /// The player does something that is no command of the game: who was away is back.
    func act(_ player: PlayerID) {
        guard !state.act(player, moment(at: surroundings.now)).isEmpty else { return }
        handle(
            Request(
                commit: Self.ownPrefix + "back/\(state.version)", command: .here, player: player,
                time: surroundings.now, member: nil, id: ""))
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

    func answer(_ request: Request, _ version: Int) {
        request.member?.answer(HubMessage.ok(request.id, version: version))
    }

    func refuse(_ request: Request, _ rejection: Rejection) {
        surroundings.counters.refusals.add(1)
        request.member?.answer(HubMessage.error(request.id, rejection))
    }

    // MARK: Timers

    /// One timer for all that the room waits for.
    func armTimer() {
        guard life == .awake else { return }
        // What could not be judged when it was due is tried again after a pause, not at once for ever.
        let due =
            clockIsDue
            ? surroundings.now + Self.retryPause
            : earlier(computerDeadline, earlier(state.deadline, attendanceDeadline))
        let next = earlier(audience.nextPresence, due)
        if let next {
            surroundings.timers.arm(timer, at: next)
        } else {
            surroundings.timers.cancel(timer)
        }
    }

    private func sendPresenceIfDue() {
        if let due = audience.nextPresence, due <= surroundings.now {
            let presence = audience.presence(seated: Set(state.seats.values))
            surroundings.presence.set(count(presence.players, spectators: presence.spectators), in: code)
            audience.sendPresence(
                HubMessage.presence(
                    players: presence.players, names: presence.names, spectators: presence.spectators),
                now: surroundings.now)
        }
        armTimer()
    }
}

/// The earlier of two times, of which either may never come; made without an array, since it is asked for each event.
func earlier(_ one: Milliseconds?, _ other: Milliseconds?) -> Milliseconds? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}

/// Who waits for a room to be known.
protocol RoomVisitor: AnyObject {
    func roomIsKnown(_ room: Room)
}
