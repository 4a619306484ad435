import Cryptography

extension Reversi {
    /// Five strengths, each of which beats the one below it in about nine games of ten. The weakest looks at what it
    /// can take at once, the strongest some plies ahead, and plays the end without a mistake.
    public struct Computer: ComputerPlayer {
        public static let levels = ["1", "2", "3", "4", "5"]

        /// How far a level looks.
        struct Strength: Equatable, Sendable {
            /// Plies; 0: it takes a corner if it can, and else turns over as many discs as it can.
            let depth: Int
            /// With no more empty cells than this it plays the game out to its end.
            let exact: Int
        }

        static let strengths: [String: Strength] = [
            "1": Strength(depth: 0, exact: 0), "2": Strength(depth: 1, exact: 0), "3": Strength(depth: 2, exact: 6),
            "4": Strength(depth: 4, exact: 10), "5": Strength(depth: 6, exact: 18),
        ]

        /// Positions that it looks at, at most, to play a game out from there: less than three
        /// seconds' work. It is enough for 18 empty cells; where it is not, the best move found by then is played.
        static let budget = 40_000_000
        /// Plies that it looks ahead to know with which moves to begin that.
        private static let nearby = 4

        private let strength: Strength
        private var words: RandomWords

        public init(level: String, seat: Seat, seed: Digest) {
            // Whoever asks for a level has read `levels`; another one is the weakest.
            strength = Self.strengths[level] ?? Strength(depth: 0, exact: 0)
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
            guard strength.depth > 0 else { return moves.max { gain($0, position) < gain($1, position) } }
            return withoutActuallyEscaping(isStopped) { isStopped in
                var search = MidgameSearch(isStopped: isStopped)
                guard position.emptyCount <= strength.exact else {
                    return search.bestMove(among: moves, at: position, depth: strength.depth)
                }
                guard let ranked = search.ranked(moves, at: position, depth: Self.nearby) else { return nil }
                var solver = EndgameSolver(
                    empties: position.emptyCount, budget: Self.budget, isStopped: isStopped)
                return solver.bestMove(among: ranked, at: position)
            }
        }

        private func gain(_ cell: Int, _ position: Position) -> Int {
            let isCorner = corners >> UInt64(cell) & 1 == 1
            return position.flips(at: cell).nonzeroBitCount + (isCorner ? 64 : 0)
        }
    }
}
