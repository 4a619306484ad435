/// Looks some plies ahead and judges positions by where discs are and by who has more moves.
struct MidgameSearch {
    typealias Position = Reversi.Position

    /// More than any judgement.
    private static let most = 1_000_000
    /// A disc at the end of a game is worth this much, compared with judgements of running games.
    private static let worthOfADisc = 1_000
    /// The search checks for a stop after this many positions, a power of two.
    private static let stopInterval = 1 << 10
    /// From this depth on, moves are judged before they are searched, and the most promising come first.
    private static let deepForOrder = 3

    private let isStopped: () -> Bool
    private var nodeCount = 0
    private var isGivenUp = false

    init(isStopped: @escaping () -> Bool) { self.isStopped = isStopped }

    /// The first of the best; nil if it was stopped.
    mutating func bestMove(among moves: [Int], at position: Position, depth: Int) -> Int? {
        // The best move of a shallow search is usually among the best, which makes the others quick to rule out.
        let ordered = depth > Self.deepForOrder ? ranked(moves, at: position, depth: depth - 2) ?? [] : moves
        var (best, bestMove) = (-Self.most, Int?.none)
        for cell in ordered {
            let next = position.placing(cell, flipping: position.flips(at: cell))
            var score = -search(next, bestMove == nil ? -Self.most : -best - 1, -best, depth - 1)
            if bestMove != nil, score > best { score = -search(next, -Self.most, -best, depth - 1) }
            if isGivenUp { return nil }
            if bestMove == nil || score > best { (best, bestMove) = (score, cell) }
        }
        return bestMove
    }

    /// The most promising first, equal ones in the given order; nil if it was stopped.
    mutating func ranked(_ moves: [Int], at position: Position, depth: Int) -> [Int]? {
        let worths = moves.map { cell in
            -search(position.placing(cell, flipping: position.flips(at: cell)), -Self.most, Self.most, depth - 1)
        }
        let order = moves.indices.sorted { (worths[$1], $0) < (worths[$0], $1) }
        return isGivenUp ? nil : order.map { moves[$0] }
    }

    private mutating func search(_ position: Position, _ alpha: Int, _ beta: Int, _ depth: Int) -> Int {
        nodeCount += 1
        if nodeCount & (Self.stopInterval - 1) == 0, isStopped() { isGivenUp = true }
        if isGivenUp { return alpha }
        let moves = position.moves
        guard moves != 0 else {
            let passed = position.passed
            return passed.moves == 0 ? position.finalScore * Self.worthOfADisc : -search(passed, -beta, -alpha, depth)
        }
        guard depth > 0 else { return Self.judge(position, moves) }
        if depth >= Self.deepForOrder { return searchInOrder(position, moves, alpha, beta, depth) }
        var (alpha, best) = (alpha, -Self.most)
        // Corners first, and last the cells that may give one away.
        var rest = moves & Reversi.corners
        var later = moves & ~rest
        while rest | later != 0 {
            if rest == 0 {
                rest = later & ~Reversi.besideCorners
                if rest == 0 { rest = later }
                later &= ~rest
            }
            let cell = rest.trailingZeroBitCount
            rest &= rest - 1
            let next = position.placing(cell, flipping: position.flips(at: cell))
            best = max(best, -search(next, -beta, -alpha, depth - 1))
            alpha = max(alpha, best)
            if alpha >= beta || isGivenUp { break }
        }
        return best
    }

    /// Searches all but the first with a window of one.
    private mutating func searchInOrder(
        _ position: Position, _ moves: UInt64, _ alpha: Int, _ beta: Int, _ depth: Int
    ) -> Int {
        var order = MoveOrder()
        var rest = moves
        while rest != 0 {
            let cell = rest.trailingZeroBitCount
            rest &= rest - 1
            let next = position.placing(cell, flipping: position.flips(at: cell))
            order.add(cell, promise: -Self.judge(next, next.moves))
        }
        var (alpha, best) = (alpha, -Self.most)
        while let cell = order.next() {
            let next = position.placing(cell, flipping: position.flips(at: cell))
            var score: Int
            if best == -Self.most {
                score = -search(next, -beta, -alpha, depth - 1)
            } else {
                score = -search(next, -alpha - 1, -alpha, depth - 1)
                if score > alpha, score < beta { score = -search(next, -beta, -score, depth - 1) }
            }
            best = max(best, score)
            alpha = max(alpha, best)
            if alpha >= beta || isGivenUp { break }
        }
        return best
    }

    /// Corners are permanent, and cells beside an empty corner give it away. More moves mean that the player is not
    /// forced to give anything away. Discs beside empty cells are future moves of the other player.
    static func judge(_ position: Position, _ moves: UInt64) -> Int {
        let (own, other) = (position.own, position.other)
        func balance(_ cells: UInt64) -> Int { (own & cells).nonzeroBitCount - (other & cells).nonzeroBitCount }
        let choice = moves.nonzeroBitCount - position.passed.moves.nonzeroBitCount
        let frontier = Reversi.neighbours(of: position.empty)
        var score = 90 * balance(Reversi.corners) + 9 * choice - 4 * balance(frontier)
        for (corner, near, diagonal) in Reversi.cornerSurroundings where (own | other) & corner == 0 {
            score -= 15 * balance(near) + 35 * balance(diagonal)
        }
        return score
    }
}

extension Reversi {
    /// Each corner, the two cells beside it on the edges, and the one on the diagonal.
    static let cornerSurroundings: [(corner: UInt64, near: UInt64, diagonal: UInt64)] = [
        (1 << 0, 1 << 1 | 1 << 8, 1 << 9), (1 << 7, 1 << 6 | 1 << 15, 1 << 14),
        (1 << 56, 1 << 57 | 1 << 48, 1 << 49), (1 << 63, 1 << 62 | 1 << 55, 1 << 54),
    ]

    static let besideCorners: UInt64 = cornerSurroundings.reduce(0) { $0 | $1.near | $1.diagonal }

    /// The cells beside any of `cells`.
    static func neighbours(of cells: UInt64) -> UInt64 {
        let (left, right) = (cells & 0xFEFE_FEFE_FEFE_FEFE, cells & 0x7F7F_7F7F_7F7F_7F7F)
        let sides = left >> 1 | right << 1
        let row = cells | sides
        return sides | row << 8 | row >> 8
    }
}
