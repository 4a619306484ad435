import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Go Fish: whole games") struct GoFishRandomGamesTests {
    /// `FishTable` checks after each event that every card is in one place, and that all folds show the same.
    @Test("random games end, and all folds agree", arguments: ["fours", "pairs"], GoFish.seats)
    func randomGames(books: String, players: Int) throws {
        var reasons: Set<Outcome.Reason> = []
        for number in 0..<LongTests.count(6, long: 400) {
            let name = "fish \(books) \(players) \(number)"
            var words = RandomWords(seed: SHA256.digest(of: name))
            let first = words.number(below: players)
            var table = try FishTable(players: players, ["books": .string(books)], first: first, seed: name)
            while let seat = table.live.awaited.first {
                // In every third game players go out.
                let other = table.live.playing[words.number(below: table.live.playing.count)].rawValue
                switch number % 3 == 0 ? words.number(below: 60) : 59 {
                case 0: try table.play("resign", by: other)
                case 1: table.leave(other)
                case 2..<6: table.wait()
                default:
                    let moves = table.live.legalSteps(for: seat)
                    try table.play("ask", moves[words.number(below: moves.count)].fields, by: seat.rawValue)
                }
            }
            reasons.insert(try check(table, name))
        }
        #expect(reasons.contains(.finished))
    }

    /// Why it ended.
    private func check(_ table: FishTable, _ name: String) throws -> Outcome.Reason {
        let outcome = try #require(table.live.outcome)
        let books = table.log.count { $0.type == "book" }
        #expect(outcome.results.reduce(0) { $0 + $1.score } == books, "\(name)")
        if outcome.reason == .finished { #expect(books == 52 / table.live.setup.books.size, "\(name)") }
        let suits = "♠♥♦♣"
        for text in table.log.map({ "\($0.fields)" }) + ["\(table.live.view)"] {
            #expect(!text.contains { suits.contains($0) }, "\(name): \(text)")
        }
        return outcome.reason
    }

    /// Dealt once by a few lines of Python that share nothing with this code: words as in deal.py shuffle the numbers
    /// from 0 to 51.
    @Test(
        "hands dealt elsewhere",
        arguments: [
            (2, ["A♠ 2♦ 5♥ 7♠ 8♣ Q♣ K♦", "A♥ 5♣ 6♦ 9♣ J♥ J♦ Q♥"], "5♦ 10♠ 6♣ K♥ 4♠ 10♣ J♠ 7♣ 3♣ J♣ K♣ 4♥ 9♦ 8♦ 3♠"),
            (
                4, ["A♠ 2♦ 5♥ 7♠ Q♣", "A♥ 5♣ 8♣ J♦ K♦", "5♦ 6♦ 9♣ J♥ Q♥", "4♠ 6♣ 10♠ 10♣ K♥"],
                "J♠ 7♣ 3♣ J♣ K♣ 4♥ 9♦ 8♦ 3♠ 8♥ 9♠ 9♥ 10♥ 3♥ 8♠"
            ),
        ])
    func deal(players: Int, hands: [String], top: String) throws {
        let table = try FishTable(players: players)
        #expect(table.live.players.map { table.live.hand(of: $0) } == hands.map { Self.hand($0) })
        #expect(table.live.deck?.pond.count == 52 - players * (players == 2 ? 7 : 5))
        var deck = try #require(table.live.deck)
        for card in top.split(separator: " ") {
            deck.hands[Seat(0)] = nil
            deck.draw(Seat(0))
            #expect(deck.hand(of: Seat(0)).names == [String(card)])
        }
    }

    private static func hand(_ cards: String) -> Fields {
        ["cards": .strings(cards.split(separator: " ").map(String.init))]
    }

    @Test("each player starts with 7 cards with 2 or 3 players, and with 5 with more", arguments: GoFish.seats)
    func handSizes(players: Int) {
        let deck = GoFish.Deck(players: (0..<players).map { Seat($0) }, seed: SHA256.digest(of: "sizes"))
        let size = players <= 3 ? 7 : 5
        #expect((0..<players).allSatisfy { deck.hand(of: Seat($0)).count == size })
        #expect(deck.pond.count == 52 - players * size)
    }

    @Test("a player sees a hand only with the seed, and only a player has one")
    func hands() throws {
        let table = try FishTable(players: 2)
        #expect(table.live.hand(of: Seat(1)) != nil && table.live.hand(of: Seat(2)) == nil)
        #expect(table.shown.hand(of: Seat(0)) == nil)
    }

    /// The hands of seats 1 and 2 and the pond differ, but the answers are the same.
    @Test("all that everyone sees is the same if only unseen cards differ")
    func secrecy() throws {
        var first = try FishTable(["3♠ 9♠", "7♠ 3♥ 5♠", "K♠ 3♦ 8♥"], pond: "2♠ 9♥ A♣ A♦")
        var second = try FishTable(["3♠ 9♠", "J♦ 3♣ 5♥", "2♦ 3♥ 8♠"], pond: "10♣ 9♦ 4♥ K♦")
        for (asked, rank) in [(1, "3"), (2, "3"), (1, "9"), (0, "5"), (1, "8"), (1, "9")] {
            let (one, other) = (try first.ask(asked, rank), try second.ask(asked, rank))
            #expect(one == other && first.live.view == second.live.view)
        }
        #expect(first.live.deck != second.live.deck && first.log == second.log)
        #expect(first.live.last?.count == 1 && first.log.count { $0.type == "card-drawn" } == 3)
    }

    @Test("a hand changes only by an event of its player, or by a question to them")
    func changes() throws {
        var words = RandomWords(seed: SHA256.digest(of: "changes"))
        var table = try FishTable(players: 4, seed: "changes")
        while let seat = table.live.awaited.first {
            let before = table.live
            let moves = table.live.legalSteps(for: seat)
            let steps = try table.play("ask", moves[words.number(below: moves.count)].fields, by: seat.rawValue)
            let touched = steps.filter { $0.type != "turn" }.flatMap { step in
                [step.fields["seat"]?.integer, step.fields["of"]?.integer].compactMap(\.self)
            }
            for other in table.live.players where !touched.contains(other.rawValue) {
                #expect(table.live.hand(of: other) == before.hand(of: other))
            }
        }
    }
}
