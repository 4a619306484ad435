import EventStore
import Games
import RoomRules

// Time in which no node judged the room: it counts against nobody.
extension RoomHome {
    /// This node is the room's home by this claim. What the homes before it owed is owed by this one; where nobody has
    /// waited until `time`, when it was asked for, only up to when the last of them was known to be gone.
    func take(_ claim: Claim, asked time: Milliseconds) {
        claimedAt = time
        guard let since = claim.since else { return }
        if let vacant = claim.vacant, surroundings.waited(for: claim, until: time) > Claim.waiting {
            lost(from: since, until: vacant)
        } else {
            vacantSince = since
        }
    }

    /// The room's loop could not play it.
    public func lost(_ outage: Outage) {
        lost(from: max(outage.from, claimedAt), until: outage.until)
    }

    private func lost(from: Milliseconds, until: Milliseconds) {
        guard from < until else { return }
        vacancies.forget(before: surroundings.now - Outages.memory)
        vacancies.add(Outage(from: from, until: until))
    }

    /// The log has gone back to where another node had the room, and had not judged it: what that owed is owed again.
    public func takeAgain(_ claim: Claim) {
        let claimed = claimedAt
        take(claim, asked: surroundings.now)
        claimedAt = claimed
        guard stream.isAwake else { return }
        endVacancy()
        goOn()
    }

    /// From now on this home judges.
    func endVacancy() {
        if let since = vacantSince { lost(from: since, until: surroundings.now) }
        vacantSince = nil
    }

    /// Since when something counts against nobody that this home could not judge, for the next one; nil: nothing does.
    var uncountedSince: Milliseconds? {
        let counted = stream.isAwake ? max(stream.state.extendedUntil, stream.state.time) - stream.lead : .min
        return earlier(vacantSince, vacancies.earliest(after: counted))
    }
}

extension Claim {
    /// Who waits for a room to be claimed does so within this of the loss of its home.
    fileprivate static let waiting: Milliseconds = 10_000

    /// Whether nothing is owed though it says so: the room was given up with nothing owed before that, and nobody has
    /// come for so long.
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
    /// For how long nobody has come to a room without a home, though this loop could have claimed it.
    public func waited(for claim: Claim, until time: Milliseconds) -> Milliseconds {
        guard let vacant = claim.vacant, let code = claim.stream.roomCode else { return 0 }
        return time - vacant - (stops.missed(by: code, since: vacant)?.span ?? 0)
    }
}
