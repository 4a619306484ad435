import Logging
import RoomRules

// How a room's snapshot is found, and what is logged if it cannot be used: for a room that wakes, and for `RoomReader`,
// which wakes none.
extension RoomSurroundings {
    /// Calls `then` with the newest snapshot of a room; nil if there is none, or it cannot be read.
    func findSnapshot(ofRoom code: String, then: @escaping (RoomSnapshot?) -> Void) {
        rows.findSnapshot(ofRoom: code) { [self] kept in then(kept.flatMap { snapshot(of: code, kept: $0) }) }
    }

    /// Logs once a minute that the snapshot with which a room began does not match the log.
    func logSnapshotMismatch(_ code: String, at version: Int, _ reason: String?) {
        guard snapshotLines.others(than: code, at: now) != nil else { return }
        var metadata: Logger.Metadata = ["room": "\(code)", "version": "\(version)"]
        if let reason { metadata["reason"] = "\(reason)" }
        loggers.write(.snapshotDiffers, metadata)
    }

    private func snapshot(of code: String, kept: KeptSnapshot) -> RoomSnapshot? {
        do throws(RoomSnapshot.ReadingError) {
            return try RoomSnapshot(kept.bytes, of: code, at: kept.end, games: games)
        } catch {
            guard error == .unreadable else { return nil }
            loggers.write(.snapshotUnread, ["room": "\(code)", "version": "\(kept.end.version)"])
            return nil
        }
    }
}
