import Synchronization

/// When the newest flips of a room were due, by the version of the event that shows them. Shared by all loops with
/// members of the room.
final class FlipTimes: Sendable {
    /// A member further behind gets a new welcome instead.
    private static let limit = 1_024

    private struct Flip {
        var version = 0
        var due = 0
    }

    private let flips = Mutex<[Flip]>([])

    func recordFlip(_ version: Int, due: Int) {
        flips.withLock { flips in
            if flips.isEmpty { flips = Array(repeating: Flip(), count: Self.limit) }
            flips[version % Self.limit] = Flip(version: version, due: due)
        }
    }

    /// Nil for an event that is not the result of a flip of this test.
    func due(_ version: Int) -> Int? {
        flips.withLock { flips in
            guard !flips.isEmpty, flips[version % Self.limit].version == version else { return nil }
            return flips[version % Self.limit].due
        }
    }
}
