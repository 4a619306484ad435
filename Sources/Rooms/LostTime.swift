import EventStore
import Games
import RoomRules

/// Time in which a room could not be played, because its loop was blocked or no node judged it, and that is not in the
/// stream `hub`. It counts against nobody.
struct LostTime {
    /// Since when the room has had no home that judged; nil if nothing was lost by that.
    var vacantSince: Milliseconds?
    /// On a cluster, when this node claimed the room.
    private var claimedAt: Milliseconds = 0
    /// Kept for an hour, since a record may show that there is time to make up for, or be lost.
    private(set) var outages = Outages()

    /// This node has claimed the room, for which it asked at `time`.
    mutating func roomClaimed(_ claim: Claim, at time: Milliseconds, _ surroundings: RoomSurroundings) {
        claimedAt = time
        owe(claim, until: time, surroundings)
    }

    /// Adds what earlier homes owed. If nobody waited until `time`, that is only up to when the last of them was known
    /// to be gone.
    mutating func owe(_ claim: Claim, until time: Milliseconds, _ surroundings: RoomSurroundings) {
        guard let since = claim.since else { return }
        if let vacant = claim.vacant, surroundings.waited(for: claim, until: time) > Claim.waiting {
            add(from: since, until: vacant, now: surroundings.now)
        } else {
            vacantSince = since
        }
    }

    /// The room's loop could not play it.
    mutating func add(_ outage: Outage, now: Milliseconds) {
        add(from: max(outage.from, claimedAt), until: outage.until, now: now)
    }

    private mutating func add(from: Milliseconds, until: Milliseconds, now: Milliseconds) {
        guard from < until else { return }
        outages.forget(before: now - Outages.memory)
        outages.add(Outage(from: from, until: until))
    }

    /// From `now` on a home judges.
    mutating func endVacancy(now: Milliseconds) {
        if let since = vacantSince { add(from: since, until: now, now: now) }
        vacantSince = nil
    }

    /// When the first of it started that is not over at `time`; nil if none is left.
    func earliest(after time: Milliseconds) -> Milliseconds? { earlier(vacantSince, outages.earliest(after: time)) }
}

extension Claim {
    /// Whether nothing is owed although it says so. The room owed nothing when it was given up, and nobody has come for
    /// so long.
    public func owesNothing(after waited: Milliseconds) -> Bool {
        guard let since, let vacant else { return false }
        return since >= vacant && waited > Self.waiting
    }

    /// The same claim of a room that this run has failed to release.
    public func owing(since owed: Milliseconds?, vacant: Milliseconds) -> Claim {
        guard let owed else { return self }
        return Claim(stream: stream, holder: holder, since: earlier(since, owed), vacant: vacant, end: end)
    }
}

extension RoomSurroundings {
    /// How long nobody has come to a room without a home, though this loop could have claimed it.
    public func waited(for claim: Claim, until time: Milliseconds) -> Milliseconds {
        guard let vacant = claim.vacant, let code = claim.stream.roomCode else { return 0 }
        return time - vacant - (stops.missed(by: code, since: vacant)?.span ?? 0)
    }
}
