import EventStore
import Games
import Records
import RoomRules

/// Notices when a shard's rooms cannot be played, since the loop stood still or the log takes no writes, and has it
/// recorded; follows the stream `hub`, and lets the rooms go on once all of it stands there.
final class OutageWatch {
    private let surroundings: RoomSurroundings
    private let rooms: AwakeRooms
    private let loop: Outage.Loop
    private let recorder: OutageRecorder
    /// Told that the log takes writes again.
    private let dueRooms: DueRooms?
    private var ticket: Ticket = 0
    /// The stream could not be read just now: when it is tried again; nil: it could.
    private var followsAt: Milliseconds?
    private static let retryPause: Milliseconds = 500
    /// What was read so far of a stream that has gone back, from its beginning; nil: it has not.
    private var anew: [Record]?
    private var isLogAway = false
    private var isLeaseOut = false
    /// Until when others take this node to be there, once the stream `hub` has been read up to a version.
    private var nextLease: (end: Milliseconds, hubVersion: Int)?
    /// Rooms that may not have written yet what they have lost.
    private var owing: [Room] = []
    /// Whether rooms have not been told yet that the log takes writes again.
    private var isLogBackDue = false
    /// Up to where the stream `hub` has been read.
    private var hubVersion: Int { recorder.hubEnd.version }
    /// Told by which record others serve than before; nil: the stream has gone back.
    var nodesChanged: ((Record?) -> Void)?
    /// Told that the log, which was away, takes writes again: it may hold less than before.
    var logIsBack: (() -> Void)?
    /// The first shard's, of a node.
    var keeper: NodeKeeper?

    /// `outages` of the surroundings must hold those of the stream `hub` up to `hubEnd`. `dueRooms`: the first shard's.
    init(
        _ surroundings: RoomSurroundings, rooms: AwakeRooms, loop: Outage.Loop, hubEnd: StreamEnd, dueRooms: DueRooms?
    ) {
        (self.surroundings, self.rooms, self.loop, self.dueRooms) = (surroundings, rooms, loop, dueRooms)
        recorder = OutageRecorder(surroundings, loop: loop, hubEnd: hubEnd)
    }

    /// A node judges nothing before it has renewed its lease.
    func awaitLease() { (isLeaseOut, surroundings.leaseEnd) = (true, surroundings.now - 1) }

    /// For which what was lost is kept: longer than it takes any room to write it.
    static let memory: Milliseconds = 3_600_000

    /// Begins to listen to the log.
    func start() {
        follow()
        surroundings.log.watchAvailability(into: surroundings.inbox)
    }

    private func follow() {
        followsAt = nil
        ticket = surroundings.ticket(for: self)
        // The newest record that is known must still be there.
        let first = anew == nil ? max(0, recorder.hubEnd.version - 1) : 0
        if anew != nil { anew = [] }
        surroundings.log.follow(.hub, after: first, ticket: ticket, into: surroundings.inbox)
    }

    private func followAnew() {
        surroundings.log.unfollow(ticket, into: surroundings.inbox)
        surroundings.end(ticket)
        follow()
    }

    /// A turn begins.
    func turnBegan() {
        if let followsAt, followsAt <= surroundings.now { follow() }
        lookAtLease()
    }

    /// Tries again what could not be written.
    func sweep() { recorder.goOn() }

    /// The shard's loop has not turned since `from`.
    func stoodStill(from: Milliseconds) {
        let now = surroundings.now
        surroundings.counters.stalls.add(1)
        surroundings.loggers.log.warning(
            "an event loop was blocked: that time counts against no one",
            metadata: ["loop": "\(loop.index)", "for": "\(now - from) ms"])
        // Whoever is behind could not catch up.
        for room in rooms.all { room.edge.shift(by: now - from) }
        surroundings.logSilence.stoodStill(until: now)
        leaveOut(recorder.stoodStill(from: from, until: now))
    }

    /// An append is answered, ahead of whoever asked for it.
    func logAnswered() {
        let now = surroundings.now
        let silentSince = surroundings.logSilence.begun(at: now)
        surroundings.logSilence.answered(at: now)
        guard let silentSince, let outage = recorder.stoodStill(from: silentSince, until: now) else { return }
        surroundings.loggers.log.warning(
            "the log did not answer: that time counts against no one",
            metadata: ["loop": "\(loop.index)", "for": "\(now - silentSince) ms"])
        leaveOut(outage)
    }

    /// Rooms of a node give it back at once; else once it is in the log.
    private func leaveOut(_ outage: Outage?) {
        guard let outage else { return }
        for room in rooms.all { room.leaveOut(outage) }
        guard surroundings.cluster != nil else { return }
        surroundings.outageKept?(outage)
        surroundings.stops.forget(before: surroundings.now - Self.memory)
        surroundings.stops.add(outage)
        for room in rooms.all { room.home.lost(outage) }
        owing = rooms.all
        change { recorder.goOnIfAllIsSeen() }
    }

    /// Whether all that rooms have lost is in the log, but for what is not over.
    var isSettled: Bool {
        if !owing.isEmpty { owing.removeAll { rooms[$0.code] !== $0 || !$0.owesTime } }
        return owing.isEmpty
    }

