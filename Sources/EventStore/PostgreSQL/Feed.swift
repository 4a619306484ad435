/// How far whoever follows all may be told, while others write: positions are drawn before transactions are committed,
/// so that what is seen may have gaps that are filled later.
///
/// A gap is one for ever once the append transactions have ended that were under way when it was seen. Up to
/// `settled` all gaps are such.
struct Feed: Sendable, Equatable {
    private(set) var settled = 0
    /// Settled up to here once none of these transactions is under way any more.
    private var next: Frontier?

    private struct Frontier: Equatable {
        let position: Int
        let writers: Set<String>
    }

    /// How many of these positions, which are all that are seen behind `place`, may be told: those up to the first gap
    /// that may be filled.
    func tellable(_ positions: some Collection<Int>, after place: Int) -> Int {
        var (last, count) = (place, 0)
        for position in positions {
            guard position <= settled || position == last + 1 else { break }
            last = position
            count += 1
        }
        return count
    }

    /// Takes note of the highest position that was seen, and of the append transactions that were under way after that.
    mutating func settle(seen position: Int, writers: Set<String>) {
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

/// What may be told of the log of all streams behind a place.
struct FeedSlice: Sendable {
    /// Where was begun: there is nothing between this and the entries.
    let after: Int
    let entries: [FeedEntry]
    /// The position of the last, or where was begun.
    let reached: Int
    /// A gap that may yet be filled is behind it.
    let isHeld: Bool
    /// There may be more behind it at once.
    let isFull: Bool
}
