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

    /// Whether it is another one than before.
    @discardableResult
    func set(_ count: PresenceCount, in room: String) -> Bool {
        let shown = count.isSomebody ? count : nil
        return counts.withLock { counts in
            defer { counts[room] = shown }
            return counts[room] != shown
        }
    }

    func forget(where isForgotten: (String) -> Bool) {
        counts.withLock { $0 = $0.filter { !isForgotten($0.key) } }
    }

    /// Nobody, for a room that sleeps.
    func count(in room: String) -> PresenceCount { counts.withLock { $0[room] ?? PresenceCount() } }
}
