import EventStore
import Games
import RoomRules

// Time in which no node judged the room. It counts against nobody.
extension RoomHome {
    /// Makes this node the room's home by this claim. It owes what earlier homes owed. If nobody waited until `time`,
    /// when the claim was asked for, it owes only up to when the last of them was known to be gone.
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

    /// The log has gone back to where another node had the room without judging it. What that owed is owed again.
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

    /// The start of lost time that this home has not counted, for the next one; nil if there is none.
    var uncountedSince: Milliseconds? {
        let counted = stream.isAwake ? max(stream.state.extendedUntil, stream.state.time) - stream.lead : .min
        return earlier(vacantSince, vacancies.earliest(after: counted))
    }
}

extension Claim {
    /// A client that waits for the room asks for it within this time of the loss of its home.
    fileprivate static let waiting: Milliseconds = 10_000

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
