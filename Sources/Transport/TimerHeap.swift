/// Tokens ordered by due time; equal times in the order of insertion.
public struct TimerHeap {
    public struct Entry: Equatable {
        /// In the user's unit; loops use ms.
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

    /// Removes the first token due at `now` that was inserted before `bound`. A token that is inserted again for now,
    /// while these are served, waits for its turn.
    public mutating func popDue(at now: Int, before bound: UInt64 = .max) -> Entry? {
        guard let first = entries.first, first.time <= now, first.order < bound else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink(from: 0)
        }
        return first
    }

    /// Everything inserted from now on is not before this.
    public var bound: UInt64 { nextOrder }

    /// Keeps entries that are `isWanted`, for users that leave stale entries and drop them later all at once.
    mutating func filter(_ isWanted: (Entry) -> Bool) {
        entries = entries.filter(isWanted).sorted(by: TimerHeap.isBefore)
    }

    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        left.time < right.time || left.time == right.time && left.order < right.order
    }

    private mutating func rise(from start: Int) {
        let entry = entries[start]
        var index = start
        while index > 0, TimerHeap.isBefore(entry, entries[(index - 1) / 2]) {
            entries[index] = entries[(index - 1) / 2]
            index = (index - 1) / 2
        }
        entries[index] = entry
    }

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

/// Timers that can be moved and cancelled, one for each token.
public struct Timers {
    private var heap = TimerHeap()
    private var timeOfToken: [UInt64: Milliseconds] = [:]

    /// Stale entries are kept up to this many, plus one for each valid one.
    private static let staleLimit = 256

    public init() {}

    /// When to look again; nil if nothing is armed. May be earlier than the first timer, never later.
    public var next: Int? { heap.next }

    /// Arms `token`, or moves it.
    public mutating func arm(_ token: UInt64, at time: Int) {
        if timeOfToken.updateValue(time, forKey: token) == time { return }
        heap.insert(token, at: time)
        if heap.count > 2 * timeOfToken.count + Timers.staleLimit {
            // One entry for each timer, which may have been moved away and back.
            var kept: Set<UInt64> = []
            heap.filter { timeOfToken[$0.token] == $0.time && kept.insert($0.token).inserted }
        }
    }

    public mutating func cancel(_ token: UInt64) { timeOfToken[token] = nil }

    /// Removes the next token due at `now`, of those armed before `bound`.
    public mutating func popDue(at now: Int, before bound: UInt64) -> UInt64? {
        while let entry = heap.popDue(at: now, before: bound) {
            guard timeOfToken[entry.token] == entry.time else { continue }
            timeOfToken[entry.token] = nil
            return entry.token
        }
        return nil
    }

    /// Everything armed from now on is not before this.
    public var bound: UInt64 { heap.bound }
}
