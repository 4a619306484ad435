/// Tokens by the time at which they are due; of the same time, the one put in first.
public struct TimerHeap {
    public struct Entry: Equatable {
        /// In whatever unit its user counts: loops in ms.
        public let time: Int
        public let token: UInt64
        fileprivate let order: UInt64
    }

    private var entries: [Entry] = []
    private var nextOrder: UInt64 = 0

    public init() {}

    var count: Int { entries.count }

    /// When the next is due; nil if there is none.
    public var next: Int? { entries.first?.time }

    public mutating func insert(_ token: UInt64, at time: Int) {
        entries.append(Entry(time: time, token: token, order: nextOrder))
        nextOrder += 1
        rise(from: entries.count - 1)
    }

    /// Takes out the first of those due at `now` that were put in before `bound`: one that is put in again for now
    /// while these are served waits for its turn.
    public mutating func popDue(at now: Int, before bound: UInt64 = .max) -> Entry? {
        guard let first = entries.first, first.time <= now, first.order < bound else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink(from: 0)
        }
        return first
    }

    /// What has been put in from now on is not before this.
    public var bound: UInt64 { nextOrder }

    /// Keeps what `isWanted`: for those who leave entries behind and drop them later all at once.
    mutating func filter(_ isWanted: (Entry) -> Bool) {
        entries = entries.filter(isWanted).sorted(by: TimerHeap.isBefore)
    }

    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.time < right.time || left.time == right.time && left.order < right.order
    }

    /// Moves the entry at `start` up to its place.
    private mutating func rise(from start: Int) {
        let entry = entries[start]
        var index = start
        while index > 0, TimerHeap.isBefore(entry, entries[(index - 1) / 2]) {
            entries[index] = entries[(index - 1) / 2]
            index = (index - 1) / 2
        }
        entries[index] = entry
    }

    /// Moves the entry at `start` down to its place.
    private mutating func sink(from start: Int) {
        let entry = entries[start]
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, TimerHeap.isBefore(entries[child + 1], entries[child]) { child += 1 }
            guard TimerHeap.isBefore(entries[child], entry) else { break }
            entries[index] = entries[child]
            index = child
        }
        entries[index] = entry
    }
}

/// One timer a token, which can be moved and taken back.
public struct Timers {
    private var heap = TimerHeap()
    private var timeOfToken: [UInt64: Milliseconds] = [:]

    /// Entries that no longer count are let lie up to so many besides one for each that does.
    private static let staleLimit = 256

    public init() {}

    /// When to look again; nil if nothing is armed. It may be earlier than the first timer, never later.
    public var next: Int? { heap.next }

    /// Arms `token`, or moves it.
    public mutating func arm(_ token: UInt64, at time: Int) {
        if timeOfToken.updateValue(time, forKey: token) == time { return }
        heap.insert(token, at: time)
        if heap.count > 2 * timeOfToken.count + Timers.staleLimit {
            // One entry a timer: it may have been moved away and back.
            var kept: Set<UInt64> = []
            heap.filter { timeOfToken[$0.token] == $0.time && kept.insert($0.token).inserted }
        }
    }

    public mutating func cancel(_ token: UInt64) { timeOfToken[token] = nil }

    /// Takes out the next token due at `now`, of those armed before `bound`.
    public mutating func popDue(at now: Int, before bound: UInt64) -> UInt64? {
        while let entry = heap.popDue(at: now, before: bound) {
            guard timeOfToken[entry.token] == entry.time else { continue }
            timeOfToken[entry.token] = nil
            return entry.token
        }
        return nil
    }

    /// What is armed from now on is not before this.
    public var bound: UInt64 { heap.bound }
}
