import Cryptography

extension Memory {
    /// How a deck follows from a game's seed: anyone who has the seed, and what `game-started` shows, deals the same.
    enum Deck {
        /// Which face lies on each cell, as an index into the theme's faces (`Card.noFace` on a gap), and the words
        /// behind those that the deal took.
        ///
        /// From one stream of words: first the number of pairs, if it is drawn; then the theme's faces, shuffled; the
        /// first of them that are needed, each twice (a a b b ...), shuffled and laid on the cells in order, passing
        /// over a gap.
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
