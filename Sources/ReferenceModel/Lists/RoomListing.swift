/// What lists could show of a room, and since when: they lag behind its log.
struct RoomListing {
    struct Entry {
        let room: ListedRoom
        /// The first version of the room that it shows.
        let version: Int
        /// When that was recorded.
        let since: Int
    }

    /// Oldest first.
    private(set) var entries: [Entry] = []
    /// How many older ones were dropped.
    private var dropped = 0
    /// Since when nothing has changed that decides who finds the room.
    private(set) var openSince = 0
    /// Since when only turns have changed.
    private(set) var settledSince = 0
    /// Since when the same players have had an unfinished game. The next game may have other players and still look
    /// the same in lists.
    private(set) var playedSince = 0
    private var players: [String] = []

    /// How long outdated entries are kept, in ms. Lost rows may be that old.
    private static let kept = 15 * 60_000

    var last: Entry? { entries.last }

    mutating func recordState(of fold: RoomFold, at now: Int) {
        if fold.playersWithGame != players { (players, playedSince) = (fold.playersWithGame, now) }
        let room = fold.listed
        if last?.room == room { return }
        let isOnlyTurn = last?.room.isSame(butForAwaited: room) ?? false
        if !isOnlyTurn { settledSince = now }
        if last?.room.isForAll != room.isForAll { openSince = now }
        append(Entry(room: room, version: fold.version, since: now))
    }

    /// The log has gone back, and lists show for a while what it held before.
    mutating func goBack(to fold: RoomFold, at now: Int) {
        (openSince, settledSince, playedSince, players) = (now, now, now, fold.playersWithGame)
        if fold.version > 0 { append(Entry(room: fold.listed, version: fold.version, since: now)) }
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        guard entries.count >= 64, entries.count.isMultiple(of: 64) else { return }
        let count = entries.indices.dropFirst().first { entries[$0].since > entry.since - Self.kept }.map { $0 - 1 }
        entries.removeFirst(count ?? 0)
        dropped += count ?? 0
    }

    /// The number of the first entry equal to `room`, from number `first` on; nil if there is none.
    func number(of room: ListedRoom, from first: Int = 0) -> Int? {
        entries[min(max(0, first - dropped), entries.count)...].firstIndex { $0.room == room }.map { $0 + dropped }
    }

    /// The same for the last.
    func lastNumber(of room: ListedRoom) -> Int? { entries.lastIndex { $0.room == room }.map { $0 + dropped } }

    /// Whether entry `number` was still true at a time, or only the turn had changed before that, at `moveTime` or
    /// later.
    func isTrue(_ number: Int, at time: Int, butForTurnAt moveTime: Int) -> Bool {
        let index = number - dropped
        guard entries.indices.contains(index) else { return false }
        let room = entries[index].room
        for next in entries[(index + 1)...] {
            if next.since > time { return true }
            guard next.since > moveTime, next.room.isSame(butForAwaited: room) else { return false }
        }
        return true
    }
}
