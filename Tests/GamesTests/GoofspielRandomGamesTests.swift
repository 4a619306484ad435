import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Goofspiel: random games") struct GoofspielRandomGamesTests {
    /// Plays on until the end: mostly bids, and now and then a player who is late, resigns or leaves.
    private func playOut(_ table: inout GoofspielTable, _ words: inout RandomWords, exits: Bool) throws {
        while table.live.outcome == nil {
            let awaited = table.live.awaited.sorted()
            let seat = try #require(awaited.isEmpty ? nil : awaited[words.number(below: awaited.count)])
            switch words.number(below: exits ? 60 : 1) {
            case 1: try table.play("resign", by: seat.rawValue)
            case 2: table.leave(seat.rawValue)
            case 3...8: table.wait()
            default:
                let cards = table.live.legalCommands(for: seat)
                guard case .bid(let card) = cards[words.number(below: cards.count)] else { continue }
                try table.bid(card, by: seat.rawValue)
            }
        }
    }

    @Test("each card is used once, and the prizes add up", arguments: 2...5)
    func invariants(players: Int) throws {
        for number in 0..<LongTests.count(60, long: 1_500) {
            var words = RandomWords(seed: SHA256.digest(of: "\(players) \(number)"))
            let cards = 4 + number % 10
            let seed = SHA256.digest(of: "seed \(players) \(number)")
            var table = try GoofspielTable(players: players, cards: cards, seed: seed)
            try playOut(&table, &words, exits: number % 2 == 0)
            let game = table.live
            let outcome = try #require(game.outcome)
            for seat in game.players {
                let bids = game.rounds.flatMap(\.bids).filter { $0.seat == seat }.map(\.card)
                #expect(Set(bids).count == bids.count && bids.allSatisfy { (1...cards).contains($0) })
                #expect((bids + game.cards(of: seat).values).sorted() == Array(1...cards))
            }
            let shown = game.rounds.reduce(game.prize ?? 0) { $0 + $1.prize }
            #expect(outcome.results.reduce(0) { $0 + $1.score } + game.stake == shown)
            #expect(shown + game.prizesLeft.values.reduce(0, +) == cards * (cards + 1) / 2)
            guard outcome.reason == .finished else { continue }
            #expect(game.rounds.map(\.prize) == Goofspiel.prizes(cards, seed: seed))
            // Only players who are out have cards left.
            #expect(game.playing.allSatisfy { game.cards(of: $0).isEmpty })
        }
    }

    /// Two games that differ in their bids only.
    @Test("before bids are shown nothing that is public depends on them", arguments: 2...5)
    func secrecy(players: Int) throws {
        for number in 0..<20 {
            var words = RandomWords(seed: SHA256.digest(of: "secret \(players) \(number)"))
            var table = try GoofspielTable(players: players, cards: 6, seed: SHA256.digest(of: "\(number)"))
            for _ in 0..<5 {
                var other = table
                for (index, seat) in table.live.players.enumerated() {
                    let hand = table.live.cards(of: seat).values
                    let card = hand[words.number(below: hand.count)]
                    let another = hand[words.number(below: hand.count)]
                    let start = table.log.count
                    try table.bid(card, by: seat.rawValue)
                    guard index < players - 1 else { break }
                    try other.bid(another, by: seat.rawValue)
                    #expect(table.log[start...] == [GameStep(type: "bid-sealed", fields: ["seat": .integer(index)])])
                    #expect(table.log == other.log && table.shown == other.shown)
                    #expect(table.live.view == other.live.view && table.live.awaited == other.live.awaited)
                    #expect(table.live.results(at: 0) == other.live.results(at: 0))
                    for rival in table.live.players where rival != seat && table.live.awaited.contains(rival) {
                        #expect(table.live.hand(of: rival) == other.live.hand(of: rival))
                        #expect(table.live.legalCommands(for: rival) == other.live.legalCommands(for: rival))
                    }
                }
            }
        }
    }
}
