import Games
import Synchronization

/// How many are connected to a room, for the list of rooms: the one thing in it that does not follow from the log.
struct PresenceCount: Sendable, Equatable {
    /// Its host and the players who have a seat.
    var present = 0
    /// Those who watch without a seat.
    var spectators = 0

    var fields: Fields { ["present": .integer(present), "spectators": .integer(spectators)] }
}

/// The counts of each room that is awake. Rooms of all shards write into it, when they tell their members.
final class PresenceCounts: Sendable {
    private let counts = Mutex<[String: PresenceCount]>([:])

    func set(_ count: PresenceCount, in room: String) {
        counts.withLock { $0[room] = count == PresenceCount() ? nil : count }
    }

    /// Nobody, for a room that sleeps.
    func count(in room: String) -> PresenceCount { counts.withLock { $0[room] ?? PresenceCount() } }
}
