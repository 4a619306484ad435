import EventStore

// Where a room begins to read: at its newest snapshot, if there is one, so that a long past costs little.
extension Room {
    /// Reads what is not known yet of the log, and follows it from then on.
    func readStream() {
        guard stream.isUnread else { return readLog() }
        surroundings.readModels.find(.snapshot(ofRoom: code)) { [self, reading = readings] rows in
            guard reading == readings, life == .loading else { return }
            // Without one all is read.
            if stream.isUnread, remote?.isReading != true, let row = try? rows.get().first { stream.begin(with: row) }
            readLog()
        }
    }

    private func readLog() {
        if let remote { remote.begin() } else { stream.follow(for: self) }
    }

    /// A game has begun: whoever reads the room next need not begin with its first event.
    func keepSnapshot() {
        guard home != nil, let snapshot = stream.takeSnapshot() else { return }
        surroundings.readModels.note(SnapshotRow(snapshot))
    }
}
