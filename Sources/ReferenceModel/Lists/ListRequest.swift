import JSON

/// A request for a list of rooms, or for one room.
struct ListRequest: Question {
    enum Kind {
        case rooms
        case room(String)
    }

    let kind: Kind
    let askedAt: Int
    /// The version of its room that had been shown.
    private let shownVersion: Int
    private let isThere: Bool

    /// Nil if it is another request.
    init?(method: String, target: String, context: ModelContext, rooms: [String: RoomModel]) {
        let path = target.split(separator: "/", omittingEmptySubsequences: false)
        guard method == "GET", path.count >= 3, path[1] == "api", path[2] == "rooms" else { return nil }
        askedAt = context.now
        switch path.count {
        case 3: (kind, shownVersion, isThere) = (.rooms, 0, true)
        case 4:
            let room = rooms[String(path[3])]
            kind = .room(String(path[3]))
            (shownVersion, isThere) = (room?.shownVersion ?? 0, room?.version ?? 0 > 0)
        default: return nil
        }
    }

    /// Compares the answer with the rooms.
    func check(_ status: Int, _ answer: Value?, in check: ListCheck) {
        switch kind {
        case .rooms:
            guard status == 200 else { return }
            checkAll(answer?["rooms"]?.list, in: check)
        case .room(let code):
            if status == 404 {
                let isGone = check.rooms[code]?.version == 0
                check.context.findings.expect(!isThere || isGone, "an existing room is found", check.place)
            } else if status == 200, let answer {
                self.check(answer, of: code, in: check)
            }
        }
    }

    private func checkAll(_ list: [Value]?, in check: ListCheck) {
        guard let list else { return check.context.findings.recordBreach("a list of rooms is {rooms}", check.place) }
        let entries = list.compactMap { check.check($0)?.entry }
        let shown = Dictionary(entries.map { ($0.code, $0) }) { first, _ in first }
        check.context.findings.expect(
            shown.count == entries.count, "a list has each room once", "\(check.place): \(list.count) entries")
        check.checkFreshness(of: shown, since: askedAt - check.context.listSpan)
        check.checkOrder(entries, since: askedAt - check.context.listSpan)
    }

    /// What a room itself says.
    private func check(_ answer: Value, of code: String, in check: ListCheck) {
        let findings = check.context.findings
        guard let entry = ListEntry(answer, with: ["names"]), entry.code == code, let room = check.rooms[code] else {
            return findings.recordBreach("an entry of a list has what the protocol says", "\(check.place): \(answer)")
        }
        findings.expect(
            room.listing.has(entry.listed, behind: check.context.mayKnowLost ? 0 : shownVersion),
            "a room is described as it is",
            "\(check.place): \(answer), it is \(room.listing.last.map { "\($0.room)" } ?? "none")")
        for (player, name) in entry.others["names"]?.elements ?? [] {
            guard let name = name.string else { continue }
            check.context.accounts.shown(name, of: player, "\(check.place), names")
        }
        if let name = entry.hostName { check.context.accounts.shown(name, of: entry.listed.host, check.place) }
        let since = askedAt - check.context.ghostTime
        guard check.context.hinderedAt < since, room.presenceChangedAt < since, !room.awaitsGreeting else { return }
        findings.expect(
            room.present.isCounted(by: entry), "a list counts the people in a room",
            "\(check.place): \(answer) instead of \(room.present)")
    }
}

extension RoomListing {
    /// Whether the room matched `room` at this version or a later one.
    fileprivate func has(_ room: ListedRoom, behind version: Int) -> Bool {
        entries.indices.reversed().contains { index in
            entries[index].room == room && (index + 1 == entries.count || entries[index + 1].version > version)
        }
    }
}
