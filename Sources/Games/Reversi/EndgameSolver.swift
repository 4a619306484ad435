/// Finds the exact result of positions with few empty cells. Alpha-beta tries moves first that leave the other player
/// few moves or little choice (fastest first), and remembers searched positions.
struct EndgameSolver {
    typealias Position = Reversi.Position

    /// More than any result.
    static let most = 64
    /// With fewer empty cells, ordering and remembering cost more than they save.
    private static let fewForOrder = 7
    /// From this many on, a judgement of the position also decides the order of moves.
    private static let manyForJudgement = 12
    /// The search checks for a stop after this many positions.
    private static let stopInterval = 1 << 14
    /// Entries of the largest table, a power of two: 12 MiB, however long it searches.
    private static let mostEntries = 1 << 19

    /// The known bounds of a searched position.
    private struct Entry {
        var own: UInt64 = 0
        var other: UInt64 = 0
        var lower = Int8(-EndgameSolver.most)
        var upper = Int8(EndgameSolver.most)
        var best: UInt8 = 64
    }

    private var table: [Entry]
    private let budget: Int
    private let isStopped: () -> Bool
    /// Positions searched so far.
    private(set) var nodeCount = 0
    /// The count at which to check whether to stop.
    private var nextLook = 0
    /// The budget is spent or the search was stopped, so results are meaningless.
    private(set) var isGivenUp = false
    private var wasStopped = false

    /// - Parameters:
    ///   - empties: the empty cells of the positions to solve, which set the size of the table.
    ///   - budget: how many positions it may search, and a few more.
    init(empties: Int, budget: Int = .max, isStopped: @escaping () -> Bool) {
        table = Array(repeating: Entry(), count: min(Self.mostEntries, 1 << min(max(empties, 0) + 2, 30)))
        self.budget = budget
        self.isStopped = isStopped
    }

    /// The difference of discs at the end, for the player to move, if both play their best. Empty cells count for the
    /// winner. Outside `alpha`...`beta` it is only a bound.
    mutating func score(_ position: Position, alpha: Int = -most, beta: Int = most) -> Int {
        search(position, alpha, beta, position.emptyCount)
    }

    /// The first of the best. `moves` are ordered, the most promising first. If the budget ends early, it is the best
    /// of those compared, or the first if there are none. Nil if it was stopped.
    mutating func bestMove(among moves: [Int], at position: Position) -> Int? {
        var (best, bestMove) = (-Self.most - 1, moves.first)
        for cell in moves where best < Self.most {
            let next = position.placing(cell, flipping: position.flips(at: cell))
            // Finding out that a move is better at all is quicker than finding out by how much.
            var score = best < -Self.most ? Self.most : -score(next, alpha: -best - 1, beta: -best)
            if score > best { score = -self.score(next, alpha: -Self.most, beta: min(Self.most, -best)) }
            if isGivenUp { break }
            if score > best { (best, bestMove) = (score, cell) }
        }
        return wasStopped ? nil : bestMove
    }

    private mutating func lookUp() {
        nextLook = min(budget, nodeCount + Self.stopInterval)
        wasStopped = isStopped()
        isGivenUp = wasStopped || nodeCount >= budget
    }

    private mutating func search(_ position: Position, _ alpha: Int, _ beta: Int, _ empties: Int) -> Int {
        if empties < Self.fewForOrder { return finish(position, alpha, beta, empties) }
        nodeCount += 1
        if nodeCount >= nextLook { lookUp() }
        if isGivenUp { return alpha }
        let moves = position.moves
        guard moves != 0 else {
            let passed = position.passed
            return passed.moves == 0 ? position.finalScore : -search(passed, -beta, -alpha, empties)
        }
        var (alpha, beta) = (alpha, beta)
        let slot = slot(of: position)
        var hint = 64
        let entry = table[slot]
        if entry.own == position.own, entry.other == position.other {
            hint = Int(entry.best)
            if Int(entry.lower) >= beta { return Int(entry.lower) }
            if Int(entry.upper) <= alpha { return Int(entry.upper) }
            alpha = max(alpha, Int(entry.lower))
            beta = min(beta, Int(entry.upper))
        }
        let (best, bestMove) = searchMoves(position, moves, hint, alpha, beta, empties)
        remember(position, in: slot, best, bestMove, alpha, beta)
        return best
    }