    func availabilityChanged(_ availability: Availability) {
        switch availability {
        case .unavailable(let error):
            let wasDown = surroundings.isLogDown
            isLogAway = true
            recorder.stopped(at: begin(of: error))
            if error == .fenced { keeper?.end() }
            if loop.index == 0, !wasDown, error != .fenced {
                surroundings.loggers.log.error(
                    "the log takes no writes: play stops", metadata: ["reason": "\(error.sentence)"])
            }
        case .available:
            // It may be another database by now, which holds less.
            if isLogAway { followAnew() }
            isLogAway = false
            goOn()
        }
    }

    /// Since when nothing could be written: a stall is told late, and begins with the disk, not with what this loop
    /// has asked of the log.
    private func begin(of error: EventLogError) -> Milliseconds {
        let now = surroundings.now
        let silentSince = surroundings.logSilence.begun(at: now) ?? now
        guard case .stalled(let span) = error else { return silentSince }
        return min(silentSince, now - span)
    }

    /// Rooms go on when the record of the outage has come, where it is recorded.
    private func goOn() {
        if !isLogAway, !isLeaseOut { leaveOut(recorder.mayGoOn(at: surroundings.now)) }
    }

    /// Other nodes may take this one for lost.
    private func lookAtLease() {
        guard surroundings.now > surroundings.leaseEnd, !isLeaseOut else { return }
        isLeaseOut = true
        let silentSince = surroundings.logSilence.begun(at: surroundings.now) ?? surroundings.leaseEnd
        recorder.stopped(at: min(surroundings.leaseEnd, silentSince))
        guard loop.index == 0 else { return }
        surroundings.loggers.hub.error("the database has not heard of this node for too long: play stops")
    }

    /// The other nodes take this one to be there until `end`. Nothing is judged by that before the stream `hub` has
    /// been read up to a version: it may say that time has been lost.
    func leaseRuns(until end: Milliseconds, hubVersion: Int) {
        nextLease = (end, hubVersion)
        takeLease()
    }

    private func takeLease() {
        // A lease that is not out goes on: what is new in the stream does not concern it.
        guard let next = nextLease, next.hubVersion <= hubVersion || !isLeaseOut else { return }
        nextLease = nil
        surroundings.leaseEnd = next.end
        guard isLeaseOut, surroundings.now <= next.end else { return }
        isLeaseOut = false
        goOn()
    }
}

extension OutageWatch: LogClient {
    /// The stream `hub`: outages, from whatever hub recorded them.
    func receive(_ message: LogMessage, ticket: Ticket) {
        guard ticket == self.ticket else { return }
        switch message {
        case .records(_, let records):
            if anew == nil { take(records) } else { anew? += records }
        case .caughtUp(_, let version, let head):
            let end = StreamEnd(version: version, head: head)
            if let records = anew {
                goBack(to: records)
            } else if end.version <= recorder.hubEnd.version, end != recorder.hubEnd {
                streamHasGoneBack()
            }
        case .followFailed(_, let error):
            surroundings.end(ticket)
            // Of a log that has gone back all can be read from its beginning: of one that is damaged not.
            if case .chainBroken = error, anew == nil {
                streamHasGoneBack()
            } else {
                followsAt = surroundings.now + Self.retryPause
            }
        default: break
        }
    }

    private func take(_ records: [Record]) {
        let known = recorder.hubEnd
        if let first = records.first, first.version == known.version, first.end != known { return streamHasGoneBack() }
        change {
            for record in records where record.version > known.version {
                recorder.received(record)
                if surroundings.history.apply(record) { nodesChanged?(record) }
                keeper?.received(record)
            }
        }
        takeLease()
    }

    /// It ends otherwise than was read, as of a database that has failed over: all of it is read anew.
    private func streamHasGoneBack() {
        if loop.index == 0 {
            surroundings.loggers.hub.warning(
                "the log has lost what hubs wrote last: reading again who serves",
                metadata: ["version": "\(recorder.hubEnd.version)"])
        }
        anew = []
        followAnew()
    }

    /// All that the stream holds by now.
    private func goBack(to records: [Record]) {
        anew = nil
        change {
            let before = surroundings.history
            surroundings.history = HubHistory(records)
            recorder.streamHasGoneBack(to: records)
            if surroundings.history.log == nil, let origin = before.log {
                surroundings.history.log = origin
                recorder.writeAgain(origin)
            }
            if surroundings.history.roll != before.roll { nodesChanged?(nil) }
            keeper?.streamHasGoneBack(to: records)
            // Where this stream has gone back rooms may have, too.
            for room in rooms.all { room.mustCompare = true }
        }
    }

    /// Rooms go on where they may by what `body` does.
    private func change(by body: () -> Void) {
        let couldPlay = surroundings.canPlay
        isLogBackDue = isLogBackDue || surroundings.isLogDown
        body()
        guard !couldPlay, surroundings.canPlay else { return }
        guard isLogBackDue else {
            for room in rooms.all { room.home.goOn() }
            return
        }
        isLogBackDue = false
        if loop.index == 0 { surroundings.loggers.log.notice("the log takes writes again") }
        dueRooms?.beginAnew()
        logIsBack?()
        for room in rooms.all { room.logIsBack() }
    }
}
