import Cryptography

extension Memory {
    /// How a deck follows from a game's seed. Anyone with the seed and `game-started` deals the same.
    enum Deck {
        /// The face on each cell, as an index into the theme's faces (`Card.noFace` on a gap), and the words after
        /// those that the deal took.
        ///
        /// One stream of words draws, in this order: the number of pairs, if it is drawn; the order of the theme's
        /// faces; then the order of as many of the first faces as are needed, each twice (a a b b ...), which are put
        /// on the cells in turn, skipping a gap.
        static func dealt(_ setup: Setup, from seed: Digest) -> (deck: [UInt8], words: RandomWords?) {
            var words = RandomWords(seed: seed)
            if let drawn = setup.drawn { _ = pairCount(drawn, &words) }
            var faces = [UInt8](0..<UInt8(setup.faces.count))
            words.shuffle(&faces)
            var deck = faces.prefix(setup.board.pairs).flatMap { [$0, $0] }
            words.shuffle(&deck)
            if let gap = setup.board.gap { deck.insert(Card.noFace, at: gap) }
            return (deck, words)
        }

        static func pairCount(_ range: ClosedRange<Int>, _ words: inout RandomWords) -> Int {
            range.lowerBound + words.number(below: range.count)
        }
    }
}
