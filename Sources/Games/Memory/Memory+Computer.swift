import Cryptography
import JSON

extension Memory {
    /// Plays Memory with what it remembers, and perfectly if that is everything.
    ///
    /// A draw for each card that is shown decides whether it remembers that card; it never confuses those that it
    /// remembers. Alone it plays for the fewest turns (Velleman & Warrington, "What to expect in a game of memory").
    /// Against others it plays by the table of `BestPlay`, as if all remembered what it remembers.
    public struct Computer: ComputerPlayer {
        /// How many of ten shown cards it remembers.
        enum Level: String, CaseIterable, Sendable {
            case easy, medium, perfect

            var cardsInTen: Int {
                switch self {
                case .easy: 3
                case .medium: 7
                case .perfect: 10
                }
            }
        }

        public static let levels = Level.allCases.map(\.rawValue)

        private let level: Level
        private let seat: Seat
        private var words: RandomWords
        /// The face on each cell that it remembers; grows to the board's size with the first event.
        private var faces: [UInt8?] = []
        /// For the number of players; nil until it is needed.
        private var bestPlay: BestPlay?

        public init(level: String, seat: Seat, seed: Digest) {
            // Callers choose from `levels`; an unknown level plays as the weakest.
            self.level = Level(rawValue: level) ?? .easy
            self.seat = seat
            words = RandomWords(seed: seed)
        }

        public mutating func see(_ event: Event, in game: PublicGame<Memory>) {
            if faces.isEmpty { faces = game.state.cards.map { _ in nil } }
            switch event {
            case .showCard(let cell, let face, _, _):
                if faces.indices.contains(cell), words.number(below: 10) < level.cardsInTen { faces[cell] = face }
            case .cardsShuffled(_, let moves):
                // Everyone sees where each card goes.
                let before = faces
                for move in moves where faces.indices.contains(move.from) && faces.indices.contains(move.to) {
                    faces[move.to] = before[move.from]
                }
            case .match, .hideCard, .turn, .turns, .turnExpired, .away, .back: break
            }
        }

        public mutating func move(in game: PublicGame<Memory>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            let state = game.state
            guard state.awaited.contains(seat) else { return nil }
            let down = state.cards.indices.filter { state.cards[$0].side == .down }
            if let race = state.race { return cell(in: race, among: down, in: state).map { .flip(cell: $0) } }
            let cell = state.firstUp.map { second(after: $0, among: down, in: state) } ?? first(among: down)
            return cell.map { .flip(cell: $0) }
        }

        /// The mate of any card that is up, if it knows one. Otherwise a second card is an unknown one.
        private mutating func cell(in race: Race, among down: [Int], in state: Memory) -> Int? {
            let faces = Set(race.up.map { state.cards[$0.cell].face })
            if let mate = down.first(where: { remembered($0).map { faces.contains($0) } ?? false }) { return mate }
            let isSecond = race.up.contains { state.players[$0.player].seat == seat }
            return (isSecond ? any(of: down.filter { remembered($0) == nil }) : nil) ?? first(among: down)
        }

        /// One of a pair that it knows, or otherwise an unknown card.
        private mutating func first(among down: [Int]) -> Int? {
            var cells: [UInt8: Int] = [:]
            for cell in down {
                guard let face = remembered(cell) else { continue }
                if let mate = cells.updateValue(cell, forKey: face) { return mate }
            }
            return any(of: down.filter { remembered($0) == nil }) ?? any(of: down)
        }

        /// The mate of the card that is up, if it knows it. If not, an unknown card, which may be the mate, or a known
        /// one if an unknown one would help the others more.
        private mutating func second(after first: Int, among down: [Int], in state: Memory) -> Int? {
            let face = state.cards[first].face
            if let mate = down.first(where: { remembered($0) == face }) { return mate }
            let known = down.filter { remembered($0) != nil }
            let unknown = down.filter { remembered($0) == nil }
            return any(of: prefersKnownCard(of: known.count, in: state) ? known : unknown) ?? any(of: down)
        }

        private mutating func prefersKnownCard(of count: Int, in state: Memory) -> Bool {
            let players = state.players.count { $0.isPresent }
            guard players > 1 else { return false }
            if bestPlay?.players != players {
                bestPlay = BestPlay(
                    pairs: state.setup.board.pairs, players: players, rule: state.setup.rule,
                    turnRule: state.setup.turnRule)
            }
            return bestPlay?.prefersKnownCard(pairsLeft: state.pairsLeft, knownCards: count) ?? false
        }

        private func remembered(_ cell: Int) -> UInt8? { faces.indices.contains(cell) ? faces[cell] : nil }

        private mutating func any(of cells: [Int]) -> Int? {
            cells.isEmpty ? nil : cells[words.number(below: cells.count)]
        }
    }
}
