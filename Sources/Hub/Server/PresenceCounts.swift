import Games
import Synchronization

/// How many are connected to a room, for the list of rooms, and what its host is called: all in it that does not follow
/// from the log.
struct PresenceCount: Sendable, Equatable {
    /// Its host and the players who have a seat.
    var present = 0
    /// Those who watch without a seat.
    var spectators = 0
    /// Nil where the host has given the name up.
    var hostName: String?

    /// Whether anybody is there at all: a room that all have left is in no list.
    var isSomebody: Bool { present + spectators > 0 }

    var fields: Fields {
        var fields: Fields = ["present": .integer(present), "spectators": .integer(spectators)]
        fields["hostName"] = hostName.map { .string($0) }
        return fields
    }
}

/// The counts of each room that is awake. Rooms of all shards write into it, when they tell their members.
final class PresenceCounts: Sendable {
    private let counts = Mutex<[String: PresenceCount]>([:])

    func set(_ count: PresenceCount, in room: String) {
        counts.withLock { $0[room] = count.isSomebody ? count : nil }
    }

    /// Nobody, for a room that sleeps.
    func count(in room: String) -> PresenceCount { counts.withLock { $0[room] ?? PresenceCount() } }
}
