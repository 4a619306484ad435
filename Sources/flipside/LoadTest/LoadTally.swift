import Synchronization

/// The counts of one loop; added up, the result of a test.
struct LoadTally: Sendable {
    var rooms: [OpenRoom] = []
    var failedRooms = 0
    var players = 0
    var watchers = 0
    /// Members and watchers, except slow readers, that went without being told to.
    var lost = 0
    var slowReaders = 0
    var cutSlowReaders = 0
    var newcomers = 0
    var failedNewcomers = 0
    var failedWatchers = 0

    /// Rooms that have played ahead.
    var headStarts = 0
    var flipsDue = 0
    var flipsDone = 0
    var flipsRefused = 0
    var deliveries = 0

    var returning = 0
    var returned = 0
    /// Attempts after the first.
    var retries = 0
    /// When the last one was back, in nanoseconds after all left.
    var returnTime = 0
    /// How many of `returned` got events instead of a whole welcome.
    var resumed = 0

    var sentBytes = 0
    var receivedBytes = 0
    /// By kind: the code of a refusal or a close, or a sentence.
    var faults: [String: Int] = [:]

    /// From the due time until each member received it.
    var delivery = LatencyHistogram()
    /// From the due time until the player's `ok`.
    var answer = LatencyHistogram()
    /// TCP and TLS.
    var connect = LatencyHistogram()
    /// From the request for a WebSocket until it was granted.
    var handshake = LatencyHistogram()
    /// From `hello` to `welcome`.
    var welcome = LatencyHistogram()
    /// From a flip's due time, with a room ready for it, until it was sent. This is the program's own delay.
    var lateness = LatencyHistogram()

    mutating func fault(_ name: String) {
        // A hub chooses its texts, which may differ each time.
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

/// Where loops put their tallies for the main thread.
final class TallyBoard: Sendable {
    private let tallies: Mutex<[LoadTally]>
    private let count = Atomic(0)

    init(loops: Int) { tallies = Mutex(Array(repeating: LoadTally(), count: loops)) }

    /// How many reports have been put here.
    var reports: Int { count.load(ordering: .acquiring) }

    func put(_ tally: LoadTally, of loop: Int) {
        tallies.withLock { $0[loop] = tally }
        count.add(1, ordering: .releasing)
    }

    /// The sum over all loops.
    var sum: LoadTally {
        var sum = LoadTally()
        for tally in tallies.withLock({ $0 }) { sum.add(tally) }
        return sum
    }
}
