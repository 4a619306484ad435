extension GoFish {
    /// What everyone can know of the hands from the questions, the answers and the books.
    struct Knowledge: Sendable {
        /// What is known of a hand.
        struct Hand: Sendable {
            /// How many cards of each rank it certainly has.
            var shown = Array(repeating: 0, count: Rank.all.count)
            /// When these were last seen.
            var shownAt = Array(repeating: 0, count: Rank.all.count)
            /// When it had no unknown card of each rank.
            var lackedAt = Array(repeating: -1, count: Rank.all.count)
            /// When each of the other cards came.
            var unknown: [Int]

            /// How many of the unknown cards can be of a rank.
            func candidates(for rank: Rank) -> Int { unknown.count { $0 > lackedAt[rank.index] } }

            /// It turns out that it has at least so many cards of a rank.
            mutating func show(_ rank: Rank, _ count: Int, at time: Int) {
                while shown[rank.index] < count {
                    shown[rank.index] += 1
                    takeUnknown(rank)
                }
                shownAt[rank.index] = time
            }

            /// Cards of a rank leave it, first those that are known.
            mutating func lose(_ rank: Rank, _ count: Int) {
                for _ in 0..<count {
                    if shown[rank.index] > 0 { shown[rank.index] -= 1 } else { takeUnknown(rank) }
                }
            }

            /// It has no card of a rank.
            mutating func lack(_ rank: Rank, at time: Int) { (shown[rank.index], lackedAt[rank.index]) = (0, time) }

            private mutating func takeUnknown(_ rank: Rank) {
                let index = unknown.firstIndex { $0 > lackedAt[rank.index] } ?? unknown.indices.first
                if let index { unknown.remove(at: index) }
            }
        }

        private(set) var hands: [Seat: Hand]
        /// The number of questions so far.
        private(set) var questions = 0

        init(_ game: GoFish) {
            let dealt = Hand(unknown: Array(repeating: 0, count: Deck.handSize(players: game.players.count)))
            hands = Dictionary(uniqueKeysWithValues: game.players.map { ($0, dealt) })
        }

        func hand(of seat: Seat) -> Hand { hands[seat] ?? Hand(unknown: []) }

        mutating func see(_ event: Event, books: Setup.Books) {
            switch event {
            case .cardsAsked(let seat, let asked, let rank, let count):
                questions += 1
                hands[seat]?.show(rank, 1, at: questions)
                hands[asked]?.lose(rank, count)
                hands[asked]?.lack(rank, at: questions)
                hands[seat]?.shown[rank.index] += count
            case .cardDrawn(let seat, let rank?): hands[seat]?.shown[rank.index] += 1
            case .cardDrawn(let seat, nil): hands[seat]?.unknown.append(questions + 1)
            case .book(let seat, let rank):
                // A card that was just drawn completed it.
                let isFished = questions > 0 && hands[seat]?.unknown.last == questions + 1
                if isFished { hands[seat]?.unknown.removeLast() }
                hands[seat]?.lose(rank, books.size - (isFished ? 1 : 0))
                // Of three cards of a rank that were dealt, one is kept.
                if questions > 0 { hands[seat]?.lack(rank, at: questions) }
            case .turn, .turnExpired, .resigned: break
            }
        }
    }
}
