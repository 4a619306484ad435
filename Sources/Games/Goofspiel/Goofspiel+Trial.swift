extension Goofspiel {
    /// A game of any number of players that is only tried out, from the view of player 0.
    struct Trial {
        private var hands: [Cards]
        private var scores: [Int]
        /// Those that were not turned up yet.
        private var prizes: Cards
        private var stake: Int

        /// The players who are not out, beginning with the one of `seat`.
        init(_ game: Goofspiel, _ seat: Seat) {
            let seats = [seat] + game.playing(after: seat).filter { $0 != seat }
            (hands, scores) = (seats.map { game.cards(of: $0) }, seats.map { game.score(of: $0) })
            (prizes, stake) = (game.prizesLeft, game.stake)
        }

        /// A card that ranks in the hand of `player` about as the stake does among the prizes.
        func card(of player: Int, spread: Int, _ dice: inout Dice) -> Int {
            let below = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(min(stake, 32))) - 1)
            let rank = (prizes.bits & below).nonzeroBitCount + dice.number(below: 2 * spread + 1) - spread
            var rest = hands[player].bits
            for _ in 0..<max(0, min(rank, rest.nonzeroBitCount - 1)) { rest &= rest - 1 }
            return rest.trailingZeroBitCount
        }

        /// Plays many games to their end after each card of player 0, against players of level 3, and returns the card
        /// with the best results; nil if it was stopped.
        func bestCard(budget: Int, _ dice: inout Dice, isStopped: () -> Bool) -> Int? {
            let cards = hands[0].values
            var totals = Array(repeating: 0.0, count: cards.count)
            for _ in 0..<max(1, budget / (cards.count * cards.count * hands.count)) {
                if isStopped() { return nil }
                // The same luck for each card.
                let state = dice.state
                for (index, card) in cards.enumerated() {
                    dice.state = state
                    var trial = self
                    trial.bid(first: card, &dice)
                    while !trial.prizes.isEmpty {
                        let prize = dice.any(of: trial.prizes)
                        trial.prizes.remove(prize)
                        trial.stake += prize
                        trial.bid(first: nil, &dice)
                    }
                    totals[index] += trial.worth
                }
            }
            return zip(totals, cards).max { $0.0 < $1.0 }?.1
        }

        /// All bid at once, player 0 with `first` if it is not nil.
        private mutating func bid(first: Int?, _ dice: inout Dice) {
            var bids = hands.indices.map { card(of: $0, spread: 1, &dice) }
            if let first { bids[0] = first }
            // A bit for each card that was bid, and for each that was bid again.
            var (once, again) = (UInt32(0), UInt32(0))
            for (player, card) in bids.enumerated() {
                again |= once & 1 << UInt32(card)
                once |= 1 << UInt32(card)
                hands[player].remove(card)
            }
            let single = once & ~again
            guard single != 0 else { return }
            let highest = UInt32.bitWidth - 1 - single.leadingZeroBitCount
            if let winner = bids.firstIndex(of: highest) { scores[winner] += stake }
            stake = 0
        }

        /// The share of a win that player 0 has, and a little for the score.
        private var worth: Double {
            let best = scores.max() ?? 0
            let share = scores[0] == best ? 1 / Double(scores.count { $0 == best }) : 0
            return share + 0.001 * Double(scores[0])
        }
    }
}
