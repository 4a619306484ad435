import Cryptography
import JSON

extension Goofspiel {
    public struct Computer: ComputerPlayer {
        public static let levels = ["1"]
        private let seat: Seat
        private var words: RandomWords
        public init(level: String, seat: Seat, seed: Digest) { (self.seat, words) = (seat, RandomWords(seed: seed)) }
        public mutating func see(_ event: Event, in game: PublicGame<Goofspiel>) {}
        public mutating func move(in game: PublicGame<Goofspiel>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            let cards = game.state.cards(of: seat).values
            return .bid(card: cards[words.number(below: cards.count)])
        }
    }
}
