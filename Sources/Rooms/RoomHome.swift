import EventStore
import Games
import Records
import RoomRules

/// The home of a room. It judges requests, one append at a time, keeps the clock, and asks the computers. It exchanges
/// only values with the room's edge. Lives on one loop; every call comes from there.
public final class RoomHome {
    /// What could not be judged when it was due is tried again after this pause, and not at once for ever.
    static let retryPause: Milliseconds = 1_000

    /// What is on its way to the log: one append at a time.
    enum Writing {
        case nothing
        case underWay(PendingAppend)
        /// Another commit came first. The stream is read up to it before this is judged again.
        case overtaken(PendingAppend, by: Int)
    }

    let stream: RoomStream
    let surroundings: RoomSurroundings
    let timer: RoomTimer
    let computers: RoomComputers
    /// Weak, not unowned: the log may still answer this after the room has released both.
    weak var edge: RoomEdge?
    var attendance: Attendance
    var queue = RequestQueue()
    var writing = Writing.nothing
    /// Whether the running game has a fault: it ends before anything else is judged.
    var mustEndGame = false
    /// The version of the newest fault that was logged.
    var loggedFault: Int?
    /// Whether the clock must be checked before anything else.
    var clockIsDue = false
    /// Called once no append is on its way, with the waiting requests. Another home takes over, here or elsewhere.
    var whenLeft: (([RoomRequest]) -> Void)?
    /// Since when the room has had no home that judged; nil if nothing was lost by that.
    var vacantSince: Milliseconds?
    /// On a cluster, when this node claimed the room.
    var claimedAt: Milliseconds = 0
    /// Times in which the room could not be played here, and that are not in the stream `hub`. Kept for an hour: a
    /// record may show that there is time to make up for, or be lost.
    var vacancies = Outages()

    init(stream: RoomStream, surroundings: RoomSurroundings, timer: RoomTimer) {
        (self.stream, self.surroundings, self.timer) = (stream, surroundings, timer)
        computers = RoomComputers(stream: stream, surroundings: surroundings)
        attendance = Attendance(now: surroundings.now)
    }

    // MARK: Commands

    func handle(_ request: RoomRequest) {
        // A computer has one request at a time, and a player one return. If refused, these would not come again.
        if queue.isFull, request.asker.move == nil, !request.isReturn {
            surroundings.counters.hit(.waitingCommands)
            return refuse(request, .busy)
        }
        queue.add(request)
        proceed()
    }

    /// Judges what waits, until an append is on its way.
    func proceed() {
        guard stream.isAwake, whenLeft == nil else { return }
        // Until the outage is recorded no clock may be judged, and nothing could be written anyway.
        guard !surroundings.isLogDown else { return refuseWaiting() }
        guard surroundings.canPlay else { return }
        while stream.isAwake, case .nothing = writing {
            if appendWhatClockSays() { return }
            guard let request = queue.first else { return }
            if appendReturn(by: request) { return }
            queue.removeFirst()
            judge(request)
        }
    }

    private func judge(_ request: RoomRequest) {
        // A computer's move is for one version. It is asked again at each, and may have moved since.
        if let move = request.asker.move, move.version != stream.state.version { return }
        if let version = answeredVersion(of: request) { return answer(request, .done(version: version)) }
        if stream.state.phase == .dealing, request.command.waitsForTheDeal { return queue.postpone(request) }
        do throws(Rejection) {
            let decision = try stream.state.decide(
                request.command, by: request.asker.player, context(at: request.time))
            guard decision.isEmpty else {
                try takeWrite(request)
                return append(decision, for: .request(request))
            }
            answer(request, .done(version: stream.state.version))
            computerFailed(request, code: nil)
        } catch {
            refuse(request, error)
            computerFailed(request, code: error.code)
        }
    }

    /// The version after `request`, if it is in the log and remembered.
    private func answeredVersion(of request: RoomRequest) -> Int? {
        request.commit.flatMap { stream.answered.version(of: $0) }
    }

    /// The context of a decision made now, or when a request came. No event is earlier than the one before it.
    func context(at time: Milliseconds) -> DecisionContext {
        DecisionContext(now: max(time, stream.state.time), random: surroundings.random, attendance: attendance)
    }

    func answer(_ request: RoomRequest, _ result: RoomAnswer.Result) {
        guard case .member(_, let address) = request.asker else { return }
        edge?.receive(RoomAnswer(address: address, result: result))
    }

    func refuse(_ request: RoomRequest, _ rejection: Rejection) {
        surroundings.counters.refused(rejection)
        answer(request, .refused(rejection))
    }

    /// Nothing can be written, so all waiting requests are refused at once. One that is found to be in the log already
    /// is answered as done.
    func refuseWaiting(because rejection: Rejection = .logUnavailable) {
        for request in queue.takeRefusable() {
            if let version = answeredVersion(of: request) {
                answer(request, .done(version: version))
            } else {
                refuse(request, rejection)
            }
        }
        clockIsDue = true
    }

    // MARK: Attendance

