import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Go Fish: computer players") struct GoFishComputerTests {
    @Test("there are three levels, the weakest first")
    func levels() {
        #expect(GoFish.Computer.levels == ["1", "2", "3"])
        #expect(Set(GoFish.Computer.habits.keys) == Set(GoFish.Computer.levels))
    }

    /// In 2,000 games 2 got 69 % of the points against 1, and 3 got 69 % against 2; with pairs both got 64 %.
    @Test(
        "each level beats the one below it",
        arguments: [("2", "1"), ("3", "2")], ["fours", "pairs"])
    func strength(levels: (upper: String, lower: String), books: String) throws {
        let count = LongTests.count(80, long: 2_000)
        // A win counts 2, a draw 1.
        var points = 0
        for number in 0..<count {
            let isSwapped = number % 2 == 1
            let names = isSwapped ? [levels.lower, levels.upper] : [levels.upper, levels.lower]
            let scores = try Self.playOut(names, books: books, first: number / 2 % 2, seed: "\(number / 4)").scores
            points += 1 + (scores[isSwapped ? 1 : 0] - scores[isSwapped ? 0 : 1]).signum()
        }
        let share = Double(points) / Double(2 * count)
        #expect((0.5...0.85).contains(share), "\(share) of \(count) games")
    }

    @Test("plays with any number of players to the end", arguments: GoFish.Computer.levels, GoFish.seats)
    func all(level: String, players: Int) throws {
        for books in ["fours", "pairs"] {
            let scores = try Self.playOut(
                Array(repeating: level, count: players), books: books, first: 1, seed: "all"
            ).scores
            #expect(scores.reduce(0, +) == (books == "fours" ? 13 : 26))
        }
    }

    @Test("the same seed gives the same game", arguments: GoFish.Computer.levels)
    func repeats(level: String) throws {
        let levels = [level, "2", level]
        #expect(
            try Self.playOut(levels, books: "fours", first: 1, seed: "same").questions
                == Self.playOut(levels, books: "fours", first: 1, seed: "same").questions)
    }

    /// What everyone sees at the start of a game.
    private static func start(players: Int, first: Int) throws -> PublicGame<GoFish> {
        PublicGame(
            setup: try GoFish.Setup(["turnTime": 0]), players: (0..<players).map { Seat($0) }, first: Seat(first), at: 0
        )
    }

    /// Seat 1 asks for threes in vain, and then seat 2 for kings.
    @Test("asks for what it has seen", arguments: ["2", "3"])
    func remembers(level: String) throws {
        var game = try Self.start(players: 3, first: 1)
        var player = GoFish.Computer(level: level, seat: Seat(0), seed: SHA256.digest(of: "remembers"))
        let (three, king) = (try #require(GoFish.Rank("3")), try #require(GoFish.Rank("K")))
        let events: [GoFish.Event] = [
            .turn(seat: Seat(1), deadline: nil), .cardsAsked(Seat(1), of: Seat(2), three, count: 0),
            .cardDrawn(Seat(1), nil), .turn(seat: Seat(2), deadline: nil),
            .cardsAsked(Seat(2), of: Seat(1), king, count: 0), .cardDrawn(Seat(2), nil),
            .turn(seat: Seat(0), deadline: nil),
        ]
        for event in events {
            game.apply(event, at: 0)
            player.see(event, in: game)
        }
        let hand: Fields = ["cards": .strings(["A♠", "3♥", "5♠", "5♥", "5♦", "8♠", "9♠"])]
        let move = player.move(in: game, hand: hand) { false }
        #expect(game.state.awaited == [Seat(0)] && move == .ask(Seat(1), rank: "3"))
    }

    @Test("without a hand there is no move", arguments: GoFish.Computer.levels)
    func noHand(level: String) throws {
        let game = try Self.start(players: 2, first: 0)
        var player = GoFish.Computer(level: level, seat: Seat(0), seed: SHA256.digest(of: "none"))
        #expect(player.move(in: game, hand: nil) { false } == nil)
        #expect(player.move(in: game, hand: ["cards": .strings([])]) { false } == nil)
    }

    @Test("what it knows of the hands is true", arguments: ["fours", "pairs"], [2, 4])
    func knows(books: String, players: Int) throws {
        for number in 0..<LongTests.count(3, long: 100) {
            var words = RandomWords(seed: SHA256.digest(of: "knows \(number)"))
            let setup = try GoFish.Setup(["turnTime": 0, "books": .string(books)])
            let seed = SHA256.digest(of: "knows \(books) \(players) \(number)")
            let seats = (0..<players).map { Seat($0) }
            var game = GoFish(setup: setup, players: seats, first: Seat(0), seed: seed, at: 0)
            var knowledge = GoFish.Knowledge(game)
            var events = game.opening(at: 0)
            while true {
                for event in events {
                    game.apply(event, at: 0)
                    knowledge.see(event, books: setup.books)
                }
                for seat in seats { #expect(Self.isTrue(knowledge.hand(of: seat), of: seat, in: game)) }
                guard let seat = game.awaited.first else { break }
                let moves = game.legalCommands(for: seat)
                events = try game.decide(moves[words.number(below: moves.count)], by: seat, at: 0)
            }
        }
    }

    private static func isTrue(_ known: GoFish.Knowledge.Hand, of seat: Seat, in game: GoFish) -> Bool {
        guard let hand = game.deck?.hand(of: seat) else { return false }
        return known.unknown.count + known.shown.reduce(0, +) == hand.count
            && GoFish.Rank.all.allSatisfy {
                let (shown, count) = (known.shown[$0.index], hand.count(of: $0))
                return shown <= count && count <= shown + known.candidates(for: $0)
            }
    }

    private static func playOut(_ levels: [String], books: String, first: Int, seed: String) throws
        -> (scores: [Int], questions: [GoFish.Command])
    {
        let setup = try GoFish.Setup(["turnTime": 0, "books": .string(books)])
        let seats = levels.indices.map { Seat($0) }
        var game = GoFish(
            setup: setup, players: seats, first: Seat(first), seed: SHA256.digest(of: "deal \(seed)"), at: 0)
        var shown = PublicGame<GoFish>(setup: setup, players: seats, first: Seat(first), at: 0)
        var players = seats.map {
            GoFish.Computer(level: levels[$0.rawValue], seat: $0, seed: SHA256.digest(of: "\(seed) \($0)"))
        }
        var (events, questions) = (game.opening(at: 0), [GoFish.Command]())
        while true {
            for event in events {
                game.apply(event, at: 0)
                shown.apply(event, at: 0)
                for index in players.indices { players[index].see(event, in: shown) }
            }
            guard let seat = game.awaited.first else { break }
            let hand = game.hand(of: seat)
            let question = try #require(players[seat.rawValue].move(in: shown, hand: hand) { false })
            questions.append(question)
            events = try game.decide(question, by: seat, at: 0)
        }
        #expect(game.outcome?.reason == .finished)
        return (seats.map { game.score(of: $0) }, questions)
    }
}
