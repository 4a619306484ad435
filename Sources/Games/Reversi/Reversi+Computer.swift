import Cryptography

extension Reversi {
    /// Five strengths: 1 places at random, 2 turns over as many as it can, 3 to 5 look ahead, and play the end exactly.
    public struct Computer: ComputerPlayer {
        public static let levels = ["1", "2", "3", "4", "5"]

        /// How far a level looks.
        struct Budget: Equatable, Sendable {
            /// Plies.
            let depth: Int
            /// With no more empty cells than this, the game is played out to the end.
            let exact: Int
        }

        static let budgets: [String: Budget] = [
            "3": Budget(depth: 2, exact: 6), "4": Budget(depth: 4, exact: 10), "5": Budget(depth: 6, exact: 14),
        ]

        private let level: String
        private var words: RandomWords

        public init(level: String, seat: Seat, seed: Digest) {
            self.level = level
            words = RandomWords(seed: seed)
        }

        /// The position says all.
        public mutating func see(_ event: Event, in game: PublicGame<Reversi>) {}

        public mutating func move(in game: PublicGame<Reversi>, isStopped: () -> Bool) -> Command? {
            cell(for: game.state.position, isStopped: isStopped).map { .place(cell: $0) }
        }

        /// Its move; nil where there is none, or if it was stopped.
        mutating func cell(for position: Position, isStopped: () -> Bool) -> Int? {
            var moves = position.moves.cells
            guard moves.count > 1 else { return moves.first }
            // Of moves that seem equal any may come first.
            words.shuffle(&moves)
            switch level {
            case "1": return moves.first
            case "2": return moves.max { gain($0, position) < gain($1, position) }
            default:
                guard let budget = Self.budgets[level] else { return moves.first }
                return withoutActuallyEscaping(isStopped) { isStopped in
                    if position.emptyCount <= budget.exact {
                        var solver = EndgameSolver(isStopped: isStopped)
                        return solver.bestMove(among: moves, at: position)
                    }
                    var search = MidgameSearch(isStopped: isStopped)
                    return search.bestMove(among: moves, at: position, depth: budget.depth)
                }
            }
        }

        private func gain(_ cell: Int, _ position: Position) -> Int { position.flips(at: cell).nonzeroBitCount }
    }
}

extension EndgameSolver {
    /// The first of the best; nil if it was stopped.
    mutating func bestMove(among moves: [Int], at position: Position) -> Int? {
        var (best, bestMove) = (-Self.most - 1, Int?.none)
        // The most promising first: the fewer answers, the sooner the rest is cut off.
        let ordered = moves.sorted { answers($0, position) < answers($1, position) }
        for cell in ordered {
            let next = position.placing(cell, flipping: position.flips(at: cell))
            let score = -score(next, alpha: -Self.most, beta: max(-Self.most, -best))
            if isGivenUp { return nil }
            if score > best { (best, bestMove) = (score, cell) }
        }
        return bestMove
    }

    private func answers(_ cell: Int, _ position: Position) -> Int {
        position.placing(cell, flipping: position.flips(at: cell)).moves.nonzeroBitCount
    }
}
