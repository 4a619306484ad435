/// How far followers of all streams may be served while others write. Positions are drawn before transactions commit,
/// so there may be gaps that are filled later.
///
/// A gap stays a gap once the append transactions have ended that were under way when it was seen. Up to `settled` all
/// gaps are of that kind.
struct Feed: Sendable, Equatable {
    private(set) var settled = 0
    /// Settled up to here once none of these transactions is under way.
    private var next: Frontier?

    private struct Frontier: Equatable {
        let position: Int
        let writers: Set<String>
    }

    /// How many of `positions`, which are all that are visible after `place`, may be delivered: those before the first
    /// gap that may be filled.
    func tellable(_ positions: some Collection<Int>, after place: Int) -> Int {
        var (last, count) = (place, 0)
        for position in positions {
            guard position <= settled || position == last + 1 else { break }
            last = position
            count += 1
        }
        return count
    }

    /// Notes the highest visible position, and the append transactions that were under way after that.
    mutating func positionsSeen(upTo position: Int, writers: Set<String>) {
        if let next, next.writers.isDisjoint(with: writers) {
            settled = max(settled, next.position)
            self.next = nil
        }
        guard next == nil else { return }
        if writers.isEmpty {
            settled = max(settled, position)
        } else {
            next = Frontier(position: position, writers: writers)
        }
    }
}

/// What may be delivered from the log of all streams after a place.
struct FeedSlice: Sendable {
    /// Where it starts. There is nothing between this and the entries.
    let after: Int
    let entries: [FeedEntry]
    /// The position of the last entry, or the start.
    let reached: Int
    /// A gap that may yet be filled comes after it.
    let isHeld: Bool
    /// More may follow at once.
    let isFull: Bool
}
