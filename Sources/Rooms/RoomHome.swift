import EventStore
import Games
import Records
import RoomRules

/// The home of a room. It judges requests, one append at a time, and keeps the clock. It exchanges only values with the
/// room's edge. Lives on one loop; every call comes from there.
final class RoomHome {
    /// What could not be judged when it was due is tried again after this pause, and not at once for ever.
    static let retryPause: Milliseconds = 1_000

    let stream: RoomStream
    let surroundings: RoomSurroundings
    private let timer: RoomTimer
    let computers: RoomComputers
    /// Weak, not unowned: the log may still answer this after the room has released both.
    weak var edge: RoomEdge?
    var clock: RoomClock
    var queue = RequestQueue()
    var writer = RoomWriter()
    var faults = GameFaults()
    /// Called once no append is on its way, with the waiting requests. Another home takes over, here or elsewhere.
    private var whenLeft: (([RoomRequest]) -> Void)?

    init(stream: RoomStream, surroundings: RoomSurroundings, timer: RoomTimer, lostTime: LostTime = LostTime()) {
        (self.stream, self.surroundings, self.timer) = (stream, surroundings, timer)
        computers = RoomComputers(stream: stream, surroundings: surroundings)
        clock = RoomClock(of: stream, surroundings, lostTime: lostTime)
    }

    // MARK: Requests

    func handle(_ request: RoomRequest) {
        // A computer has one request at a time, and a player one return. If refused, these would not come again.
        if queue.isFull, request.asker.move == nil, !request.isReturn {
            surroundings.counters.hit(.waitingCommands)
            return refuse(request, .busy)
        }
        queue.add(request)
        judgeWaiting()
    }

    /// Judges what waits, until an append is on its way.
    func judgeWaiting() {
        guard stream.isAwake, !isBeingLeft else { return }
        // Until the outage is recorded no clock may be judged, and nothing could be written anyway.
        guard !surroundings.isLogDown else { return refuseWaiting() }
        guard surroundings.canPlay else { return }
        while stream.isAwake, writer.isIdle {
            if appendWhatClockSays() { return }
            guard let request = queue.first else { return }
            if appendReturn(by: request) { return }
            queue.removeFirst()
            judge(request)
        }
    }

    private func judge(_ request: RoomRequest) {
        if let move = request.asker.move, !computers.isToJudge(move) { return }
        if let version = answeredVersion(of: request) { return answer(request, .done(version: version)) }
        if stream.state.phase == .dealing, request.command.waitsForTheDeal { return queue.postpone(request) }
        do throws(Rejection) {
            let decision = try stream.state.decide(
                request.command, by: request.asker.player, clock.context(at: request.time))
            guard decision.isEmpty else {
                try surroundings.writeAllowances.countWrite(by: request, surroundings)
                return append(decision, for: request)
            }
            answer(request, .done(version: stream.state.version))
            computers.requestFailed(request, code: nil, in: self)
        } catch {
            refuse(request, error)
            computers.requestFailed(request, code: error.code, in: self)
        }
    }

    /// The version after `request`, if it is in the log and remembered.
    private func answeredVersion(of request: RoomRequest) -> Int? {
        request.commit.flatMap { stream.answered.version(of: $0) }
    }

    func answer(_ request: RoomRequest?, _ answer: RoomAnswer) {
        if case .member(_, let address) = request?.asker { edge?.send(answer, to: address) }
    }

    func refuse(_ request: RoomRequest?, _ rejection: Rejection) {
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
        clock.isDue = true
    }

    // MARK: Players and computers

    func reportAttendance(_ report: AttendanceReport) {
        clock.attendance.record(report, at: stream.now)
        switch report {
        case .spoke(let player): bringBack(player)
        case .greeted(let player):
            // A player whose seat a computer has kept is back, and gets it again.
            if let seat = stream.state.seat(of: player), stream.state.isHelped(seat) { bringBack(player) }
        case .opened, .closed, .came, .went: break
        }
        armTimer()
    }

    /// The player did something other than a command of the game. A player who was away is back.
    private func bringBack(_ player: PlayerID) {
        guard stream.state.act(player, clock.context) != nil, !queue.holdsReturn(of: player) else { return }
        handle(RoomRequest(.player(player), .own(HereCommand()), at: stream.now))
    }

    /// A player who was marked away and does anything is back, before what they do is judged.
    private func appendReturn(by request: RoomRequest) -> Bool {
        guard request.asker.move == nil, answeredVersion(of: request) == nil,
            let decision = stream.state.act(request.asker.player, clock.context)
        else { return false }
        appendOwn(decision)
        return true
    }

    // MARK: Time

    /// The deadline may have come. It is judged before all that waits, and no full queue refuses it.
    func clockFired() {
        clock.isDue = true
        judgeWaiting()
        computers.ask()
        armTimer()
    }

    /// Checks the clock again, and judges what waits.
    func checkClock() {
        clock.isDue = true
        judgeWaiting()
        armTimer()
    }

    private func appendWhatClockSays() -> Bool {
        if endFaultyGame() { return true }
        guard let decision = clock.decide(before: queue.first?.time) else { return false }
        appendOwn(decision)
        return true
    }

    func claimAgain(_ claim: Claim) {
        clock.lostTime.owe(claim, until: surroundings.now, surroundings)
        guard stream.isAwake else { return }
        clock.lostTime.endVacancy(now: surroundings.now)
        checkClock()
    }

    func armTimer() {
        guard stream.isAwake, !isBeingLeft else { return }
        let due = clock.isDue ? stream.now + Self.retryPause : earlier(computers.deadline, clock.deadline)
        timer.set(home: due.map { $0 - stream.lead })
    }

    // MARK: Waking and sleeping

    /// The stream has been read, or read again.
    func startJudging() {
        computers.update([], in: self)
        checkClock()
    }

    /// The log takes writes again.
    func logIsBack() {
        computers.forgetRequests(in: self)
        checkClock()
    }

    /// The room ends here. Nothing that waits is judged.
    func close() {
        (queue, writer) = (RequestQueue(), RoomWriter())
        whenLeft = nil
    }

    /// Another home judges from now on, so nothing more is started here. Calls `then` with the waiting requests once no
    /// append is on its way.
    func leave(then: @escaping ([RoomRequest]) -> Void) {
        computers.dismissAll()
        whenLeft = then
        leaveIfSettled()
    }

    var isBeingLeft: Bool { whenLeft != nil }

    func leaveIfSettled() {
        guard let whenLeft, !writer.isUnderWay else { return }
        if let append = writer.release(at: .max) { putBack(append.request) }
        self.whenLeft = nil
        whenLeft(queue.takeAll())
    }

    /// Whether nothing is under way.
    var isIdle: Bool { queue.isEmpty && writer.isIdle }

    /// Whether nothing would be lost or late if the room slept.
    var maySleep: Bool {
        // Asked of each room again and again. This settles most of them.
        guard stream.now - clock.attendance.emptySince >= surroundings.limits.sleepAfter, !computers.areAwaited else {
            return false
        }
        return stream.state.maySleep(until: stream.now + surroundings.limits.wakeAhead, clock.attendance)
    }
}
