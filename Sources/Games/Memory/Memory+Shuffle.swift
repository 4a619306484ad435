/// The cards that lie face down are moved to new places in the middle of a game.
extension Memory {
    /// Where a card that lies face down goes, by their cells.
    public struct Move: Sendable, Equatable {
        public let from: Int
        public let to: Int

        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// Alone whenever no card is up; with others once a game, in the own turn before its first card.
    func shuffle(by seat: Seat) throws(Rejection) -> [Event] {
        guard let index = index(of: seat), index == current else { throw .notYourTurn }
        guard secondUp == nil else { throw .waitForReveal }
        guard firstUp == nil else { throw .attemptUnderWay }
        guard isAlone || !players[index].hasShuffled else { throw .alreadyShuffled }
        guard var words else {
            preconditionFailure("a fold of the public log judges nothing: it does not know the words")
        }
        return [.cardsShuffled(seat: seat, moves: moves(drawing: &words))]
    }

    /// The moves that the next of `words` say: the cards that are down, in order of their cells, shuffled and laid back
    /// on those cells. In the order of the cells that they leave; those that stay are left out.
    func moves(drawing words: inout RandomWords) -> [Move] {
        let cells = cards.indices.filter { cards[$0].side == .down }
        var order = cells
        words.shuffle(&order)
        return zip(order, cells).filter { $0 != $1 }.map { Move(from: $0, to: $1) }.sorted { $0.from < $1.from }
    }

    /// Moves that are no permutation of cards that are down change nothing.
    mutating func shuffleCards(_ moves: [Move], by seat: Seat) {
        guard let index = index(of: seat), isPermutation(moves) else { return }
        players[index].hasShuffled = true
        if var words {
            // The next shuffle goes on behind what this one drew.
            _ = self.moves(drawing: &words)
            self.words = words
        }
        let before = (cards: cards, deck: deck)
        for move in moves {
            cards[move.to] = before.cards[move.from]
            if !deck.isEmpty { deck[move.to] = before.deck[move.from] }
        }
    }

    /// Whether `moves` take cards that are down, each once, to the cells of one another.
    func isPermutation(_ moves: [Move]) -> Bool {
        guard moves.allSatisfy({ cards.indices.contains($0.from) && cards[$0.from].side == .down }) else {
            return false
        }
        let left = Set(moves.map(\.from))
        return left.count == moves.count && left == Set(moves.map(\.to))
    }

    /// Whether `moves` are those that the seed says: always so where the seed is not known.
    func areDrawn(_ moves: [Move]) -> Bool {
        guard var words else { return true }
        return self.moves(drawing: &words) == moves
    }
}

extension Rejection {
    static let attemptUnderWay = Rejection(
        "attempt-under-way", "You can shuffle only before the first card of a turn.")
    static let alreadyShuffled = Rejection(
        "already-shuffled", "With others at the table, you can shuffle once per game.")
}
