import Cryptography
import JSON

extension GoFish {
    public struct Computer: ComputerPlayer {
        public static let levels = ["1"]
        private let seat: Seat
        private var words: RandomWords
        public init(level: String, seat: Seat, seed: Digest) { (self.seat, words) = (seat, RandomWords(seed: seed)) }
        public mutating func see(_ event: Event, in game: PublicGame<GoFish>) {}
        public mutating func move(in game: PublicGame<GoFish>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            let cards = (hand?["cards"]?.strings).flatMap { Cards(names: $0) } ?? Cards()
            let ranks = cards.ranks
            let others = game.state.playing(after: seat).filter { $0 != seat && game.state.count(of: $0) > 0 }
            guard !ranks.isEmpty, !others.isEmpty else { return nil }
            return .ask(others[words.number(below: others.count)], rank: ranks[words.number(below: ranks.count)].name)
        }
    }
}
