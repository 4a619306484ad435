import Games

/// Who is connected to a room, and since when who is not: what its edge has told of it.
public struct Attendance: Sendable {
    /// Who has had no connection for so long is absent: others may act for the player.
    public static let absence: Milliseconds = 60_000
    /// Players who have gone and are remembered.
    private static let goneLimit = 1_000

    /// Connections, whose they are known or not.
    private var openCount = 0
    /// How many connections each player has; none for those who have none.
    private var connections: [PlayerID: Int] = [:]
    /// When the last connection of a player ended, of those who have none.
    private var goneSince: [PlayerID: Milliseconds] = [:]
    /// When the room woke, or last forgot who has gone: whoever has not come since has been gone for at least as long.
    private var rememberedSince: Milliseconds
    /// Since when nobody has been here.
    public private(set) var emptySince: Milliseconds

    public init(now: Milliseconds) { (rememberedSince, emptySince) = (now, now) }

    public var isEmpty: Bool { openCount == 0 }

    public mutating func note(_ report: AttendanceReport, at now: Milliseconds) {
        switch report {
        case .opened: openCount += 1
        case .closed:
            openCount -= 1
            if isEmpty { emptySince = now }
        case .came(let player): connections[player, default: 0] += 1
        case .went(let player):
            let left = (connections[player] ?? 1) - 1
            connections[player] = left > 0 ? left : nil
            if left == 0 { noteGone(player, now: now) }
        case .greeted, .spoke: break
        }
    }

    private mutating func noteGone(_ player: PlayerID, now: Milliseconds) {
        // Forgetting all of them at times is cheap, and lenient: nobody counts as gone for longer than is known.
        if goneSince.count >= Self.goneLimit { (goneSince, rememberedSince) = ([:], now) }
        goneSince[player] = now
    }

    /// Has been and gone later by `span`, by which the clock was wrong.
    public mutating func shift(by span: Milliseconds) { move { $0 + span } }

    /// Nobody has been gone for any of the time from `start` to `end`: the room could not be played. What lay behind
    /// `start` is as far from `end` now, and what came in between is of that moment.
    public mutating func leaveOut(from start: Milliseconds, until end: Milliseconds) {
        move { $0 < end ? $0 + end - max($0, start) : $0 }
    }

    private mutating func move(_ moved: (Milliseconds) -> Milliseconds) {
        emptySince = moved(emptySince)
        rememberedSince = moved(rememberedSince)
        goneSince = goneSince.mapValues(moved)
    }

    func isConnected(_ player: PlayerID) -> Bool { connections[player] != nil }

    /// Whether the player is connected, or is remembered to have been.
    func hasBeenHere(_ player: PlayerID) -> Bool { isConnected(player) || goneSince[player] != nil }

    /// Since when `player` has had no connection; nil while there is one.
    public func goneSince(_ player: PlayerID) -> Milliseconds? {
        isConnected(player) ? nil : max(rememberedSince, goneSince[player] ?? rememberedSince)
    }

    /// Whether the player has had no connection for `absence`.
    func isAbsent(_ player: PlayerID, at now: Milliseconds) -> Bool {
        goneSince(player).map { now - $0 >= Self.absence } ?? false
    }
}

/// What an edge tells the home of those who are connected to it.
public enum AttendanceReport: Sendable {
    /// A connection, of whomever.
    case opened, closed
    /// A connection is this player's from now on, or is so no more.
    case came(PlayerID), went(PlayerID)
    /// The player has said hello.
    case greeted(PlayerID)
    /// The player has done something that is no command.
    case spoke(PlayerID)
}
