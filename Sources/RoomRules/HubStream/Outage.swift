import Games
import Records

/// A time in which rooms could not be played, because the hub was not running, or a loop was blocked or could not
/// write. It does not count for any player. Milliseconds since 1970.
public struct Outage: Equatable, Sendable {
    /// One of `count` loops of the hub. It has the rooms whose `shardIndex` is `index`.
    public struct Loop: Equatable, Sendable {
        /// From 0.
        public let index: Int
        /// How many loops the hub has.
        public let count: Int

        /// `index` is less than `count`.
        public init(index: Int, count: Int) { (self.index, self.count) = (index, count) }
    }

    /// When the rooms could no longer be played.
    public let from: Milliseconds
    /// When they could be played again.
    public let until: Milliseconds
    /// The loop whose rooms could not be played; nil if no rooms could be.
    public var loop: Loop?
    /// The same outage by the clock of the nodes' database; nil if it is not from there.
    public var silence: Silence?

    /// Without `loop` it concerns all rooms.
    public init(from: Milliseconds, until: Milliseconds, loop: Loop? = nil, silence: Silence? = nil) {
        (self.from, self.until, self.loop, self.silence) = (from, until, loop, silence)
    }

    /// Whether the room could not be played.
    fileprivate func concerns(_ room: String) -> Bool {
        loop.map { shardIndex(ofRoom: room, count: $0.count) == $0.index } ?? true
    }
}

/// The outages that are in the log.
public struct Outages: Equatable, Sendable {
    /// Above this number, outages are dropped that no room can ask about.
    static let sizeLimit = 1_000
    /// How long lost time is remembered: longer than any room takes to write it.
    public static let memory: Milliseconds = 3_600_000
    /// Longer than any room runs without an event.
    private static let reach: Milliseconds = 60 * 86_400_000

    private(set) var all: [Outage] = []
    /// The newest end. Nothing needs to be searched after it, which holds for nearly every command.
    private(set) var latestEnd: Milliseconds = 0

    /// In any order.
    public init(_ outages: [Outage] = []) { for outage in outages { add(outage) } }

    /// Outages may be added in any order, and may overlap.
    public mutating func add(_ outage: Outage) {
        all.append(outage)
        latestEnd = max(latestEnd, outage.until)
        if all.count > Self.sizeLimit { all.removeAll { $0.until < latestEnd - Self.reach } }
    }

    /// Drops outages that were over by then.
    public mutating func forget(before time: Milliseconds) { all.removeAll { $0.until < time } }

    /// When the first of them started, counting only time after `moment`; nil if all had ended by then.
    public func earliest(after moment: Milliseconds) -> Milliseconds? {
        all.lazy.filter { $0.until > moment }.map { max($0.from, moment) }.min()
    }

    /// Whether it is in the log.
    public func holds(_ silence: Silence) -> Bool { all.contains { $0.silence == silence } }

    /// How much of the time since `moment` the room could not be played, and until when; nil if it always could.
    /// Overlapping outages count once. `own` are outages of this room only.
    public func missed(
        by room: String, since moment: Milliseconds, own: Outages = Outages()
    ) -> (span: Milliseconds, until: Milliseconds)? {
        guard latestEnd > moment || own.latestEnd > moment else { return nil }
        var (span, reached) = (0, moment)
        let missed = (all.lazy.filter { $0.until > moment && $0.concerns(room) } + own.all)
            .filter { $0.until > moment }
        for outage in missed.sorted(by: { $0.from < $1.from }) {
            span += max(0, outage.until - max(outage.from, reached))
            reached = max(reached, outage.until)
        }
        return span > 0 ? (span, reached) : nil
    }
}

/// The shard of a room, which stays the same while the hub runs, so that no two shards ever fold it.
public func shardIndex(ofRoom code: String, count: Int) -> Int {
    // FNV-1a, since Swift's own hashes differ in each run.
    let hash = code.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return Int(hash % UInt64(count))
}
