import Cryptography
extension Memory {
    public struct Computer: ComputerPlayer {
        public static let levels = ["easy", "medium", "perfect"]
        var words: RandomWords
        public init(level: String, seat: Seat, seed: Digest) { words = RandomWords(seed: seed) }
        public mutating func see(_ event: Memory.Event, in game: PublicGame<Memory>) {}
        public mutating func move(in game: PublicGame<Memory>, isStopped: () -> Bool) -> Memory.Command? {
            let down = game.state.cards.indices.filter { game.state.cards[$0].side == .down }
            return down.isEmpty ? nil : .flip(cell: down[words.number(below: down.count)])
        }
    }
}
