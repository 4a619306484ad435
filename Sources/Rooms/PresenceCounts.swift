import EventStore
import JSON
import Synchronization

/// How many people are connected to a room, for the list of rooms. Nothing else in the list comes from outside the log.
public struct PresenceCount: Sendable, Equatable {
    /// The host and the players with seats.
    public var present = 0
    /// Viewers without a seat.
    public var spectators = 0

    /// Whether anyone is connected. Lists leave out rooms that everyone has left.
    public var isSomebody: Bool { present + spectators > 0 }

    public var fields: Fields { ["present": .integer(present), "spectators": .integer(spectators)] }
}

/// The counts of all awake rooms. Rooms of all shards write them whenever they notify their members. For rooms with
/// another home, they come from that node's run.
public final class PresenceCounts: Sendable {
    private struct Counts {
        /// Rooms here that have connections.
        var own: [String: PresenceCount] = [:]
        /// Rooms here whose count has changed since other nodes were notified; nil if no report was asked for.
        var changed: Set<String>?
        /// Rooms elsewhere that have connections, by the run that reports them.
        var others: [String: [String: Said]] = [:]
        var lastSaid = 0
    }

    private struct Said {
        let count: PresenceCount
        /// A later report has a higher number. A room that changes its home may be counted by both for a moment.
        let number: Int
    }

    private let counts = Mutex(Counts())

    public init() {}

    /// Zero for a room that sleeps.
    public func count(in room: String) -> PresenceCount {
        counts.withLock { counts in
            if let own = counts.own[room] { return own }
            let said = counts.others.values.lazy.compactMap { $0[room] }.max { $0.number < $1.number }
            return said?.count ?? PresenceCount()
        }
    }

    func set(_ count: PresenceCount, in room: String) {
        counts.withLock { counts in
            let now = count.isSomebody ? count : nil
            guard counts.own[room] != now else { return }
            counts.own[room] = now
            counts.changed?.insert(room)
        }
    }

    /// Rooms whose count has changed since the last call, or all that have connections, to notify other nodes. Returns
    /// at most `limit`, and the next call has the rest.
    public func takeChanges(all: Bool, limit: Int) -> [RoomPresence] {
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

    /// `isAll`: the run has connections only in these rooms.
    public func set(_ said: [RoomPresence], by run: String, isAll: Bool) {
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

    /// Forgets the counts of these runs.
    public func forget(_ isGone: (String) -> Bool) {
        counts.withLock { counts in counts.others = counts.others.filter { !isGone($0.key) } }
    }
}
