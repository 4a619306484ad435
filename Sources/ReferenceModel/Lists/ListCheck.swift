import JSON

/// A request over HTTP whose answer can be checked.
protocol Question {
    func check(_ status: Int, _ answer: Value?, in check: ListCheck)
}

/// Compares lists with the existing rooms.
struct ListCheck: PlacedCheck {
    let context: ModelContext
    let rooms: [String: RoomModel]
    let place: String

    /// How far a list may lag behind a room in ms, and behind the change of turns.
    static let span = 3_000
    static let moveSpan = 8_000
    /// Most rooms of a list.
    private static let limit = 200

    var findings: Findings { context.findings }

    /// Checks an entry. Returns it with its number in the room's listing, from `first` on; nil if it fits none.
    func check(_ json: Value, from first: Int = 0) -> (entry: ListEntry, number: Int)? {
        guard let entry = ListEntry(json) else {
            recordBreach("an entry of a list has what the protocol says", "\(json)")
            return nil
        }
        guard let room = rooms[entry.code], room.version > 0 || context.mayKnowLost else {
            recordBreach("a list has existing rooms", "\(json)")
            return nil
        }
        expect(entry.listed.isForAll, "a list has only rooms that everyone may find", "\(json)")
        expect(
            entry.present >= 0 && entry.spectators >= 0 && entry.present + entry.spectators > 0,
            "a list has no empty rooms", "\(json)")
        guard let number = room.listing.number(of: entry.listed, from: first) else {
            recordBreach(
                "a list shows a room as it is, or recently was",
                "\(json), the room is \(room.listing.last.map { "\($0.room)" } ?? "none")")
            return nil
        }
        return (entry, number)
    }

    /// Checks that a list, by the codes of its rooms, shows what has been true since `time`.
    func checkFreshness(of shown: [String: ListEntry], since time: Int) {
        guard time >= context.hinderedAt else { return }
        for code in shown.keys.sorted() {
            if let entry = shown[code], let room = rooms[code] { checkFreshness(of: entry, room, since: time) }
        }
        // If there are more, some have no place.
        guard rooms.count < Self.limit else { return }
        let missing = rooms.values.lazy.filter { mustBeListed($0, since: time) && shown[$0.code] == nil }
        guard let code = missing.map(\.code).min() else { return }
        recordBreach("a list has each room that it should", "\(code) is not in it")
    }

    private func checkFreshness(of entry: ListEntry, _ room: RoomModel, since time: Int) {
        func detail() -> String {
            "\(place): \(entry.code), \(entry.listed), \(entry.present) and \(entry.spectators) since \(time), now "
                + "\(room.listing.last.map { "\($0.room) since \($0.since)" } ?? "none"), \(room.present)"
        }
        findings.expect(
            !mustNotBeListed(room, since: time), "a list drops closed, unlisted and empty rooms",
            detail())
        let moveTime = time - Self.moveSpan + Self.span
        guard moveTime >= context.hinderedAt, let number = room.listing.lastNumber(of: entry.listed) else { return }
        findings.expect(
            room.listing.isTrue(number, at: time, butForTurnAt: moveTime), "a list shows a change in time", detail())
        guard room.presenceChangedAt <= time, !room.awaitsGreeting else { return }
        findings.expect(room.present.isCounted(by: entry), "a list counts the people in a room", detail())
        guard room.listing.settledSince <= time, let name = entry.hostName else { return }
        context.accounts.shown(name, of: entry.listed.host, "\(place): \(entry.code), the host")
    }

    /// Checks that the rooms are ordered by their last change, newest first, as far as it was before `time`.
    func checkOrder(_ entries: [ListEntry], since time: Int) {
        let moveTime = time - Self.moveSpan + Self.span
        guard moveTime >= context.hinderedAt else { return }
        for (entry, next) in zip(entries, entries.dropFirst()) {
            guard let room = rooms[entry.code], let other = rooms[next.code], other.durable.time <= moveTime else {
                continue
            }
            expect(
                room.durable.time >= other.durable.time, "a list has the last changed rooms first",
                "\(entry.code), which changed at \(room.durable.time), before \(next.code), at "
                    + "\(other.durable.time)")
        }
    }

    /// Whether a room has been in lists since then, but for what they lag.
    private func mustBeListed(_ room: RoomModel, since time: Int) -> Bool {
        room.version > 0 && room.presenceChangedAt <= time && room.present.isSomebody
            && room.listing.openSince <= time && room.listing.last?.room.isForAll == true
    }

    private func mustNotBeListed(_ room: RoomModel, since time: Int) -> Bool {
        guard room.version > 0, let last = room.listing.last else { return true }
        if room.listing.openSince <= time, !last.room.isForAll { return true }
        return room.presenceChangedAt <= time && !room.present.isSomebody
    }
}
