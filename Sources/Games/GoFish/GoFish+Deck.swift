import Cryptography

extension GoFish {
    /// A rank, from the ace to the king.
    public struct Rank: Sendable, Hashable {
        private static let names = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
        /// In ascending order.
        static let all = names.indices.map { Rank(index: $0) }

        /// From 0 for the ace to 12.
        let index: Int

        /// As in commands and events: `10`, `K`.
        var name: String { Self.names[index] }

        private init(index: Int) { self.index = index }

        /// Nil if no rank has this name.
        init?(_ name: String) {
            guard let index = Self.names.firstIndex(of: name) else { return nil }
            self.init(index: index)
        }
    }

    /// A set of cards, with a bit for each. A card's number is the index of its rank times 4, plus that of its suit.
    struct Cards: Sendable, Equatable {
        private static let suits = ["♠", "♥", "♦", "♣"]

        var bits: UInt64 = 0

        var count: Int { bits.nonzeroBitCount }
        /// The numbers of the cards, ascending.
        var numbers: [Int] { (0..<Deck.size).filter { bits >> UInt64($0) & 1 == 1 } }
        /// `3♠`, `10♦`, ascending.
        var names: [String] { numbers.map { Rank.all[$0 / 4].name + Self.suits[$0 % 4] } }
        /// Ranks of which there is a card, ascending.
        var ranks: [Rank] { Rank.all.filter { count(of: $0) > 0 } }

        init() {}

        /// Nil if one of `names` is no card.
        init?(names: [String]) {
            for name in names {
                guard let suit = Self.suits.firstIndex(of: String(name.suffix(1))),
                    let rank = Rank(String(name.dropLast()))
                else { return nil }
                insert(rank.index * 4 + suit)
            }
        }

        func count(of rank: Rank) -> Int { (bits >> UInt64(rank.index * 4) & 0xF).nonzeroBitCount }

        mutating func insert(_ card: Int) { bits |= 1 << UInt64(card) }

        /// Removes at most `count` cards of a rank, those of the lowest suits, and returns them.
        mutating func remove(_ rank: Rank, _ count: Int = 4) -> Cards {
            var removed = Cards()
            for card in (rank.index * 4)..<(rank.index * 4 + 4)
            where bits >> UInt64(card) & 1 == 1 && removed.count < count {
                removed.insert(card)
            }
            bits &= ~removed.bits
            return removed
        }
    }

    /// Where each card is, as it follows from a game's seed. Anyone with the seed and the players deals the same.
    struct Deck: Sendable, Equatable {
        static let size = 52

        var hands: [Seat: Cards] = [:]
        /// The numbers of the cards; the top one is the last.
        var pond: [Int]

        static func handSize(players: Int) -> Int { players <= 3 ? 7 : 5 }

        /// The seed's words shuffle the cards in ascending order. The first card is then on top, and each player in
        /// turn gets a whole hand.
        init(players: [Seat], seed: Digest) {
            var words = RandomWords(seed: seed)
            var cards = Array(0..<Self.size)
            words.shuffle(&cards)
            pond = cards.reversed()
            for seat in players {
                for _ in 0..<Self.handSize(players: players.count) { draw(seat) }
            }
        }

        /// The rank of the card on top of the pond.
        var top: Rank? { pond.last.map { Rank.all[$0 / 4] } }

        func hand(of seat: Seat) -> Cards { hands[seat] ?? Cards() }

        mutating func draw(_ seat: Seat) {
            if let card = pond.popLast() { hands[seat, default: Cards()].insert(card) }
        }

        mutating func give(_ rank: Rank, from asked: Seat, to asker: Seat) {
            let given = hands[asked, default: Cards()].remove(rank)
            hands[asker, default: Cards()].bits |= given.bits
        }

        mutating func layDown(_ rank: Rank, _ count: Int, of seat: Seat) {
            _ = hands[seat, default: Cards()].remove(rank, count)
        }

        /// Puts a hand under the pond, the highest card at the very bottom.
        mutating func returnHand(of seat: Seat) {
            pond.insert(contentsOf: hand(of: seat).numbers.reversed(), at: 0)
            hands[seat] = Cards()
        }
    }
}
