// What a connection was shown that the log has lost.
extension ConnectionModel {
    /// An event is shown in a room that has gone back recently, or to a client that was shown what it held before.
    func showAny(_ version: Int, _ bytes: [UInt8], from start: Int, in room: RoomModel) {
        guard let log = logs(in: room).first(where: { $0.has(version, bytes, from: start) }) else {
            return (lostLog ?? room.log).show(version, bytes, from: start)
        }
        log.show(version, bytes, from: start)
        follow(log, at: version, in: room)
    }

    /// The logs that may continue what the connection was shown.
    private func logs(in room: RoomModel) -> [RoomLog] {
        let shown = next - 1
        guard let lostLog else { return [room.log] + room.former.filter { shown <= $0.keptVersion ?? .max } }
        return shown <= lostLog.keptVersion ?? .max ? [room.log, lostLog] : [lostLog]
    }

    /// It has been shown what `log` holds up to `version`.
    func follow(_ log: RoomLog, at version: Int, in room: RoomModel) {
        lostLog = log === room.log ? nil : log
        guard let kept = log.keptVersion, version > kept else { return }
        findings.expect(
            context.mayKnowLost, "what the log has lost is not shown once a hub knows",
            "connection \(number), room \(room.code), version \(version), of which \(kept) are left")
    }

    /// Whether it was shown something that `log` does not hold.
    func hasOther(than log: RoomLog) -> Bool {
        guard let known = lostLog ?? room?.log, known !== log else { return false }
        return next - 1 > min(known.keptVersion ?? .max, log.keptVersion ?? .max)
    }

    /// The log of the room now holds only this much of `lost`.
    func goBack(to version: Int, losing lost: RoomLog) {
        if lostLog == nil, next - 1 > version { lostLog = lost }
        forgetVersions(behind: version)
    }
}
