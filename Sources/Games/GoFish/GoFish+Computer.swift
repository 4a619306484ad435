import Cryptography
import JSON

extension GoFish {
    /// Three strengths, each of which gets about two thirds of the points against the one below it. Between two players
    /// much is luck: even one that sees the other's hand loses one game in ten to the second. With four, one of the
    /// third wins two games of three against three of the second.
    public struct Computer: ComputerPlayer {
        public static let levels = ["1", "2", "3"]

        /// How a player chooses a question.
        enum Habit: Equatable, Sendable {
            /// Asks for a rank again and again.
            case stubborn
            /// Asks for a card that it has seen go to a player within so many questions, or else for any.
            case forgetful(memory: Int)
            /// Remembers all, and works out the odds of each question.
            case careful
        }

        static let habits: [String: Habit] = ["1": .stubborn, "2": .forgetful(memory: 2), "3": .careful]

        private let habit: Habit
        private let seat: Seat
        private var words: RandomWords
        /// Nil until the first event.
        private var knowledge: Knowledge?

        public init(level: String, seat: Seat, seed: Digest) {
            // Callers choose from `levels`; an unknown level plays as the weakest.
            (habit, self.seat, words) = (Self.habits[level] ?? .stubborn, seat, RandomWords(seed: seed))
        }

        public mutating func see(_ event: Event, in game: PublicGame<GoFish>) {
            if knowledge == nil { knowledge = Knowledge(game.state) }
            knowledge?.see(event, books: game.state.setup.books)
        }

        public mutating func move(in game: PublicGame<GoFish>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            guard let cards = (hand?["cards"]?.strings).flatMap({ Cards(names: $0) }) else { return nil }
            let table = Table(game.state, seat: seat, cards: cards, knowledge: knowledge ?? Knowledge(game.state))
            var questions = table.questions
            // Any of several equal ones may come first.
            words.shuffle(&questions)
            let best =
                switch habit {
                case .stubborn: questions.max { table.timesShown($0) < table.timesShown($1) }
                case .forgetful(let memory): questions.first { table.hasSeen($0, within: memory) } ?? questions.first
                case .careful: table.best(of: questions)
                }
            return best.map { .ask($0.asked, rank: $0.rank.name) }
        }
    }

    /// What a computer looks at when it is to ask.
    private struct Table {
        typealias Choice = (asked: Seat, rank: Rank)

        /// The worth of so many cards of a rank, in books. The best of some that were tried.
        private static let worth = [0, 0.1, 0.3, 0.6, 1]
        /// What a card is worth that another player loses, in parts of its worth to the player.
        private static let harm = 0.5
        /// For each card in hand of the rank. Without it, players ask for many ranks and finish few.
        private static let focus = 0.2

        let game: GoFish
        let seat: Seat
        let cards: Cards
        let knowledge: Knowledge
        let others: [Seat]

        init(_ game: GoFish, seat: Seat, cards: Cards, knowledge: Knowledge) {
            (self.game, self.seat, self.cards, self.knowledge) = (game, seat, cards, knowledge)
            others = game.playing(after: seat).filter { $0 != seat && game.count(of: $0) > 0 }
        }

        var questions: [Choice] { others.flatMap { other in cards.ranks.map { (other, $0) } } }

        /// How many cards of the rank everyone knows the player to have.
        func timesShown(_ choice: Choice) -> Int { knowledge.hand(of: seat).shown[choice.rank.index] }

        func hasSeen(_ choice: Choice, within memory: Int) -> Bool {
            let (hand, rank) = (knowledge.hand(of: choice.asked), choice.rank.index)
            return hand.shown[rank] > 0 && knowledge.questions - hand.shownAt[rank] < memory
        }

        func best(of questions: [Choice]) -> Choice? {
            let values = questions.map { value(of: $0) }
            return zip(values, questions).max { $0.0 < $1.0 }?.1
        }

        /// In books, as far as questions can be compared by it. One that is certain to get a card is better than any
        /// that is not.
        private func value(of choice: Choice) -> Double {
            let mine = cards.count(of: choice.rank)
            let hand = knowledge.hand(of: choice.asked)
            let shown = hand.shown[choice.rank.index]
            let places = hand.candidates(for: choice.rank)
            let allPlaces = game.pond + others.reduce(0) { $0 + knowledge.hand(of: $1).candidates(for: choice.rank) }
            let known = others.reduce(0) { $0 + knowledge.hand(of: $1).shown[choice.rank.index] }
            let hidden = min(max(0, game.cardsLeft(of: choice.rank) - mine - known), allPlaces)
            // Each hidden card may be in any of the places.
            let none = (0..<hidden).reduce(1.0) {
                $0 * Double(max(0, allPlaces - places - $1)) / Double(allPlaces - $1)
            }
            let mean = hidden > 0 ? Double(hidden * places) / Double(allPlaces) : 0
            let chance = shown > 0 ? 1 : 1 - none
            let gain = chance > 0 ? (Double(shown) + mean) / chance : 0
            let elsewhere = allPlaces - places
            let luck = game.pond > 0 && elsewhere > 0 ? min(1, Double(hidden) / Double(elsewhere)) : 0

            let (before, held) = (worth(Double(mine)), Double(mine))
            let hit = worth(held + gain) - before + Self.harm * worth(gain)
            let value = chance * hit + (1 - chance) * luck * (worth(held + 1) - before) + Self.focus * held
            return shown > 0 ? value + 10 : value
        }

        private func worth(_ count: Double) -> Double {
            let whole = min(Int(count), Self.worth.count - 2)
            let part = min(count - Double(whole), 1)
            return Self.worth[whole] * (1 - part) + Self.worth[whole + 1] * part
        }
    }
}