    /// Searches the moves, the most promising first, and all but the first with a window of one.
    private mutating func searchMoves(
        _ position: Position, _ moves: UInt64, _ hint: Int, _ alpha: Int, _ beta: Int, _ empties: Int
    ) -> (score: Int, move: Int) {
        var order = MoveOrder()
        var rest = moves
        while rest != 0 {
            let cell = rest.trailingZeroBitCount
            rest &= rest - 1
            order.add(cell, promise: cell == hint ? 1 << 30 : Self.promise(of: cell, at: position, empties))
        }
        var alpha = alpha
        var (best, bestMove) = (-Self.most - 1, 64)
        while let cell = order.next() {
            let next = position.placing(cell, flipping: position.flips(at: cell))
            var score: Int
            if bestMove == 64 {
                score = -search(next, -beta, -alpha, empties - 1)
            } else {
                score = -search(next, -alpha - 1, -alpha, empties - 1)
                if score > alpha, score < beta { score = -search(next, -beta, -score, empties - 1) }
            }
            if score > best { (best, bestMove) = (score, cell) }
            alpha = max(alpha, best)
            if alpha >= beta || isGivenUp { break }
        }
        return (best, bestMove)
    }

    /// Higher values are searched earlier: few answers, above all few corners, then a region with an odd number of
    /// empty cells, where the player to move will also move last. A judgement is added if much can be saved.
    private static func promise(of cell: Int, at position: Position, _ empties: Int) -> Int {
        let next = position.placing(cell, flipping: position.flips(at: cell))
        let answers = next.moves
        if empties >= manyForJudgement {
            return -MidgameSearch.judge(next, answers) - 40 * answers.nonzeroBitCount
        }
        let cost = answers.nonzeroBitCount + (answers & Reversi.corners).nonzeroBitCount
        let isOdd = (position.empty & Reversi.region(of: cell)).nonzeroBitCount & 1
        let isCorner = Int(Reversi.corners >> UInt64(cell) & 1)
        return 4 * isOdd + 24 * isCorner - 16 * cost
    }

    private mutating func remember(
        _ position: Position, in slot: Int, _ score: Int, _ move: Int, _ alpha: Int, _ beta: Int
    ) {
        guard !isGivenUp else { return }
        var entry = table[slot]
        if entry.own != position.own || entry.other != position.other {
            entry = Entry(own: position.own, other: position.other)
        }
        if score < beta { entry.upper = Int8(clamping: score) }
        if score > alpha { entry.lower = Int8(clamping: score) }
        entry.best = UInt8(move)
        table[slot] = entry
    }

    private func slot(of position: Position) -> Int {
        var hash = position.own &* 0x9E37_79B9_7F4A_7C15
        hash ^= (position.other &+ (hash >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(table.count - 1))
    }

    // MARK: The last cells

    /// As `search`, cell by cell, odd regions first.
    private mutating func finish(_ position: Position, _ alpha: Int, _ beta: Int, _ empties: Int) -> Int {
        nodeCount += 1
        if empties == 1 { return last(position) }
        guard empties > 0 else { return position.finalScore }
        var rest = Reversi.inOddRegions(position.empty)
        var later = position.empty & ~rest
        var alpha = alpha
        var best = -Self.most - 1
        while rest | later != 0 {
            if rest == 0 { (rest, later) = (later, 0) }
            let cell = rest.trailingZeroBitCount
            rest &= rest - 1
            let flips = position.flips(at: cell)
            guard flips != 0 else { continue }
            let score = -finish(position.placing(cell, flipping: flips), -beta, -alpha, empties - 1)
            if score > best {
                best = score
                if best >= beta { return best }
                alpha = max(alpha, best)
            }
        }
        if best >= -Self.most { return best }
        let passed = position.passed
        return passed.moves == 0 ? position.finalScore : -finish(passed, -beta, -alpha, empties)
    }

    /// One empty cell, which is filled by the player who can.
    private func last(_ position: Position) -> Int {
        let cell = position.empty.trailingZeroBitCount
        let flips = position.flips(at: cell).nonzeroBitCount
        let difference = position.own.nonzeroBitCount - position.other.nonzeroBitCount
        if flips > 0 { return difference + 2 * flips + 1 }
        let theirs = position.passed.flips(at: cell).nonzeroBitCount
        if theirs > 0 { return difference - 2 * theirs - 1 }
        return position.finalScore
    }
}

extension Reversi {
    static let corners: UInt64 = 0x8100_0000_0000_0081
    /// The quarter of the board with `cell`.
    static func region(of cell: Int) -> UInt64 {
        let left: UInt64 = cell & 4 == 0 ? 0x0F0F_0F0F : 0xF0F0_F0F0
        return cell < 32 ? left : left << 32
    }

    /// Those of `cells` in quarters that have an odd number of them.
    static func inOddRegions(_ cells: UInt64) -> UInt64 {
        var odd: UInt64 = 0
        for corner in 0..<4 {
            let own = cells & region(of: (corner >> 1) * 32 + (corner & 1) * 4)
            if own.nonzeroBitCount & 1 == 1 { odd |= own }
        }
        return odd
    }
}
