import Glibc

extension Goofspiel {
    /// A game of two as one of them sees it, before both bid.
    struct Duel: Sendable, Hashable {
        var mine: Cards
        var theirs: Cards
        /// Those that were not turned up yet.
        var prizes: Cards
        /// The sum of the prize and of those before it that no one won.
        var stake: Int
        /// My score less the other's.
        var lead: Int

        /// Both have bid. The next prize is not turned up yet.
        func bid(_ card: Int, against other: Int) -> Duel {
            var next = self
            next.mine.remove(card)
            next.theirs.remove(other)
            if card != other {
                next.lead += card > other ? stake : -stake
                next.stake = 0
            }
            return next
        }

        func turnUp(_ prize: Int) -> Duel {
            var next = self
            next.prizes.remove(prize)
            next.stake += prize
            return next
        }

        /// The chance to win less the chance to lose, if the rest cannot change it; nil if it can.
        var decided: Double? {
            let open = stake + prizes.sum
            if lead > open { return 1 }
            if lead < -open { return -1 }
            // What no one has won when the last cards are used goes to nobody.
            return mine.isEmpty ? Double(lead.signum()) : nil
        }

        /// The bids of both players, with the chance to win less the chance to lose that `value` sees after each pair.
        func matrix(_ value: (Duel) -> Double) -> MatrixGame {
            let (rows, columns) = (mine.values, theirs.values)
            return MatrixGame(rows: rows.count, columns: columns.count) { row, column in
                value(bid(rows[row], against: columns[column]))
            }
        }

        /// Bids that are good against any others, as far as `outlook` is right.
        func estimate() -> MatrixGame.Solution { matrix { $0.outlook }.solved() }

        /// A guess at the chance to win less the chance to lose, after both have bid. The players will bid their cards
        /// for prizes of the same rank, and the better card gets most of the prize. The two constants were found by
        /// games against players who bid by rank: it gets 60 of 100 points if they never differ from it, and 70 if
        /// they do by one. A smaller first one gives a perfect reply less, but gets only 50 of those points.
        private var outlook: Double {
            if let decided { return decided }
            var (margin, squares) = (Double(lead), Double(stake * stake))
            let cards = zip(mine.values, theirs.values)
            for (prize, (mine, theirs)) in zip(prizes.values, cards) {
                margin += Double(prize) * tanh(Double(mine - theirs) / 4)
                squares += Double(prize * prize)
            }
            return tanh(margin / (3 * squares.squareRoot()))
        }
    }
}

extension Goofspiel.Duel {
    /// The game as the player of `seat` sees it. There is one other player.
    init(_ game: Goofspiel, _ seat: Seat) {
        let other = game.next(after: seat)
        self.init(
            mine: game.cards(of: seat), theirs: game.cards(of: other), prizes: game.prizesLeft, stake: game.stake,
            lead: game.score(of: seat) - game.score(of: other))
    }
}
