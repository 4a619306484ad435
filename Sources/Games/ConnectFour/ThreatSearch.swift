/// Looks some plies ahead, and further while a line is about to be made. Judges the resulting positions by threats,
/// which are empty cells where another disc would make a line.
struct ThreatSearch {
    typealias Board = ConnectFour.Board

    /// The worth of a line, less 1 for each disc on the board, so that an early line is worth more.
    static let line = 10_000
    /// The worth of a threat in a row that its player will reach as columns fill up, and in another row. The player who
    /// began then reaches odd rows (V. Allis, A Knowledge-based Approach of Connect-Four, 1988, section 3.3).
    private static let (timelyThreat, threat) = (16, 8)
    private static let oddRows: UInt64 = (0..<Board.columns).reduce(0) { $0 | 0x15 << UInt64($1 * 7) }
    /// The search checks for a stop after this many positions, a power of two.
    private static let stopInterval = 1 << 10
    /// Middle columns first: they are part of most lines, and searching them first prunes most of the rest.
    private static let order = [3, 2, 4, 1, 5, 0, 6]

    private let isStopped: () -> Bool
    private(set) var nodeCount = 0
    private var isGivenUp = false

    init(isStopped: @escaping () -> Bool) { self.isStopped = isStopped }

    /// The first of the best of `columns`, none of which is full; nil if it was stopped.
    mutating func bestMove(among columns: [Int], on board: Board, depth: Int) -> Int? {
        var (best, bestMove) = (-Self.line, Int?.none)
        for column in columns {
            guard let bit = board.landing(in: column) else { continue }
            let score = -worth(of: board.dropping(bit), -Self.line, -best, depth: depth - 1)
            if isGivenUp { return nil }
            if bestMove == nil || score > best { (best, bestMove) = (score, column) }
        }
        return bestMove
    }

    /// A position's worth to the player to move: over 0 if it seems better than the other's.
    mutating func worth(of board: Board, _ alpha: Int, _ beta: Int, depth: Int) -> Int {
        nodeCount += 1
        if nodeCount & (Self.stopInterval - 1) == 0, isStopped() { isGivenUp = true }
        if isGivenUp { return alpha }
        let discCount = board.taken.nonzeroBitCount
        if Board.hasLine(board.other) { return discCount - Self.line }
        if board.isFull { return 0 }
        if board.threats(of: board.own) & board.landings != 0 { return Self.line - discCount - 1 }
        let forced = board.threats(of: board.other) & board.landings
        if forced != 0 {
            // The player can block only one of two threats.
            guard forced.nonzeroBitCount == 1 else { return discCount + 2 - Self.line }
            return -worth(of: board.dropping(forced), -beta, -alpha, depth: max(0, depth - 1))
        }
        guard depth > 0 else { return Self.judge(board, isFirst: discCount.isMultiple(of: 2)) }
        var (alpha, best) = (alpha, -Self.line)
        for column in Self.order {
            guard let bit = board.landing(in: column) else { continue }
            best = max(best, -worth(of: board.dropping(bit), -beta, -alpha, depth: depth - 1))
            alpha = max(alpha, best)
            if alpha >= beta || isGivenUp { break }
        }
        return best
    }

    /// `isFirst`: whether the player to move began the game.
    private static func judge(_ board: Board, isFirst: Bool) -> Int {
        let timely = isFirst ? oddRows : ~oddRows
        return worth(board.threats(of: board.own), timely) - worth(board.threats(of: board.other), ~timely)
            + middle(board.own) - middle(board.other)
    }

    private static func worth(_ threats: UInt64, _ timely: UInt64) -> Int {
        timelyThreat * (threats & timely).nonzeroBitCount + threat * (threats & ~timely).nonzeroBitCount
    }

    /// Discs closer to the middle can be part of more lines.
    private static func middle(_ discs: UInt64) -> Int {
        3 * (discs & Board.column(3)).nonzeroBitCount
            + 2 * (discs & (Board.column(2) | Board.column(4))).nonzeroBitCount
            + (discs & (Board.column(1) | Board.column(5))).nonzeroBitCount
    }
}
