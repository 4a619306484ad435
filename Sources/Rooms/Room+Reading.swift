import EventStore
import Records
import RoomRules

// Reads a room from its newest snapshot, if there is one, so that a long past costs little. Also what happens if the
// log cannot be read, or does not continue from there.
extension Room {
    /// Reads the room's log, and follows it from then on.
    func read() {
        guard !hasGivenUp else { return }
        // Answers for earlier readings no longer count.
        readings += 1
        guard stream.isUnread else { return stream.follow(for: self) }
        surroundings.findSnapshot(ofRoom: code) { [self, reading = readings] snapshot in
            guard reading == readings, life == .loading else { return }
            // Without a snapshot all is read.
            if stream.isUnread, let snapshot { stream.continueFrom(snapshot) }
            stream.follow(for: self)
        }
    }

    func followFailed(_ error: EventLogError) {
        surroundings.log.closeTicket(stream.ticket)
        if case .chainBroken = error {
            // A log that has gone back can be read from its beginning, a damaged one cannot.
            guard life == .loading, stream.readsFromStart else { return streamHasGoneBack(error.sentence) }
            return streamFailed(error.sentence)
        }
        // Members wait for the log to come back. Anyone who only asks about the room is answered that it is away.
        guard !surroundings.isLogDown else { return edge.members.isEmpty ? become(.unread) : () }
        if case .busy = error { return stream.readLater() }
        if !stream.retriesLater() { streamFailed(error.sentence) }
    }

    /// `record` does not follow what is folded. If the fold began with a snapshot, the log may still be whole.
    func foldFailed(_ record: Record, _ error: RoomState.FoldError) {
        let reason = error.reason(at: record)
        if stream.restsOnSnapshot { snapshotFailed(reason) } else { streamFailed(reason) }
    }

    /// The log does not continue from the snapshot, so it is read without.
    func snapshotFailed(_ reason: String) {
        surroundings.logSnapshotMismatch(code, at: stream.readVersion, reason)
        readAnew()
    }

    /// A game has begun. The next reading of the room need not start with its first event.
    func keepSnapshot() {
        guard let snapshot = stream.takeSnapshot() else { return }
        surroundings.rows.keep(snapshot)
    }
}
