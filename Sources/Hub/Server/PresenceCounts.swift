import EventStore
import Games
import JSON
import Synchronization

/// How many are connected to a room, for the list of rooms: all in it that does not follow from the log.
struct PresenceCount: Sendable, Equatable {
    /// Its host and the players who have a seat.
    var present = 0
    /// Those who watch without a seat.
    var spectators = 0

    /// Whether anybody is there at all: a room that all have left is in no list.
    var isSomebody: Bool { present + spectators > 0 }

    var fields: Fields { ["present": .integer(present), "spectators": .integer(spectators)] }
}

/// The counts of each room that is awake. Rooms of all shards write into it, when they tell their members; of rooms
/// whose home is another node, what that node's run says.
final class PresenceCounts: Sendable {
    private struct Counts {
        /// Of the rooms here, where somebody is.
        var own: [String: PresenceCount] = [:]
        /// Rooms here whose count has changed since other nodes were told; nil: nobody has asked.
        var changed: Set<String>?
        /// Of rooms elsewhere, where somebody is, by the run that says so.
        var others: [String: [String: Said]] = [:]
        var lastSaid = 0
    }

    private struct Said {
        let count: PresenceCount
        /// The later, the higher. A room that has another home than before may be counted by both for a moment.
        let number: Int
    }

    private let counts = Mutex(Counts())

    /// Nobody, for a room that sleeps.
    func count(in room: String) -> PresenceCount {
        counts.withLock { counts in
            if let own = counts.own[room] { return own }
            let said = counts.others.values.lazy.compactMap { $0[room] }.max { $0.number < $1.number }
            return said?.count ?? PresenceCount()
        }
    }

    // MARK: Rooms here

    func set(_ count: PresenceCount, in room: String) {
        counts.withLock { counts in
            let now = count.isSomebody ? count : nil
            guard counts.own[room] != now else { return }
            counts.own[room] = now
            counts.changed?.insert(room)
        }
    }

    /// Rooms whose count has changed since this was called last, or all in which somebody is, to tell other nodes. At
    /// most `limit`: the next call has the others.
    func takeChanges(all: Bool, limit: Int) -> [RoomPresence] {
        counts.withLock { counts in
            var rooms = all ? Set(counts.own.keys) : counts.changed ?? []
            let left = rooms.count > limit ? rooms.sorted().dropFirst(limit) : []
            rooms.subtract(left)
            counts.changed = Set(left)
            return rooms.map { room in
                let count = counts.own[room] ?? PresenceCount()
                return RoomPresence(room: room, present: count.present, spectators: count.spectators)
            }
        }
    }

    // MARK: Rooms elsewhere

    /// `isAll`: the run has nobody in other rooms than these.
    func set(_ said: [RoomPresence], by run: String, isAll: Bool) {
        guard isAll || !said.isEmpty else { return }
        counts.withLock { counts in
            var rooms = isAll ? [:] : counts.others[run] ?? [:]
            for said in said {
                counts.lastSaid += 1
                let count = PresenceCount(present: said.present, spectators: said.spectators)
                rooms[said.room] = count.isSomebody ? Said(count: count, number: counts.lastSaid) : nil
            }
            counts.others[run] = rooms.isEmpty ? nil : rooms
        }
    }

    /// Forgets what these runs have said.
    func forget(_ isGone: (String) -> Bool) {
        counts.withLock { counts in counts.others = counts.others.filter { !isGone($0.key) } }
    }
}
