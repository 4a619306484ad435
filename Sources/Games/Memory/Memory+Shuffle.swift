/// Moves the face-down cards to new places in the middle of a game.
extension Memory {
    /// Where a face-down card goes, by cells.
    public struct Move: Sendable, Equatable {
        public let from: Int
        public let to: Int

        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// A single player may shuffle whenever no card is up. With others, each player may once a game, before the first
    /// card of their own turn, or in a race while no card is up.
    func shuffle(by seat: Seat) throws(Rejection) -> [Event] {
        guard let index = index(of: seat), mayTurn(index) else { throw .notYourTurn }
        guard secondUp == nil else { throw .waitForReveal }
        guard firstUp == nil, race?.up.isEmpty ?? true else { throw .attemptUnderWay }
        guard isAlone || !players[index].hasShuffled else { throw .alreadyShuffled }
        guard var words else {
            preconditionFailure("a fold of the public log cannot judge without the words")
        }
        return [.cardsShuffled(seat: seat, moves: moves(drawing: &words))]
    }

    /// Shuffles the face-down cards, in the order of their cells, by the next of `words`, and returns the moves in the
    /// order of the cells that they leave. Cards that stay are left out.
    func moves(drawing words: inout RandomWords) -> [Move] {
        let cells = cards.indices.filter { cards[$0].side == .down }
        var order = cells
        words.shuffle(&order)
        return zip(order, cells).filter { $0 != $1 }.map { Move(from: $0, to: $1) }.sorted { $0.from < $1.from }
    }

    /// Ignores moves that are not a permutation of face-down cards.
    mutating func shuffleCards(_ moves: [Move], by seat: Seat) {
        guard let index = index(of: seat), isPermutation(moves) else { return }
        players[index].hasShuffled = true
        if var words {
            // The next shuffle continues after the words of this one.
            _ = self.moves(drawing: &words)
            self.words = words
        }
        let before = (cards: cards, deck: deck)
        for move in moves {
            cards[move.to] = before.cards[move.from]
            if !deck.isEmpty { deck[move.to] = before.deck[move.from] }
        }
    }

    /// Whether `moves` permute face-down cards, each once.
    func isPermutation(_ moves: [Move]) -> Bool {
        guard moves.allSatisfy({ cards.indices.contains($0.from) && cards[$0.from].side == .down }) else {
            return false
        }
        let left = Set(moves.map(\.from))
        return left.count == moves.count && left == Set(moves.map(\.to))
    }

    /// Whether `moves` follow from the seed; true if the seed is not known.
    func areDrawn(_ moves: [Move]) -> Bool {
        guard var words else { return true }
        return self.moves(drawing: &words) == moves
    }
}

extension Rejection {
    static let attemptUnderWay = Rejection(
        "attempt-under-way", "You can shuffle only while no card is up.")
    static let alreadyShuffled = Rejection(
        "already-shuffled", "With others at the table, you can shuffle once per game.")
}
