import Threads

/// How long appends gather before the next transaction.
///
/// A transaction takes as much processor time as several appends do. Under load the next one would begin as soon as the
/// last has ended, with the one or two appends of that time. So the disk rests as long as it worked. An idle log waits
/// for nothing.
struct GatherPlan {
    /// So many appends share a transaction's cost well enough.
    static let enough = 32
    static let longest: Nanoseconds = 2_000_000

    /// How long a commit waits for the disk, smoothed.
    private var syncTime: Nanoseconds = 0
    /// The time between two appends, smoothed.
    private var appendInterval: Nanoseconds = longest
    private var lastEnd: Nanoseconds = 0
    private var rest: Nanoseconds = 0

    /// From when the thread asks for its next jobs; nil: not at all.
    var gathering: Gathering? { rest > 0 ? Gathering(.nanoseconds(rest), orUntil: Self.enough) : nil }

    /// Nothing was written since.
    mutating func reset() { rest = 0 }

    /// A transaction of this many appends waited for the disk.
    mutating func committed(_ appends: Int, waited: Range<Nanoseconds>) {
        syncTime += (waited.count - syncTime) / 8
        let passed = min(waited.upperBound - lastEnd, 1_000_000_000)
        appendInterval += (passed / appends - appendInterval) / 4
        lastEnd = waited.upperBound
        let restTime = min(syncTime, Self.longest)
        // If appends are further apart, the rest would gather none.
        rest = restTime >= appendInterval / 2 ? restTime : 0
    }
}
