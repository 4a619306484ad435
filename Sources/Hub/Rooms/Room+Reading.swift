import EventStore

// Where a room begins to read: at its newest snapshot, if there is one, so that a long past costs little.
extension Room {
    /// Reads the room's log, and follows it from then on; once no other node judges the room.
    func read() {
        // What was asked for before, as by an edge, belongs to no reading any more.
        readings += 1
        awaitsHandOver = remote == nil && surroundings.cluster?.isHandedOver(code) == false
        guard awaitsHandOver else { return readStream() }
        home?.vacantSince = earlier(home?.vacantSince, surroundings.cluster?.whenMoved(code))
    }

    /// Some rooms are judged by no other node any more.
    func isHandedOver() {
        guard awaitsHandOver, let home else { return }
        // Until now nobody could be played with, here or elsewhere.
        home.attendance.leaveOut(from: 0, until: surroundings.now)
        read()
    }

    private func readStream() {
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
