/// A request over HTTP for a room's log.
struct LogDownload {
    let room: RoomModel
    let after: Int
    /// Its log then, and the version that had been shown.
    private let log: RoomLog
    private let shownVersion: Int

    /// Nil if it is another request, or the room does not exist.
    init?(method: String, target: String, rooms: (String) -> RoomModel?) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard method == "GET", path.count == 5, path[1] == "api", path[2] == "rooms", path[4] == "log",
            let room = rooms(String(path[3]))
        else { return nil }
        self.room = room
        (log, shownVersion) = (room.log, room.shownVersion)
        let query = parts.count > 1 ? parts[1] : ""
        guard query.isEmpty || query.hasPrefix("after="), let after = query.isEmpty ? 0 : Int(query.dropFirst(6)),
            after >= 0
        else { return nil }
        self.after = after
    }

    /// Checks that the lines are the bytes of the events after `after`.
    func check(_ body: [UInt8]) {
        // If it was read before the log went back, it is what the log held then.
        let known = room.knownLogs.first { log in
            let trial = Findings()
            check(body, log, trial)
            return trial.broken == nil
        }
        if known == nil { check(body, room.log, room.findings) }
    }

    private func check(_ body: [UInt8], _ log: RoomLog, _ findings: Findings) {
        // Compressed content begins differently.
        guard body.isEmpty || body[0] == UInt8(ascii: "{") else { return }
        let place = "room \(room.code), after \(after)"
        let lines = body.split(separator: UInt8(ascii: "\n"))
        findings.expect(
            after + lines.count <= max(log.version, after), "an event is durable before it is shown",
            "\(place): \(lines.count) lines of a log of \(log.version)")
        findings.expect(
            after + lines.count >= (log === self.log ? shownVersion : 0),
            "a downloaded log has every event that was shown",
            "\(place): \(lines.count) lines, \(shownVersion) had been shown")
        for (line, record) in zip(lines, log.records.dropFirst(after)) where !line.elementsEqual(record) {
            findings.recordBreach(
                "an event is shown as it was recorded", "\(place): \(String(decoding: line, as: UTF8.self))")
        }
    }
}
