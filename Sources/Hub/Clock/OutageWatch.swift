import Cluster
import EventStore
import Games
import Records
import RoomRules
import Rooms

/// Is notified when a shard's rooms cannot be played, because its loop was blocked or the log takes no writes, and has
/// that recorded. It follows the stream `hub`, and lets the rooms continue once everything is recorded there.
final class OutageWatch {
    private let surroundings: RoomSurroundings
    private let rooms: AwakeRooms
    private let loop: Outage.Loop
    private let recorder: OutageRecorder
    /// Its keeper is notified of the stream.
    private let node: NodeLoop?
    private var ticket: Ticket = 0
    /// When a failed reading of the stream is tried again; nil if none failed.
    private var followsAt: Milliseconds?
    private static let retryPause: Milliseconds = 500
    /// What was read so far of a stream that has gone back, from its start; nil if it has not.
    private var reread: [Record]?
    private var isLogAway = false
    private var isLeaseOut = false
    /// The time until which others count on this node, and the version up to which the stream `hub` must be read first.
    private var nextLease: (end: Milliseconds, hubVersion: Int)?
    /// Rooms that may not have written yet what they have lost.
    private var roomsOwingTime: [Room] = []
    /// Whether rooms must still be notified that the log takes writes again.
    private var isLogBackDue = false
    /// The version up to which the stream `hub` has been read.
    private var hubVersion: Int { recorder.hubEnd.version }
    /// Called when the serving nodes change, with the record; nil if the stream has gone back.
    var nodesChanged: ((Record?) -> Void)?
    /// Called when the log takes writes again after it was away. It may hold less than before.
    var logIsBack: (() -> Void)?

    /// The surroundings must have the outages of the stream `hub` up to `hubEnd`.
    init(_ surroundings: RoomSurroundings, rooms: AwakeRooms, loop: Outage.Loop, hubEnd: StreamEnd, node: NodeLoop?) {
        (self.surroundings, self.rooms, self.loop, self.node) = (surroundings, rooms, loop, node)
        recorder = OutageRecorder(surroundings, loop: loop, hubEnd: hubEnd)
    }

    /// A node judges nothing before it has renewed its lease.
    func awaitLease() { (isLeaseOut, surroundings.leaseEnd) = (true, surroundings.now - 1) }

    /// Starts listening to the log.
    func start() {
        follow()
        surroundings.log.watchAvailability()
    }

    private func follow() {
        followsAt = nil
        ticket = surroundings.log.ticket(for: self)
        // The newest known record must still exist.
        let first = reread == nil ? max(0, recorder.hubEnd.version - 1) : 0
        if reread != nil { reread = [] }
        surroundings.log.follow(.hub, after: first, ticket: ticket)
    }

    private func followAgain() {
        surroundings.log.unfollow(ticket)
        follow()
    }

    func turnBegan() {
        if let followsAt, followsAt <= surroundings.now { follow() }
        stopIfLeaseHasEnded()
    }

    /// Writes again what failed.
    func sweep() { recorder.writeMissingEntries() }

    /// The shard's loop was blocked since `from`.
    func stoodStill(from: Milliseconds) {
        let now = surroundings.now
        surroundings.counters.stalls.add(1)
        surroundings.loggers.write(.loopBlocked, ["loop": "\(loop.index)", "for": "\(now - from) ms"])
        // Members that are behind could not catch up.
        for room in rooms.all { room.edge.shift(by: now - from) }
        surroundings.logSilence.stoodStill(until: now)
        leaveOut(recorder.stoodStill(from: from, until: now))
    }

    /// An append is answered. Called before its sender gets the answer.
    func logAnswered() {
        let now = surroundings.now
        let silentSince = surroundings.logSilence.begun(at: now)
        surroundings.logSilence.answered(at: now)
        guard let silentSince, let outage = recorder.stoodStill(from: silentSince, until: now) else { return }
        surroundings.loggers.write(.logSilent, ["loop": "\(loop.index)", "for": "\(now - silentSince) ms"])
        leaveOut(outage)
    }

    /// A node's rooms return the time at once, others once the outage is in the log.
    private func leaveOut(_ outage: Outage?) {
        guard let outage else { return }
        for room in rooms.all { room.leaveOut(outage) }
        guard surroundings.isShared else { return }
        surroundings.outageKept?(outage)
        surroundings.stops.forget(before: surroundings.now - Outages.memory)
        surroundings.stops.add(outage)
        for room in rooms.all { room.addLostTime(outage) }
        roomsOwingTime = rooms.all
        change { recorder.resumeIfAllIsSeen() }
    }

    /// Whether all ended losses of rooms are in the log.
    var isSettled: Bool {
        if !roomsOwingTime.isEmpty { roomsOwingTime.removeAll { rooms[$0.code] !== $0 || !$0.owesTime } }
        return roomsOwingTime.isEmpty
    }

