/// Who is connected to a room, and since when others are not: time in which the room could not be played left out.
struct Attendance {
    /// How many connections each player has.
    private(set) var connections: [String: Int] = [:]
    /// When the last connection of a player went.
    private var goneSince: [String: Int] = [:]
    /// When each who is here came.
    private(set) var hereSince: [String: Int] = [:]
    /// Since when each is gone where nobody has noticed the last visits: these were over before they were told of.
    private var missedSince: [String: Int] = [:]
    /// When a connection ended that may have been this player's.
    private(set) var mayHaveGone: [String: Int] = [:]
    /// Since when anybody is counted: before that nobody was gone.
    private var beganAt: Int

    init(at time: Int) { beganAt = time }

    /// The same, had nobody been counted before `time`.
    func counted(from time: Int) -> Attendance {
        var later = self
        later.beganAt = max(beganAt, time)
        // A room that slept until then knows nobody who went before.
        later.goneSince = goneSince.filter { $0.value >= time }
        later.missedSince = missedSince.mapValues { max($0, time) }
        return later
    }

    /// The same, had nobody noticed visits that may have been missed; nil: there are none.
    var withoutMissed: Attendance? {
        guard !missedSince.isEmpty else { return nil }
        var fewer = self
        for (player, time) in missedSince where !isHere(player) { fewer.goneSince[player] = time }
        return fewer
    }

    /// The same, had these players come, too, and whoever may have come and gone.
    func with(_ players: [String]) -> Attendance {
        var more = self
        for (player, time) in mayHaveGone { more.goneSince[player] = max(time, goneSince[player] ?? 0) }
        for player in players { more.came(player, at: 0) }
        return more
    }

    func isHere(_ player: String) -> Bool { connections[player] != nil }

    /// Whether a player is, or has been, connected.
    func hasBeenHere(_ player: String) -> Bool {
        isHere(player) || goneSince[player] != nil || mayHaveGone[player] != nil
    }

    /// Since when a player has had no connection; nil: has one.
    func absence(of player: String) -> Int? { isHere(player) ? nil : goneSince[player] ?? beganAt }

    /// Who has gone since then, and is not back.
    func gone(since time: Int) -> [String] { goneSince.filter { $0.value >= time }.map(\.key) }

    mutating func came(_ player: String, at time: Int) {
        connections[player, default: 0] += 1
        if connections[player] == 1 {
            hereSince[player] = time
            missedSince[player] = missedSince[player] ?? goneSince[player] ?? beganAt
        }
        goneSince[player] = nil
        mayHaveGone[player] = nil
    }

    /// `isMissed`: whether a visit that ends with this may not have been noticed.
    mutating func went(_ player: String, at time: Int, isMissed: Bool = false) {
        guard let count = connections[player] else { return }
        connections[player] = count > 1 ? count - 1 : nil
        guard count == 1 else { return }
        goneSince[player] = time
        hereSince[player] = nil
        if !isMissed { missedSince[player] = nil }
    }

    /// A connection has ended that may have been this player's.
    mutating func mayHaveGone(_ player: String, at time: Int) { if !isHere(player) { mayHaveGone[player] = time } }

    /// The room could not be played from `start` to `end`: nobody was gone then.
    mutating func leaveOut(from start: Int, to end: Int) {
        beganAt = Self.moved(beganAt, over: start, end)
        goneSince = goneSince.mapValues { Self.moved($0, over: start, end) }
        missedSince = missedSince.mapValues { Self.moved($0, over: start, end) }
        mayHaveGone = mayHaveGone.mapValues { Self.moved($0, over: start, end) }
    }

    /// A time from which on is counted what was not between `start` and `end`.
    static func moved(_ time: Int, over start: Int, _ end: Int) -> Int {
        if time >= end { return time }
        return time > start ? end : time + end - start
    }
}

/// Who is connected, and who was of late: a commit was judged some time before it was durable.
struct Attendances {
    private(set) var current: Attendance
    /// Until when each was so, the newest last.
    private var earlier: [(attendance: Attendance, until: Int)] = []

    /// How many are kept: more than change while one commit is on its way.
    private static let limit = 64

    init(_ attendance: Attendance) { current = attendance }

    mutating func change(at time: Int, _ change: (inout Attendance) -> Void) {
        if earlier.count == Self.limit { earlier.removeFirst() }
        earlier.append((current, time))
        change(&current)
    }

    /// Those that were so at a time or later, the newest first.
    func since(_ time: Int) -> [Attendance] { earlier.reversed().prefix { $0.until >= time }.map(\.attendance) }
}
