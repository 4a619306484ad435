import Synchronization

/// How many watch each room that is awake, for the list of rooms: the one thing in it that does not follow from the
/// log. Rooms of all shards write into it, when they tell their members.
final class SpectatorCounts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func set(_ count: Int, in room: String) { counts.withLock { $0[room] = count == 0 ? nil : count } }

    /// 0 for a room that sleeps.
    func count(in room: String) -> Int { counts.withLock { $0[room] ?? 0 } }
}