    func availabilityChanged(_ availability: Availability) {
        switch availability {
        case .unavailable(let error):
            let wasDown = surroundings.isLogDown
            isLogAway = true
            recorder.stopped(at: outageStart(for: error))
            if error == .fenced { node?.keeper?.nodeEnded() }
            if loop.index == 0, !wasDown, error != .fenced {
                surroundings.loggers.write(.writesStopped, ["reason": "\(error.sentence)"])
            }
        case .available:
            // It may be another database now, which holds less.
            if isLogAway { followAgain() }
            isLogAway = false
            resumePlay()
        }
    }

    /// Since when nothing could be written. A stall is reported late, and it starts at the disk, not at this loop.
    private func outageStart(for error: EventLogError) -> Milliseconds {
        let now = surroundings.now
        let silentSince = surroundings.logSilence.begun(at: now) ?? now
        guard case .stalled(let span) = error else { return silentSince }
        return min(silentSince, now - span)
    }

    /// Rooms continue once the outage is recorded, if it is.
    private func resumePlay() {
        if !isLogAway, !isLeaseOut { leaveOut(recorder.writesResumed(at: surroundings.now)) }
    }

    /// Stops play if this node's lease has ended, since other nodes may regard it as lost.
    private func stopIfLeaseHasEnded() {
        guard surroundings.now > surroundings.leaseEnd, !isLeaseOut else { return }
        isLeaseOut = true
        let silentSince = surroundings.logSilence.begun(at: surroundings.now) ?? surroundings.leaseEnd
        recorder.stopped(at: min(surroundings.leaseEnd, silentSince))
        guard loop.index == 0 else { return }
        surroundings.loggers.write(.nodeUnheard)
    }

    /// The lease lasts until `end`. It counts once the stream `hub` has been read up to a version, since it may say
    /// that time was lost.
    func leaseRuns(until end: Milliseconds, hubVersion: Int) {
        nextLease = (end, hubVersion)
        takeLease()
    }

    private func takeLease() {
        // A lease that has not ended continues, no matter what is new in the stream.
        guard let next = nextLease, next.hubVersion <= hubVersion || !isLeaseOut else { return }
        nextLease = nil
        surroundings.leaseEnd = next.end
        guard isLeaseOut, surroundings.now <= next.end else { return }
        isLeaseOut = false
        resumePlay()
    }
}

extension OutageWatch: LogClient {
    /// The stream `hub`, with outages recorded by any hub.
    func logSent(_ message: LogMessage, ticket: Ticket) {
        guard ticket == self.ticket else { return }
        switch message {
        case .records(_, let records):
            if reread == nil { applyRecords(records) } else { reread? += records }
        case .caughtUp(_, let version, let head):
            let end = StreamEnd(version: version, head: head)
            if let records = reread {
                goBack(to: records)
            } else if end.version <= recorder.hubEnd.version, end != recorder.hubEnd {
                streamHasGoneBack()
            }
        case .followFailed(_, let error):
            surroundings.log.closeTicket(ticket)
            // A log that has gone back can be read from its start, but a damaged one cannot.
            if case .chainBroken = error, reread == nil {
                streamHasGoneBack()
            } else {
                followsAt = surroundings.now + Self.retryPause
            }
        default: break
        }
    }

    private func applyRecords(_ records: [Record]) {
        let known = recorder.hubEnd
        if let first = records.first, first.version == known.version, first.end != known { return streamHasGoneBack() }
        change {
            for record in records where record.version > known.version {
                recorder.recordAppended(record)
                if surroundings.history.apply(record) { nodesChanged?(record) }
                node?.keeper?.recordAppended(record)
            }
        }
        takeLease()
    }

    /// The stream ends differently than was read, as after a database failover. All of it is read again.
    private func streamHasGoneBack() {
        if loop.index == 0 {
            surroundings.loggers.write(.hubRecordsLost, ["version": "\(recorder.hubEnd.version)"])
        }
        reread = []
        followAgain()
    }

    /// Takes over the whole current stream.
    private func goBack(to records: [Record]) {
        reread = nil
        change {
            let before = surroundings.history
            surroundings.history = HubHistory(records)
            recorder.streamHasGoneBack(to: records)
            if surroundings.history.log == nil, let origin = before.log {
                surroundings.history.log = origin
                recorder.writeAgain(origin)
            }
            if surroundings.history.roll != before.roll { nodesChanged?(nil) }
            node?.keeper?.streamHasGoneBack(to: records)
            // If this stream has gone back, rooms may have too.
            for room in rooms.all { room.mustCompare = true }
        }
    }

    /// Lets rooms continue if `body` makes that possible.
    private func change(by body: () -> Void) {
        let couldPlay = surroundings.canPlay
        isLogBackDue = isLogBackDue || surroundings.isLogDown
        body()
        guard !couldPlay, surroundings.canPlay else { return }
        guard isLogBackDue else {
            for room in rooms.all { room.checkClock() }
            return
        }
        isLogBackDue = false
        if loop.index == 0 { surroundings.loggers.write(.writesResumed) }
        logIsBack?()
        for room in rooms.all { room.logIsBack() }
    }
}
