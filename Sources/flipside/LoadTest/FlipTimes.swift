import Synchronization

/// When the newest flips of a room were due, by the version of the event that shows them: for all loops that have
/// members of it.
final class FlipTimes: Sendable {
    /// Who is further behind has been greeted anew.
    private static let limit = 1_024

    private struct Flip {
        var version = 0
        var due = 0
    }

    private let flips = Mutex<[Flip]>([])

    func note(_ version: Int, due: Int) {
        flips.withLock { flips in
            if flips.isEmpty { flips = Array(repeating: Flip(), count: Self.limit) }
            flips[version % Self.limit] = Flip(version: version, due: due)
        }
    }

    /// Nil of an event that no flip of this test has led to.
    func due(_ version: Int) -> Int? {
        flips.withLock { flips in
            guard !flips.isEmpty, flips[version % Self.limit].version == version else { return nil }
            return flips[version % Self.limit].due
        }
    }
}
