import Cryptography
import JSON

extension ConnectFour {
    /// Three strengths, each of which beats the one below it in 80 to 90 of 100 games. All complete a line if they can,
    /// and block the other's.
    public struct Computer: ComputerPlayer {
        public static let levels = ["1", "2", "3"]

        struct Strength: Equatable, Sendable {
            /// How many plies it looks ahead.
            let depth: Int
            /// How many columns it considers.
            let columns: Int
        }

        static let strengths: [String: Strength] = [
            "1": Strength(depth: 1, columns: 2), "2": Strength(depth: 1, columns: 7),
            "3": Strength(depth: 7, columns: 7),
        ]

        private let strength: Strength
        private var words: RandomWords

        public init(level: String, seat: Seat, seed: Digest) {
            // Callers choose from `levels`; an unknown level plays as the weakest.
            strength = Self.strengths[level] ?? Strength(depth: 1, columns: 2)
            words = RandomWords(seed: seed)
        }

        /// Ignored, since the board shows everything.
        public mutating func see(_ event: Event, in game: PublicGame<ConnectFour>) {}

        public mutating func move(in game: PublicGame<ConnectFour>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            column(for: game.state.board, isStopped: isStopped).map { .drop(column: $0) }
        }

        /// Its move; nil if there is none, or if it was stopped.
        mutating func column(for board: Board, isStopped: () -> Bool) -> Int? {
            guard !board.isOver else { return nil }
            var columns = (0..<Board.columns).filter { board.landing(in: $0) != nil }
            // Any of several equal moves may come first.
            words.shuffle(&columns)
            for line in [board.threats(of: board.own), board.threats(of: board.other)] where line & board.landings != 0
            {
                return columns.first { Board.column($0) & line & board.landings != 0 }
            }
            return withoutActuallyEscaping(isStopped) { isStopped in
                var search = ThreatSearch(isStopped: isStopped)
                return search.bestMove(
                    among: Array(columns.prefix(strength.columns)), on: board, depth: strength.depth)
            }
        }
    }
}
