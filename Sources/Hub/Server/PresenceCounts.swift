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

/// The counts of each room that is awake. Rooms of all shards write into it, when they tell their members; of rooms
/// whose home is another node, what that node says.
final class PresenceCounts: Sendable {
    private struct Entry {
        let count: PresenceCount
        /// The node that has said so; nil: this one.
        let source: NodeName?
        /// That node is not the room's home any more. The next one says how many there are by then, unless it has never
        /// heard of anybody.
        var isStale: Bool
        /// What another node has said meanwhile: the home before, whose word came late, or the next one.
        var other: Said?

        /// Nobody may be there by what the home says, while the next one has counted somebody.
        var isOfUse: Bool { count.isSomebody || other?.count.isSomebody == true }
    }

    private struct Said {
        let count: PresenceCount
        let source: NodeName?
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Whether it is another one than before, as far as others know.
    @discardableResult
    func set(_ count: PresenceCount, in room: String, from source: NodeName? = nil, isStale: Bool = false) -> Bool {
        entries.withLock { entries in
            let old = entries[room]
            if isStale, let old, !old.isStale, old.source != source {
                entries[room]?.other = Said(count: count, source: source)
                return false
            }
            let other = old.flatMap { $0.source == source ? $0.other : nil }
            let entry = Entry(count: count, source: source, isStale: isStale, other: other)
            entries[room] = entry.isOfUse ? entry : nil
            guard let old, old.count.isSomebody else { return count.isSomebody }
            return !count.isSomebody || old.count != count || old.source != source || old.isStale
        }
    }

    /// What these nodes have said is not so any more.
    func forget(_ isGone: (NodeName) -> Bool) {
        entries.withLock { entries in
            for (room, var entry) in entries {
                if let said = entry.other, said.source.map(isGone) == true { entry.other = nil }
                if entry.source.map(isGone) == true {
                    let said = entry.other ?? Said(count: PresenceCount(), source: nil)
                    entry = Entry(count: said.count, source: said.source, isStale: true)
                }
                entries[room] = entry.isOfUse ? entry : nil
            }
        }
    }

    /// The node may have said other counts since that were lost. Whether it has said any.
    func doubt(_ node: NodeName) -> Bool {
        entries.withLock { entries in
            let doubtful = entries.filter { $0.value.source == node }.keys
            for room in doubtful { entries[room]?.isStale = true }
            return !doubtful.isEmpty
        }
    }

    /// Other nodes serve rooms than before: `isHome` says of a room, and who has said how many are there, whether that
    /// is its home by now. Whether some is not.
    func review(_ isHome: (String, NodeName?) -> Bool) -> Bool {
        entries.withLock { entries in
            var isAnyStale = false
            for (room, entry) in entries {
                let isStale = !isHome(room, entry.source)
                if isStale, let said = entry.other, isHome(room, said.source) {
                    let next = Entry(count: said.count, source: said.source, isStale: false)
                    entries[room] = said.count.isSomebody ? next : nil
                    continue
                }
                entries[room]?.isStale = isStale
                if isStale { isAnyStale = true }
            }
            return isAnyStale
        }
    }

    /// Nobody has said for long enough how many there are.
    func forgetStale() { entries.withLock { $0 = $0.filter { !$0.value.isStale } } }

    /// Nobody, for a room that sleeps.
    func count(in room: String) -> PresenceCount { entries.withLock { $0[room]?.count ?? PresenceCount() } }
}
