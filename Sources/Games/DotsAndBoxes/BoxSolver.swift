/// Finds the exact result of positions with few free lines for two players, with alpha-beta over what `Grid.choice`
/// leaves to consider. It remembers searched positions.
struct BoxSolver {
    typealias Grid = DotsAndBoxes.Grid

    /// The search checks for a stop after this many positions, a power of two.
    private static let stopInterval = 1 << 10
    /// Entries of the largest table, a power of two: 4 MiB.
    private static let mostEntries = 1 << 18
    /// With more free lines no search gets to the end. (`MoveOrder` has room for 40.)
    static let mostFree = 40

    /// The known bounds of a searched position.
    private struct Entry {
        var drawn = UInt64.max
        var lower = Int8.min
        var upper = Int8.max
        var best: UInt8 = 63
    }

    private let grid: Grid
    private let budget: Int
    private let isStopped: () -> Bool
    private var table: [Entry]
    /// Positions searched so far.
    private(set) var nodeCount = 0
    /// The budget is spent or the search was stopped, so results are meaningless.
    private(set) var isGivenUp: Bool

    /// `free` lines of the positions to solve set the size of the table.
    init(_ grid: Grid, free: Int, budget: Int = .max, isStopped: @escaping () -> Bool) {
        (self.grid, self.budget, self.isStopped) = (grid, budget, isStopped)
        isGivenUp = free > Self.mostFree
        table = Array(repeating: Entry(), count: min(Self.mostEntries, 1 << max(1, min(free, 30))))
    }

    /// The boxes that the player to move gets from here on, less those of the other, if both play their best. Outside
    /// `alpha`...`beta` it is only a bound.
    mutating func worth(of drawn: UInt64, _ alpha: Int = -100, _ beta: Int = 100) -> Int {
        nodeCount += 1
        if nodeCount & (Self.stopInterval - 1) == 0, nodeCount >= budget || isStopped() { isGivenUp = true }
        if isGivenUp || drawn == grid.all { return 0 }
        switch grid.choice(drawn) {
        case .take(let line): return worth(after: line, on: drawn, alpha, beta)
        case .deal(let take, let leave): return best(of: take, leave, on: drawn, alpha, beta)
        case .open: return open(drawn, alpha, beta)
        }
    }

    /// The worth of a move to its player.
    mutating func worth(after line: Int, on drawn: UInt64, _ alpha: Int, _ beta: Int) -> Int {
        let (gain, next) = (grid.gain(of: line, drawn), drawn | 1 << UInt64(line))
        return gain > 0 ? gain + worth(of: next, alpha - gain, beta - gain) : -worth(of: next, -beta, -alpha)
    }

    private mutating func best(of take: Int, _ leave: Int, on drawn: UInt64, _ alpha: Int, _ beta: Int) -> Int {
        let taken = worth(after: take, on: drawn, alpha, beta)
        return taken >= beta ? taken : max(taken, worth(after: leave, on: drawn, max(alpha, taken), beta))
    }

    private mutating func open(_ drawn: UInt64, _ alpha: Int, _ beta: Int) -> Int {
        var (alpha, beta) = (alpha, beta)
        let slot = slot(of: drawn)
        var entry = table[slot]
        if entry.drawn == drawn {
            if entry.lower >= beta { return Int(entry.lower) }
            if entry.upper <= alpha { return Int(entry.upper) }
            (alpha, beta) = (max(alpha, Int(entry.lower)), min(beta, Int(entry.upper)))
            if alpha >= beta { return alpha }
        } else {
            entry = Entry(drawn: drawn)
        }
        var order = order(drawn, hint: Int(entry.best))
        var (best, bestLine, lower) = (-100, 63, alpha)
        while let line = order.next() {
            var score = worth(after: line, on: drawn, lower, bestLine == 63 ? beta : lower + 1)
            if bestLine != 63, score > lower, score < beta { score = worth(after: line, on: drawn, score, beta) }
            if score > best { (best, bestLine) = (score, line) }
            lower = max(lower, best)
            if lower >= beta || isGivenUp { break }
        }
        guard !isGivenUp else { return 0 }
        if best < beta { entry.upper = Int8(best) }
        if best > alpha { entry.lower = Int8(best) }
        entry.best = UInt8(bestLine)
        table[slot] = entry
        return best
    }

    /// Safe lines first, then the shortest chains.
    private func order(_ drawn: UInt64, hint: Int) -> MoveOrder {
        var order = MoveOrder()
        var safe = grid.safe(drawn)
        while safe != 0 {
            let line = safe.trailingZeroBitCount
            safe &= safe - 1
            order.add(line, promise: line == hint ? 100 : 1)
        }
        for (line, length) in grid.chains(drawn) { order.add(line, promise: line == hint ? 100 : -length) }
        return order
    }

    private func slot(of drawn: UInt64) -> Int {
        let hash = drawn &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(table.count - 1))
    }
}

extension BoxSolver {
    /// The first of the best of `lines`; nil if it was stopped, or if the budget was not enough.
    mutating func bestLine(among lines: [Int], on drawn: UInt64) -> Int? {
        var (best, bestLine) = (-100, Int?.none)
        for line in lines {
            let score = worth(after: line, on: drawn, best, 100)
            if isGivenUp { return nil }
            if score > best { (best, bestLine) = (score, line) }
        }
        return bestLine
    }
}
