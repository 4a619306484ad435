/// A room's log that somebody has asked for over HTTP.
struct LogDownload {
    let room: RoomModel
    let after: Int
    /// What had been shown when it was asked for.
    private let shownVersion: Int

    /// Nil: it asks for something else, or for no room that there is.
    init?(method: String, target: String, rooms: (String) -> RoomModel?) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard method == "GET", path.count == 5, path[1] == "api", path[2] == "rooms", path[4] == "log",
            let room = rooms(String(path[3]))
        else { return nil }
        self.room = room
        shownVersion = room.shownVersion
        let query = parts.count > 1 ? parts[1] : ""
        guard query.isEmpty || query.hasPrefix("after="), let after = query.isEmpty ? 0 : Int(query.dropFirst(6)),
            after >= 0
        else { return nil }
        self.after = after
    }

    /// Whether the lines are the bytes of the events, from the one behind `after` on.
    func check(_ body: [UInt8]) {
        // What is compressed begins otherwise.
        guard body.isEmpty || body[0] == UInt8(ascii: "{") else { return }
        let place = "room \(room.code), behind \(after)"
        let lines = body.split(separator: UInt8(ascii: "\n"))
        room.findings.expect(
            after + lines.count <= max(room.version, after), "an event is durable before it is shown",
            "\(place): \(lines.count) lines of a log of \(room.version)")
        room.findings.expect(
            after + lines.count >= shownVersion, "a log that is downloaded has every event that was shown",
            "\(place): \(lines.count) lines, \(shownVersion) had been shown")
        for (line, record) in zip(lines, room.records.dropFirst(after)) where !line.elementsEqual(record) {
            room.findings.note(
                "an event is shown as it was recorded", "\(place): \(String(decoding: line, as: UTF8.self))")
        }
    }
}
