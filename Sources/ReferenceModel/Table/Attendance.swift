/// Which players are connected to a room and since when others are not, without time in which the room could not be
/// played.
struct Attendance {
    /// The number of each player's connections.
    private(set) var connections: [String: Int] = [:]
    /// When a player's last connection ended.
    private var goneSince: [String: Int] = [:]
    /// When each connected player came.
    private(set) var hereSince: [String: Int] = [:]
    /// Since when each is gone if the last visits went unnoticed, because they ended before the home learned of them.
    private var missedSince: [String: Int] = [:]
    /// When a connection ended that may have been this player's.
    private(set) var mayHaveGone: [String: Int] = [:]
    /// When counting began. No one was gone before that.
    private var beganAt: Int

    init(at time: Int) { beganAt = time }

    /// The same with counting that began at `time`.
    func counted(from time: Int) -> Attendance {
        var later = self
        later.beganAt = max(beganAt, time)
        // A room that slept until then does not know players who left before.
        later.goneSince = goneSince.filter { $0.value >= time }
        later.missedSince = missedSince.mapValues { max($0, time) }
        return later
    }

    /// The same without visits that may have been missed; nil if there are none.
    var withoutMissed: Attendance? {
        guard !missedSince.isEmpty else { return nil }
        var fewer = self
        for (player, time) in missedSince where !isHere(player) { fewer.goneSince[player] = time }
        return fewer
    }

    /// The same if these players had also come, and those who may have come and gone.
    func with(_ players: [String]) -> Attendance {
        var more = self
        for (player, time) in mayHaveGone { more.goneSince[player] = max(time, goneSince[player] ?? 0) }
        for player in players { more.playerCame(player, at: 0) }
        return more
    }

    func isHere(_ player: String) -> Bool { connections[player] != nil }

    /// Whether a player is, or has been, connected.
    func hasBeenHere(_ player: String) -> Bool {
        isHere(player) || goneSince[player] != nil || mayHaveGone[player] != nil
    }

    /// Since when a player has had no connection; nil if connected.
    func absence(of player: String) -> Int? { isHere(player) ? nil : goneSince[player] ?? beganAt }

    /// The players who have left since then and are not back.
    func gone(since time: Int) -> [String] { goneSince.filter { $0.value >= time }.map(\.key) }

    mutating func playerCame(_ player: String, at time: Int) {
        connections[player, default: 0] += 1
        if connections[player] == 1 {
            hereSince[player] = time
            missedSince[player] = missedSince[player] ?? goneSince[player] ?? beganAt
        }
        goneSince[player] = nil
        mayHaveGone[player] = nil
    }

    /// `isMissed`: whether the visit that ends with this may have gone unnoticed.
    mutating func playerWent(_ player: String, at time: Int, isMissed: Bool = false) {
        guard let count = connections[player] else { return }
        connections[player] = count > 1 ? count - 1 : nil
        guard count == 1 else { return }
        goneSince[player] = time
        hereSince[player] = nil
        if !isMissed { missedSince[player] = nil }
    }

    /// A connection has ended that may have been this player's.
    mutating func mayHaveGone(_ player: String, at time: Int) { if !isHere(player) { mayHaveGone[player] = time } }

    /// The room could not be played from `start` to `end`, which does not count as absence.
    mutating func leaveOut(from start: Int, to end: Int) {
        beganAt = Self.moved(beganAt, over: start, end)
        goneSince = goneSince.mapValues { Self.moved($0, over: start, end) }
        missedSince = missedSince.mapValues { Self.moved($0, over: start, end) }
        mayHaveGone = mayHaveGone.mapValues { Self.moved($0, over: start, end) }
    }

    /// Moves the start of a count past the time between `start` and `end`.
    static func moved(_ time: Int, over start: Int, _ end: Int) -> Int {
        if time >= end { return time }
        return time > start ? end : time + end - start
    }
}

/// The present attendance and recent ones, since a commit was judged some time before it was durable.
struct Attendances {
    private(set) var current: Attendance
    /// Each with the time until which it was true, newest last.
    private var earlier: [(attendance: Attendance, until: Int)] = []

    /// How many are kept: more than the changes while one commit is on its way.
    private static let limit = 64

    init(_ attendance: Attendance) { current = attendance }

    mutating func change(at time: Int, _ change: (inout Attendance) -> Void) {
        if earlier.count == Self.limit { earlier.removeFirst() }
        earlier.append((current, time))
        change(&current)
    }

    /// Those that were true at `time` or later, newest first.
    func since(_ time: Int) -> [Attendance] { earlier.reversed().prefix { $0.until >= time }.map(\.attendance) }
}
