import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Go Fish: the game") struct GoFishTests {
    @Test("a room has six seats, 30 seconds and books of four unless it asks for others")
    func options() throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let usual = try GoFish.setup([:], players: 2, draw: &draw)
        #expect(usual.options == ["seats": 6, "turnTime": 30, "books": "fours"])
        #expect(usual.fields == [:] && usual.mode == "fours" && GoFish.board([:]) == nil)
        #expect(try GoFish.setup(["books": "pairs"], players: 2, draw: &draw).mode == "pairs")
        for (name, value) in [("seats", 1), ("seats", 7), ("turnTime", 4), ("turnTime", 604_801)] {
            #expect { _ = try GoFish.options([name: .integer(value)]) } throws: {
                ($0 as? Rejection)?.code == "out-of-range" && ($0 as? Rejection)?.values["option"]?.string == name
            }
        }
        #expect { _ = try GoFish.options(["books": "threes"]) } throws: { ($0 as? Rejection)?.code == "unknown-value" }
        #expect(GoFish.Setup(options: ["books": 4], fields: [:]) == nil)
    }

    /// One row for a question of seat 0: what it has, what the others have, the pond, and the events.
    struct Ask: CustomTestStringConvertible {
        let testDescription: String
        let hands: [String]
        let pond: String
        let rank: String
        let events: [String]
        var books = "fours"

        init(
            _ what: String, _ hands: [String], pond: String, _ rank: String, _ events: [String], books: String = "fours"
        ) {
            (testDescription, self.hands, self.pond, self.rank) = (what, hands, pond, rank)
            (self.events, self.books) = (events, books)
        }
    }

    @Test(
        "seat 0 asks seat 1",
        arguments: [
            Ask(
                "gets all cards of the rank, and asks again", ["3♠ 5♠", "3♥ 3♦ 7♠"], pond: "K♠", "3",
                ["cards-asked 0 1 3 2", "turn 0"]),
            Ask(
                "draws in vain", ["3♠", "7♠", "9♠"], pond: "K♠ K♥", "3",
                ["cards-asked 0 1 3 0", "card-drawn 0", "turn 1"]),
            Ask(
                "draws the rank, which is shown, and asks again", ["3♠", "7♠"], pond: "3♥ K♥", "3",
                ["cards-asked 0 1 3 0", "card-drawn 0 3", "turn 0"]),
            Ask(
                "draws nothing from an empty pond", ["3♠", "7♠", "3♥"], pond: "", "3",
                ["cards-asked 0 1 3 0", "turn 1"]),
            Ask(
                "completes a book", ["3♠ 3♥ 5♠", "3♣ 3♦ 7♠"], pond: "K♠", "3",
                ["cards-asked 0 1 3 2", "book 0 3", "turn 0"]),
            Ask(
                "completes a book by fishing", ["3♠ 3♥ 3♦ 5♠", "7♠"], pond: "3♣ K♠", "3",
                ["cards-asked 0 1 3 0", "card-drawn 0 3", "book 0 3", "turn 0"]),
            Ask(
                "fishes the last card of another book, which ends the turn", ["3♠ 5♠ 5♥ 5♦", "7♠"], pond: "5♣ K♠", "3",
                ["cards-asked 0 1 3 0", "card-drawn 0", "book 0 5", "turn 1"]),
            Ask(
                "takes the last card of the other, who draws", ["3♠", "3♥"], pond: "K♠ K♥", "3",
                ["cards-asked 0 1 3 1", "card-drawn 1", "turn 0"]),
            Ask(
                "both draw after a book, the asker first", ["3♠ 3♥", "3♣ 3♦", "9♠"], pond: "K♠ K♥ 2♠", "3",
                ["cards-asked 0 1 3 2", "book 0 3", "card-drawn 0", "card-drawn 1", "turn 0"]),
            Ask(
                "one card is left for two empty hands", ["3♠ 3♥", "3♣ 3♦", "9♠"], pond: "9♥", "3",
                ["cards-asked 0 1 3 2", "book 0 3", "card-drawn 0", "turn 0"]),
            Ask(
                "has no card left, so the next player with one asks", ["3♠ 3♥", "3♣ 3♦", "9♠", "9♥"], pond: "", "3",
                ["cards-asked 0 1 3 2", "book 0 3", "turn 2"]),
            Ask(
                "lays down the last book", ["3♠ 3♥", "3♣ 3♦", ""], pond: "", "3",
                ["cards-asked 0 1 3 2", "book 0 3"]),
            Ask(
                "passes over a player without a card", ["3♠", "", "9♠ 3♥", "7♥"], pond: "", "3",
                ["cards-asked 0 2 3 1", "turn 0"]),
            Ask(
                "lays down a pair", ["3♠ 5♠", "3♥ 7♠"], pond: "K♠", "3",
                ["cards-asked 0 1 3 1", "book 0 3", "turn 0"], books: "pairs"),
            Ask(
                "fishes a pair of another rank", ["3♠ 5♠", "7♠"], pond: "5♥ K♠", "3",
                ["cards-asked 0 1 3 0", "card-drawn 0", "book 0 5", "turn 1"], books: "pairs"),
        ])
    func asks(_ row: Ask) throws {
        var table = try FishTable(row.hands, pond: row.pond, ["books": .string(row.books)])
        let asked = row.hands.indices.dropFirst().first { !row.hands[$0].isEmpty } ?? 1
        let events = try table.ask(asked, row.rank)
        #expect(events.map(Self.text) == row.events)
        #expect((table.live.outcome == nil) == (row.events.last?.hasPrefix("turn") == true))
    }

    private static func text(of step: GameStep) -> String {
        let values = step.fields.elements.filter { $0.0 != "deadline" }
            .map { $0.1.string ?? "\($0.1.integer ?? -1)" }
        return ([step.type] + values).joined(separator: " ")
    }

    @Test("books that were dealt are laid down first, in the order of turns, and empty hands are filled")
    func opening() throws {
        let fours = try FishTable(["7♠", "3♠ 3♥ 3♦ 3♣", "9♠ 2♠ 2♥ 2♦ 2♣"], pond: "K♠ K♥", first: 2)
        #expect(fours.log.map(Self.text) == ["book 1 3", "book 2 2", "card-drawn 1", "turn 2"])
        let pairs = try FishTable(["7♠ 7♥ 7♦", "3♠ 3♥ 3♦ 3♣ A♠"], pond: "K♠", ["books": "pairs"])
        #expect(pairs.log.map(Self.text) == ["book 0 7", "book 1 3", "book 1 3", "turn 0"])
        // The lowest suits are laid down.
        #expect(pairs.live.hand(of: Seat(0)) == ["cards": .strings(["7♦"])])
        #expect(!pairs.live.hasMoves && pairs.live.results(at: 0).map(\.score) == [1, 2])
    }

    @Test(
        "is refused and changes nothing",
        arguments: [
            RefusedCommand("another's turn", "ask", ["seat": 0, "rank": "7"], by: 1, "not-your-turn"),
            RefusedCommand("a seat that does not play", "ask", ["seat": 1, "rank": "3"], by: 4, "not-your-turn"),
            RefusedCommand("a player who is out", "ask", ["seat": 1, "rank": "3"], by: 3, "not-your-turn"),
            RefusedCommand("resigning twice", "resign", [:], by: 3, "not-your-turn"),
            RefusedCommand("no seat", "ask", ["rank": "3"], by: 0, "bad-field"),
            RefusedCommand("no rank", "ask", ["seat": 1], by: 0, "bad-field"),
            RefusedCommand("a rank as a number", "ask", ["seat": 1, "rank": 3], by: 0, "bad-field"),
            RefusedCommand("a rank that no card has", "ask", ["seat": 1, "rank": "1"], by: 0, "no-such-rank"),
            RefusedCommand("a card instead of a rank", "ask", ["seat": 1, "rank": "3♠"], by: 0, "no-such-rank"),
            RefusedCommand("oneself", "ask", ["seat": 0, "rank": "3"], by: 0, "no-such-player"),
            RefusedCommand("a seat without a player", "ask", ["seat": 5, "rank": "3"], by: 0, "no-such-player"),
            RefusedCommand("a player who is out", "ask", ["seat": 3, "rank": "3"], by: 0, "no-such-player"),
            RefusedCommand("a player without cards", "ask", ["seat": 2, "rank": "3"], by: 0, "has-no-cards"),
            RefusedCommand("a rank of another's", "ask", ["seat": 1, "rank": "7"], by: 0, "rank-not-held"),
        ])
    func refuses(_ refused: RefusedCommand) throws {
        var table = try FishTable(["3♠ 9♠", "7♠ 3♥", "", ""])
        try table.play("resign", by: 3)
        let before = table.live
        #expect {
            try table.play(refused.type, refused.fields, by: refused.seat)
        } throws: { ($0 as? Rejection)?.code == refused.code }
        #expect(table.live == before)
    }

    @Test("a refusal has the values that it is about")
    func values() {
        #expect(Rejection.noSuchRank(String(repeating: "1", count: 99)).values["rank"]?.string?.count == 40)
        #expect(
            Rejection.noSuchPlayer(Seat(5)).values == ["seat": 5] && Rejection.hasNoCards(Seat(2)).values == ["seat": 2]
        )
        #expect(GoFish.Rank("10").map { Rejection.rankNotHeld($0).values } == ["rank": "10"])
    }

    @Test("the legal commands are each rank in hand, asked of each other player who has a card")
    func legal() throws {
        let table = try FishTable(["3♠ 3♥ 9♠", "7♠", "", "K♠"])
        let asked = table.live.legalSteps(for: Seat(0)).map { Self.text(of: $0) }
        #expect(asked == ["ask 1 3", "ask 1 9", "ask 3 3", "ask 3 9"])
        #expect(table.live.legalSteps(for: Seat(1)).isEmpty && table.shown.legalSteps(for: Seat(0)).isEmpty)
    }

    @Test(
        "an event that does not fit is not read",
        arguments: [
            ("cards-asked", ["seat": 1, "of": 0, "rank": "7", "count": 0]),
            ("cards-asked", ["seat": 0, "of": 0, "rank": "3", "count": 0]),
            ("cards-asked", ["seat": 0, "of": 2, "rank": "3", "count": 0]),
            ("cards-asked", ["seat": 0, "of": 1, "rank": "1", "count": 0]),
            ("cards-asked", ["seat": 0, "of": 1, "rank": "3", "count": 4]),
            ("cards-asked", ["seat": 0, "of": 1, "rank": "3", "count": -1]),
            ("cards-asked", ["seat": 0, "of": 1, "rank": "3"]), ("card-drawn", ["seat": 0]),
            ("card-drawn", ["seat": 1]),
            ("book", ["seat": 0, "rank": "3"]), ("turn", ["seat": 0]), ("turn", ["seat": 1]),
            ("turn-expired", ["seat": 1]), ("resigned", ["seat": 2]), ("resigned", [:]), ("draw-line", ["seat": 0]),
        ] as [(String, Fields)])
    func unfit(type: String, fields: Fields) throws {
        let table = try FishTable(["3♠ 9♠ 9♥", "7♠ 3♥ 5♠ 5♥"], pond: "K♠")
        #expect(table.live.event(type: type, fields: fields) == nil)
        #expect(table.shown.event(type: type, fields: fields) == nil)
    }

    @Test("only the fold that knows the cards refuses an answer, a draw or a book that they do not allow")
    func untrue() throws {
        func check(_ hands: [String], pond: String, _ begin: [(String, Fields)], _ untrue: (String, Fields)) throws {
            let table = try FishTable(hands, pond: pond)
            var (live, shown) = (table.live, table.shown)
            for (type, fields) in begin {
                let step = GameStep(type: type, fields: fields)
                let isRead = (live.apply(step, at: 0), shown.apply(step, at: 0))
                #expect(isRead == (true, true))
            }
            #expect(live.event(type: untrue.0, fields: untrue.1) == nil, "\(untrue)")
            #expect(shown.event(type: untrue.0, fields: untrue.1) != nil, "\(untrue)")
        }
        let hands = ["3♠ 9♠ 9♥", "7♠ 3♥ 5♠ 5♥"]
        let inVain = ("cards-asked", ["seat": 0, "of": 1, "rank": "9", "count": 0] as Fields)
        try check(hands, pond: "K♠", [], ("cards-asked", ["seat": 0, "of": 1, "rank": "3", "count": 2]))
        try check(hands, pond: "K♠", [], ("cards-asked", ["seat": 0, "of": 1, "rank": "7", "count": 1]))
        try check(hands, pond: "K♠", [inVain], ("card-drawn", ["seat": 0, "rank": "9"]))
        try check(hands, pond: "9♦ K♠", [inVain], ("card-drawn", ["seat": 0]))
        try check(hands, pond: "K♠", [inVain, ("card-drawn", ["seat": 0])], ("book", ["seat": 1, "rank": "5"]))
    }
}