    /// A member has seen more than was shown here. Reads the log, if other nodes may have written to it, and then calls
    /// `bringThoseAhead` of the edge.
    func readFurther() {
        guard surroundings.isShared else { return edge?.bringThoseAhead() ?? () }
        surroundings.load(stream.name, after: stream.readVersion, limit: 1) { [self] result in
            guard stream.isAwake, whenLeft == nil else { return }
            // Another node has been the room's home since.
            if case .success(let records) = result, !records.isEmpty { return stream.goneBack() }
            edge?.bringThoseAhead()
        }
    }

    /// How many are connected, as members are shown. Lists on all nodes show it.
    func receive(_ count: PresenceCount) { surroundings.presence.set(count, in: stream.code) }

    func receive(_ report: AttendanceReport) {
        attendance.note(report, at: stream.now)
        switch report {
        case .spoke(let player): act(player)
        case .greeted(let player):
            // A player whose seat a computer has kept is back, and gets it again.
            if let seat = stream.state.seat(of: player), stream.state.isHelped(seat) { act(player) }
        case .opened, .closed, .came, .went: break
        }
        armTimer()
    }

    /// The player did something other than a command of the game. A player who was away is back.
    private func act(_ player: PlayerID) {
        guard stream.state.act(player, context(at: stream.now)) != nil, !queue.holdsReturn(of: player) else { return }
        handle(RoomRequest(.player(player), .own(HereCommand()), at: stream.now))
    }

    /// A player who was marked away and does anything is back, before what they do is judged.
    private func appendReturn(by request: RoomRequest) -> Bool {
        guard request.asker.move == nil, answeredVersion(of: request) == nil,
            let decision = stream.state.act(request.asker.player, context(at: stream.now))
        else { return false }
        appendOwn(decision)
        return true
    }

    // MARK: Time

    /// The deadline may have come. It is judged before all that waits, and no full queue refuses it.
    func clockFired() {
        clockIsDue = true
        proceed()
        computers.ask()
        armTimer()
    }

    /// Checks the clock again, and judges what waits.
    public func goOn() {
        clockIsDue = true
        proceed()
        armTimer()
    }

    /// The log takes writes again.
    func logIsBack() {
        computers.forgetRequests()
        goOn()
    }

    /// The stream has been read, or read again.
    func begin() {
        computers.update([], answering: self)
        goOn()
    }

    /// The room ends here. Nothing that waits is judged.
    public func end() {
        queue = RequestQueue()
        writing = .nothing
        whenLeft = nil
    }

    /// Another home judges from now on, so nothing more is started here. Calls `then` with the waiting requests once no
    /// append is on its way.
    func leave(then: @escaping ([RoomRequest]) -> Void) {
        computers.dismissAll()
        whenLeft = then
        leaveIfIdle()
    }

    /// Appends what follows from the time alone: first time that did not count, then what is overdue.
    private func appendWhatClockSays() -> Bool {
        if endFaultyGame() { return true }
        var decision = decided(lostTime)
        // A command that came before the deadline is judged before it, however long it had to wait.
        let isDue = stream.state.deadline.map { $0 <= queue.first?.time ?? stream.now } ?? false
        if decision == nil, isDue { decision = stream.state.wake(context(at: stream.now)) }
        // The timer is armed for `attendanceDeadline` too, so nothing of it is due before it fires.
        if decision == nil, clockIsDue { decision = decisionOfAbsence() }
        clockIsDue = false
        guard let decision else { return false }
        appendOwn(decision)
        return true
    }

    /// Whether time is lost that is not in the log yet.
    var owesTime: Bool { !lostTime.isEmpty }

    private var lostTime: [RoomEvent] {
        stream.state.extendClock(over: surroundings.history.outages, own: vacancies, lead: stream.lead)
    }

    func armTimer() {
        guard stream.isAwake, whenLeft == nil else { return }
        let due =
            clockIsDue
            ? stream.now + Self.retryPause
            : earlier(computers.deadline, earlier(stream.state.deadline, attendanceDeadline))
        timer.set(home: due.map { $0 - stream.lead })
    }

    /// Whether nothing is under way.
    var isIdle: Bool {
        guard queue.isEmpty, case .nothing = writing else { return false }
        return true
    }
}

extension RoomHome: LogClient {
    public func receive(_ message: LogMessage, ticket: Ticket) {
        switch message {
        case .settled(_, let answer): settled(answer, ticket: ticket)
        case .loaded(_, let result):
            surroundings.end(ticket)
            if computers.loaded(result, ticket: ticket) { armTimer() }
        default: break
        }
    }

    /// These records are in the log, and in the state.
    func recorded(_ records: [Record]) {
        if stream.isAwake, whenLeft == nil { computers.update(records, answering: self) }
        if stream.state.phase != .dealing { queue.resume() }
        if case .overtaken(let append, let version) = writing, stream.state.version >= version {
            writing = .nothing
            putBack(append.cause)
        }
        // The answer to an append of its own comes next, and with it the room continues.
        if case .underWay = writing { return }
        proceed()
        armTimer()
    }
}
