import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Goofspiel: computer players") struct GoofspielComputerTests {
    private typealias Computer = Goofspiel.Computer

    private static func playOut(_ levels: [String], cards: Int = 13, seed: String) throws -> Goofspiel {
        let setup = try Goofspiel.Setup(["cards": .integer(cards), "turnTime": 0])
        var game = Goofspiel(
            setup: setup, players: levels.indices.map { Seat($0) }, first: Seat(0),
            seed: SHA256.digest(of: "deal \(seed)"), at: 0)
        var players = levels.enumerated().map {
            Computer(level: $1, seat: Seat($0), seed: SHA256.digest(of: "\(seed) \($0)"))
        }
        for event in game.opening(at: 0) { game.apply(event, at: 0) }
        while let seat = game.awaited.min() {
            let card = try #require(players[seat.rawValue].card(in: game) { false })
            for event in try game.decide(.bid(card: card), by: seat, at: 0) { game.apply(event, at: 0) }
        }
        return game
    }

    @Test("plays with any number of cards and players", arguments: [4, 6, 13], Goofspiel.seats)
    func all(cards: Int, players: Int) throws {
        for level in Computer.levels where LongTests.areOn || level != "4" || players < 4 {
            let game = try Self.playOut(Array(repeating: level, count: players), cards: cards, seed: "all")
            #expect(game.outcome?.reason == .finished && game.rounds.count == cards)
        }
    }

    @Test("the same seed gives the same game", arguments: Computer.levels)
    func repeats(level: String) throws {
        let rounds = try (0..<2).map { _ in try Self.playOut([level, "2"], cards: 7, seed: "same").rounds }
        #expect(rounds[0] == rounds[1])
    }

    /// The fold of the public log is all that it sees, besides its hand.
    @Test("bids the same without the seed and the other bids", arguments: Computer.levels)
    func isBlind(level: String) throws {
        var table = try GoofspielTable(players: 2, cards: 6)
        try table.bid(3, 4)
        try table.bid(6, by: 0)
        let cards = [table.live, table.shown].map { game in
            var player = Computer(level: level, seat: Seat(1), seed: SHA256.digest(of: "blind"))
            return player.card(in: game) { false }
        }
        #expect(cards[0] != nil && cards[0] == cards[1])
    }

    @Test("has no bid to make unless it is awaited, or once it was stopped")
    func nothing() throws {
        var table = try GoofspielTable(players: 3, cards: 5)
        try table.bid(3, by: 0)
        var player = Computer(level: "1", seat: Seat(0), seed: SHA256.digest(of: "nothing"))
        #expect(player.card(in: table.live) { false } == nil)
        player = Computer(level: "4", seat: Seat(1), seed: SHA256.digest(of: "nothing"))
        #expect(player.card(in: table.live) { true } == nil)
        try table.play("resign", by: 0)
        #expect(player.card(in: table.live) { true } == nil && player.card(in: table.live) { false } != nil)
        var asked = 0
        let duel = Goofspiel.Duel(table.live, Seat(1))
        let strategy = Computer.strategy(in: duel) {
            asked += 1
            return asked > 3
        }
        #expect(strategy == nil)
    }

    @Test("level 3 bids a card that ranks as the stake does, give or take one")
    func matching() throws {
        let table = try GoofspielTable(cards: 13)
        // The first prize is 10.
        for number in 0..<40 {
            var player = Computer(level: "3", seat: Seat(0), seed: SHA256.digest(of: "\(number)"))
            let card = try #require(player.card(in: table.live) { false })
            #expect((9...11).contains(card))
        }
    }

    @Test(
        "each level gets 65 to 80 of 100 points against the one below it",
        arguments: [("2", 400, 2_000), ("3", 400, 2_000), ("4", 20, 2_000)])
    func strength(upper: String, short: Int, long: Int) throws {
        let lower = String((Int(upper) ?? 0) - 1)
        let count = LongTests.count(short, long: long)
        var points = 0
        for number in 0..<count {
            let game = try Self.playOut([upper, lower], seed: "\(number)")
            points += 1 + (game.score(of: Seat(0)) - game.score(of: Seat(1))).signum()
        }
        let share = Double(points) / Double(2 * count)
        #expect((count > 100 ? 0.65...0.8 : 0.4...1).contains(share), "\(share) of \(count) games")
    }
}
