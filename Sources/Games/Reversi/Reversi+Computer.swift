import Cryptography
import JSON

extension Reversi {
    /// Five strengths, each of which beats the one below it in about nine games of ten. The weakest only looks at what
    /// it can take at once. The strongest looks some plies ahead and plays the end without a mistake.
    public struct Computer: ComputerPlayer {
        public static let levels = ["1", "2", "3", "4", "5"]

        /// How far a level looks.
        struct Strength: Equatable, Sendable {
            /// Plies; 0 takes a corner if there is one, or else flips as many discs as possible.
            let depth: Int
            /// With at most this many empty cells it plays the game out to its end.
            let exact: Int
        }

        static let strengths: [String: Strength] = [
            "1": Strength(depth: 0, exact: 0), "2": Strength(depth: 1, exact: 0), "3": Strength(depth: 2, exact: 6),
            "4": Strength(depth: 4, exact: 10), "5": Strength(depth: 6, exact: 18),
        ]

        /// Positions that it may search to play a game out, less than three seconds' work. That is enough for 18 empty
        /// cells; if not, the best move found so far is played.
        static let budget = 40_000_000
        /// Plies that it looks ahead to order the moves for that search.
        private static let nearby = 4

        private let strength: Strength
        private var words: RandomWords

        public init(level: String, seat: Seat, seed: Digest) {
            // Callers choose from `levels`; an unknown level plays as the weakest.
            strength = Self.strengths[level] ?? Strength(depth: 0, exact: 0)
            words = RandomWords(seed: seed)
        }

        /// Ignored, since the position shows everything.
        public mutating func see(_ event: Event, in game: PublicGame<Reversi>) {}

        public mutating func move(in game: PublicGame<Reversi>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            cell(for: game.state.position, isStopped: isStopped).map { .place(cell: $0) }
        }

        /// Its move; nil if there is none, or if it was stopped.
        mutating func cell(for position: Position, isStopped: () -> Bool) -> Int? {
            var moves = position.moves.cells
            guard moves.count > 1 else { return moves.first }
            // Any of several equal moves may come first.
            words.shuffle(&moves)
            guard strength.depth > 0 else { return moves.max { gain($0, position) < gain($1, position) } }
            return withoutActuallyEscaping(isStopped) { isStopped in
                var search = MidgameSearch(isStopped: isStopped)
                guard position.emptyCount <= strength.exact else {
                    return search.bestMove(among: moves, at: position, depth: strength.depth)
                }
                guard let ranked = search.ranked(moves, at: position, depth: Self.nearby) else { return nil }
                var solver = EndgameSolver(empties: position.emptyCount, budget: Self.budget, isStopped: isStopped)
                return solver.bestMove(among: ranked, at: position)
            }
        }

        private func gain(_ cell: Int, _ position: Position) -> Int {
            let isCorner = corners >> UInt64(cell) & 1 == 1
            return position.flips(at: cell).nonzeroBitCount + (isCorner ? 64 : 0)
        }
    }
}
