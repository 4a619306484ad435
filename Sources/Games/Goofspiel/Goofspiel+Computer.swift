import Cryptography
import JSON

extension Goofspiel {
    /// Four strengths, each of which gets about seven of ten points against the one below it. The first bids any card.
    /// The next two bid the card that ranks in their hand as the stake does among the prizes, more or less. The last
    /// weighs its bids against those of the others. Against one other player it mixes them, and with few cards left no
    /// reply gains anything.
    public struct Computer: ComputerPlayer {
        public static let levels = ["1", "2", "3", "4"]

        enum Style: Equatable, Sendable {
            case any
            /// By how many ranks a bid may differ from the stake's, up or down.
            case matching(spread: Int)
            case balanced
        }

        static let styles: [String: Style] = [
            "1": .any, "2": .matching(spread: 6), "3": .matching(spread: 1), "4": .balanced,
        ]
        /// With at most this many cards it plays out a game of two: 15,000 positions, 30 ms' work.
        static let exactCards = 5
        /// Bids that it tries out for one of its own with more players.
        static let trialBids = 100_000

        private let style: Style
        private let seat: Seat
        private var words: RandomWords

        public init(level: String, seat: Seat, seed: Digest) {
            // Callers choose from `levels`; an unknown level plays as the weakest.
            self.init(Self.styles[level] ?? .any, seat: seat, seed: seed)
        }

        init(_ style: Style, seat: Seat, seed: Digest) {
            (self.style, self.seat, words) = (style, seat, RandomWords(seed: seed))
        }

        /// Ignored, since the game shows all that counts.
        public mutating func see(_ event: Event, in game: PublicGame<Goofspiel>) {}

        public mutating func move(in game: PublicGame<Goofspiel>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            card(in: game.state, isStopped: isStopped).map { .bid(card: $0) }
        }

        /// Its bid; nil if it has none to make, or if it was stopped.
        mutating func card(in game: Goofspiel, isStopped: () -> Bool) -> Int? {
            guard game.awaited.contains(seat) else { return nil }
            let hand = game.cards(of: seat)
            var dice = Dice(state: UInt64(words.next()) << 32 | UInt64(words.next()))
            switch style {
            case .any: return dice.any(of: hand)
            case .matching(let spread): return Trial(game, seat).card(of: 0, spread: spread, &dice)
            case .balanced:
                guard game.playing.count == 2 else {
                    return Trial(game, seat).bestCard(budget: Self.trialBids, &dice, isStopped: isStopped)
                }
                return withoutActuallyEscaping(isStopped) { isStopped in
                    Self.strategy(in: Duel(game, seat), isStopped: isStopped).map { dice.any(of: hand, weights: $0) }
                }
            }
        }

        /// How likely the highest level bids each card of its hand, ascending, against one other player; nil if it was
        /// stopped.
        static func strategy(in duel: Duel, isStopped: @escaping () -> Bool) -> [Double]? {
            if isStopped() { return nil }
            guard duel.mine.count <= exactCards else { return duel.estimate().rows }
            var solver = DuelSolver(isStopped: isStopped)
            let strategy = solver.strategy(in: duel)
            return solver.hasStopped ? nil : strategy
        }
    }
}

extension Dice {
    /// One of `cards`, of which there is at least one.
    mutating func any(of cards: Goofspiel.Cards) -> Int { any(of: UInt64(cards.bits)) }

    /// One of `cards`, each as likely as its weight says. The weights add up to 1.
    mutating func any(of cards: Goofspiel.Cards, weights: [Double]) -> Int {
        var rest = Double(number(below: 1 << 30)) / Double(1 << 30)
        let values = cards.values
        for (card, weight) in zip(values, weights) {
            rest -= weight
            if rest < 0 { return card }
        }
        // Sums of fractions may fall short of 1.
        return zip(values, weights).max { $0.1 < $1.1 }?.0 ?? values[0]
    }
}
