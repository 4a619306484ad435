import Records

/// The followers of a log in a file: where reading older records ends and receiving new ones begins.
final class FollowerDesk {
    private let calls: LogCalls
    private let deliveries: LogDeliveries
    private var followers = Followers()
    /// Read to an end that is not the acknowledged one, while the log takes no writes.
    private var postponed: [(CatchUp, CatchUp.Progress)] = []

    init(_ calls: LogCalls, _ deliveries: LogDeliveries) { (self.calls, self.deliveries) = (calls, deliveries) }

    func tell(_ change: StreamChange) {
        if case .erased(let erasure, let stream) = change { calls.catchUps.recordErasure(erasure, of: stream) }
        followers.tell(change, in: &deliveries.outbox)
    }

    func unfollow(_ ticket: Ticket, _ inbox: any LogInbox) { followers.remove(ticket, inbox) }

    /// `position` is the last one acknowledged. Without a `reader`, a catch-up that ended elsewhere has to wait.
    func attach(
        _ catchUp: CatchUp, _ progress: CatchUp.Progress, acknowledged position: Int,
        readingWith reader: RecordReader?
    ) {
        if catchUp.isEnded { return }
        if position == progress.position, !catchUp.hasErasures { return startFollowing(catchUp, progress) }
        guard let reader else { return postponed.append((catchUp, progress)) }
        do throws(EventLogError) {
            // The few records since then. None can be added now, because this is the thread that would write them.
            switch try catchUp.readPiece(from: progress, with: reader, in: &deliveries.outbox) {
            case .more(let next): readOn(catchUp, next)
            case .end(let next): startFollowing(catchUp, next)
            }
        } catch {
            deliveries.fail(catchUp, error)
        }
    }

    private func startFollowing(_ catchUp: CatchUp, _ progress: CatchUp.Progress) {
        deliveries.caughtUp(catchUp, at: progress.end)
        followers.add(catchUp.ticket, catchUp.inbox, to: catchUp.source)
    }

    private func readOn(_ catchUp: CatchUp, _ progress: CatchUp.Progress) {
        // Messages to this inbox from here must come before those from the reader.
        deliveries.flush()
        if calls.reader.post(.catchUp(catchUp, progress), isOwed: true) == .closed { deliveries.fail(catchUp, .closed) }
    }

    /// The log takes writes again.
    func resumePostponed() {
        for (catchUp, progress) in postponed { readOn(catchUp, progress) }
        postponed = []
    }

    func failPostponed(_ error: EventLogError) { for (catchUp, _) in postponed { deliveries.fail(catchUp, error) } }
}
