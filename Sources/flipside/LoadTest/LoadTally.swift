import Synchronization

/// What one loop has counted, and with the others' all that a test has found.
struct LoadTally: Sendable {
    var rooms: [OpenRoom] = []
    var failedRooms = 0
    var players = 0
    var watchers = 0
    /// Members and watchers that went though nobody had told them to; slow readers not counted.
    var lost = 0
    var slowReaders = 0
    var cutSlowReaders = 0
    var newcomers = 0
    var failedNewcomers = 0
    /// Watchers that could not come.
    var failedWatchers = 0

    /// Rooms that have played ahead.
    var headStarts = 0
    var flipsDue = 0
    var flipsDone = 0
    var flipsRefused = 0
    var deliveries = 0

    var returning = 0
    var returned = 0
    /// Attempts beyond the first.
    var retries = 0
    /// The last one's, in nanoseconds from the moment when all went.
    var returnTime = 0
    /// How many of `returned` got events instead of a whole welcome.
    var resumed = 0

    var sentBytes = 0
    var receivedBytes = 0
    /// By what it was: the code of a refusal or a close, or a sentence.
    var faults: [String: Int] = [:]

    /// From when it was due to each member's receipt.
    var delivery = LatencyHistogram()
    /// From when it was due to the player's `ok`.
    var answer = LatencyHistogram()
    /// TCP and TLS.
    var connect = LatencyHistogram()
    /// From the request for a WebSocket to its grant.
    var handshake = LatencyHistogram()
    /// From `hello` to `welcome`.
    var welcome = LatencyHistogram()
    /// From when a flip was due, with a room ready for it, to its being sent: this program's own part.
    var lateness = LatencyHistogram()

    mutating func fault(_ name: String) {
        // What a hub says is its own, and may be different each time.
        faults[faults.count < 64 || faults[name] != nil ? name : "other", default: 0] += 1
    }

    mutating func add(_ other: LoadTally) {
        rooms += other.rooms
        for path in Self.sums { self[keyPath: path] += other[keyPath: path] }
        returnTime = max(returnTime, other.returnTime)
        faults.merge(other.faults, uniquingKeysWith: +)
        for path in Self.histograms { self[keyPath: path].merge(other[keyPath: path]) }
    }

    private static var sums: [WritableKeyPath<LoadTally, Int>] {
        [
            \.failedRooms, \.players, \.watchers, \.lost, \.slowReaders, \.cutSlowReaders, \.newcomers,
            \.failedNewcomers, \.failedWatchers, \.headStarts, \.flipsDue, \.flipsDone, \.flipsRefused, \.deliveries,
            \.returning,
            \.returned, \.retries, \.resumed, \.sentBytes, \.receivedBytes,
        ]
    }

    private static var histograms: [WritableKeyPath<LoadTally, LatencyHistogram>] {
        [\.delivery, \.answer, \.connect, \.handshake, \.welcome, \.lateness]
    }
}

/// Where a loop leaves its tally, for the main thread.
final class TallyBoard: Sendable {
    private let tallies: Mutex<[LoadTally]>
    private let count = Atomic(0)

    init(loops: Int) { tallies = Mutex(Array(repeating: LoadTally(), count: loops)) }

    /// How often one was left here.
    var reports: Int { count.load(ordering: .acquiring) }

    func put(_ tally: LoadTally, of loop: Int) {
        tallies.withLock { $0[loop] = tally }
        count.add(1, ordering: .releasing)
    }

    /// Of all loops together.
    var sum: LoadTally {
        var sum = LoadTally()
        for tally in tallies.withLock({ $0 }) { sum.add(tally) }
        return sum
    }
}
