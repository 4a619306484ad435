import Games

/// Which players are connected to a room, and since when others are not, as the room's edge reports it.
public struct Attendance: Sendable {
    /// A player without a connection for this long is absent, and others may act for the player.
    public static let absence: Milliseconds = 60_000
    /// Most disconnected players that are remembered.
    private static let goneLimit = 1_000

    /// All connections, even those whose player is not known.
    private var openCount = 0
    /// The number of connections of each player who has any.
    private var connections: [PlayerID: Int] = [:]
    /// When the last connection of a disconnected player ended.
    private var goneSince: [PlayerID: Milliseconds] = [:]
    /// When the room woke, or last forgot its disconnected players. A player who has not connected since then has been
    /// gone for at least as long.
    private var rememberedSince: Milliseconds
    /// Since when there has been no connection. Meaningless unless `isEmpty`.
    public private(set) var emptySince: Milliseconds

    /// A room that has just woken, without connections.
    public init(now: Milliseconds) { (rememberedSince, emptySince) = (now, now) }

    /// Whether no one is connected, not even a spectator.
    var isEmpty: Bool { openCount == 0 }

    /// Records a report of the edge.
    public mutating func record(_ report: AttendanceReport, at now: Milliseconds) {
        switch report {
        case .opened: openCount += 1
        case .closed:
            openCount -= 1
            if isEmpty { emptySince = now }
        case .came(let player): connections[player, default: 0] += 1
        case .went(let player):
            let left = (connections[player] ?? 1) - 1
            connections[player] = left > 0 ? left : nil
            if left == 0 { rememberGone(player, now: now) }
        case .greeted, .spoke: break
        }
    }

    private mutating func rememberGone(_ player: PlayerID, now: Milliseconds) {
        // Forgetting all of them is cheap and lenient, since no one counts as gone for longer than is known.
        if goneSince.count >= Self.goneLimit { (goneSince, rememberedSince) = ([:], now) }
        goneSince[player] = now
    }

    /// Moves all times by `span`, because the clock was wrong by that much.
    public mutating func shift(by span: Milliseconds) { move { $0 + span } }

    /// Does not count the time from `start` to `end` as absence, because the room could not be played. Times before
    /// `start` move by the whole span, and times in between move to `end`.
    public mutating func leaveOut(from start: Milliseconds, until end: Milliseconds) {
        move { $0 < end ? $0 + end - max($0, start) : $0 }
    }

    private mutating func move(_ moved: (Milliseconds) -> Milliseconds) {
        emptySince = moved(emptySince)
        rememberedSince = moved(rememberedSince)
        goneSince = goneSince.mapValues(moved)
    }

    func isConnected(_ player: PlayerID) -> Bool { connections[player] != nil }

    /// Whether the player is connected, or was, as far as is remembered.
    func hasBeenHere(_ player: PlayerID) -> Bool { isConnected(player) || goneSince[player] != nil }

    /// Since when `player` has had no connection; nil while connected.
    func goneSince(_ player: PlayerID) -> Milliseconds? {
        isConnected(player) ? nil : max(rememberedSince, goneSince[player] ?? rememberedSince)
    }

    /// Whether the player has had no connection for `absence`.
    func isAbsent(_ player: PlayerID, at now: Milliseconds) -> Bool {
        goneSince(player).map { now - $0 >= Self.absence } ?? false
    }
}

/// What a room's edge reports to its home about connections.
public enum AttendanceReport: Sendable {
    /// Any connection, even if its player is not known yet.
    case opened, closed
    /// A connection now belongs to this player, or no longer does.
    case came(PlayerID), went(PlayerID)
    /// The player has sent `hello`.
    case greeted(PlayerID)
    /// The player has done something that is not a command.
    case spoke(PlayerID)
}
