import EventStore
import Records
import RoomRules

// Where a room begins to read: at its newest snapshot, if there is one, so that a long past costs little. And what is
// done where its log cannot be read, or does not go on from there.
extension Room {
    /// Reads the room's log, and follows it from then on.
    func read() {
        guard !hasGivenUp else { return }
        // What was asked for before belongs to no reading.
        readings += 1
        guard stream.isUnread else { return stream.follow(for: self) }
        surroundings.findSnapshot(ofRoom: code) { [self, reading = readings] snapshot in
            guard reading == readings, life == .loading else { return }
            // Without one all is read.
            if stream.isUnread, let snapshot { stream.begin(with: snapshot) }
            stream.follow(for: self)
        }
    }

    func followFailed(_ error: EventLogError) {
        surroundings.end(stream.ticket)
        if case .chainBroken = error {
            // Of a log that has gone back all can be read from its beginning: of one that is damaged not.
            guard life == .loading, stream.readsFromStart else { return streamHasGoneBack(error.sentence) }
            return streamFailed(error.sentence)
        }
        // Those who are in the room wait for the log to come back; who only asks about it is told that it is away.
        guard !surroundings.isLogDown else { return edge.members.isEmpty ? become(.unread) : () }
        if case .busy = error { return stream.readLater() }
        if !stream.retriesLater() { streamFailed(error.sentence) }
    }

    /// `record` does not follow on what is folded. Where that began with a snapshot the log may still be whole.
    func foldFailed(_ record: Record, _ error: RoomState.FoldError) {
        let reason = error.reason(at: record)
        if stream.restsOnSnapshot { snapshotFailed(reason) } else { streamFailed(reason) }
    }

    /// The log does not go on from the snapshot that was begun with: it is read without.
    func snapshotFailed(_ reason: String) {
        surroundings.noteSnapshotMismatch(code, at: stream.readVersion, reason)
        readAnew()
    }

    /// A game has begun: whoever reads the room next need not begin with its first event.
    func keepSnapshot() {
        guard let snapshot = stream.takeSnapshot() else { return }
        surroundings.rows.keep(snapshot)
    }
}
