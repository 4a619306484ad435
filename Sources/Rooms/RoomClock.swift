import Games
import RoomRules

/// What happens in a room by itself: what follows from the time, and from who is connected.
struct RoomClock {
    private let stream: RoomStream
    private let surroundings: RoomSurroundings
    var attendance: Attendance
    var lostTime: LostTime
    /// Whether it must be checked before anything else.
    var isDue = false

    init(of stream: RoomStream, _ surroundings: RoomSurroundings, lostTime: LostTime) {
        (self.stream, self.surroundings, self.lostTime) = (stream, surroundings, lostTime)
        attendance = Attendance(now: surroundings.now)
    }

    /// The context of a decision made now.
    var context: DecisionContext { context(at: stream.now) }

    /// The context of a decision about what came at `time`. No event is earlier than the one before it.
    func context(at time: Milliseconds) -> DecisionContext {
        DecisionContext(now: max(time, stream.state.time), random: surroundings.random, attendance: attendance)
    }

    /// What follows from the time alone: first time that did not count, then what is overdue. A command that came at
    /// `asked`, before the deadline, is judged before it, however long it had to wait.
    mutating func decide(before asked: Milliseconds?) -> Decision? {
        defer { isDue = false }
        let lost = unrecordedLostTime
        if !lost.isEmpty {
            let decision = Decision(on: stream.state, context)
            decision.add(lost)
            return decision
        }
        if let deadline = stream.state.deadline, deadline <= asked ?? stream.now,
            let decision = stream.state.wake(context)
        {
            return decision
        }
        // The timer also covers absence, so absence is checked only after it fires.
        return isDue ? stream.state.decideAbsence(context, keepsHost: keepsHost) : nil
    }

    /// When it must be checked; nil if never.
    var deadline: Milliseconds? {
        earlier(stream.state.deadline, stream.state.absenceDeadline(attendance, keepsHost: keepsHost))
    }

    /// The room continues without a new host while another node could not read the event.
    private var keepsHost: Bool { surroundings.unreadable.contains(HostChanged.type) }

    /// Whether time is lost that is not in the log yet.
    var owesTime: Bool { !unrecordedLostTime.isEmpty }

    private var unrecordedLostTime: [RoomEvent] {
        stream.state.extendClock(over: surroundings.history.outages, own: lostTime.outages, lead: stream.lead)
    }

    /// The start of lost time that was not counted, for the next home; nil if there is none.
    var uncountedSince: Milliseconds? {
        let counted = stream.isAwake ? max(stream.state.extendedUntil, stream.state.time) - stream.lead : .min
        return lostTime.earliest(after: counted)
    }
}
