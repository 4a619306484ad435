import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Goofspiel: the game") struct GoofspielTests {
    /// Computed by a program of its own, from the rule in `GameSeed` and `RandomWords`.
    @Test(
        "the prizes follow from the seed",
        arguments: [
            ("goofspiel", 4, [2, 3, 4, 1]), ("goofspiel", 5, [2, 3, 4, 1, 5]),
            ("goofspiel", 13, [10, 5, 8, 6, 2, 13, 4, 7, 12, 9, 11, 1, 3]),
            ("a", 13, [4, 6, 12, 3, 11, 7, 10, 5, 1, 8, 13, 9, 2]), ("c", 4, [4, 2, 1, 3]),
        ])
    func prizes(text: String, cards: Int, prizes: [Int]) {
        #expect(Goofspiel.prizes(cards, seed: SHA256.digest(of: text)) == prizes)
    }

    @Test("a room has thirteen cards and five seats unless it asks for others")
    func options() throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let usual = try Goofspiel.setup([:], players: 2, draw: &draw)
        #expect(usual.options == ["seats": 5, "turnTime": 30, "cards": 13] && usual.fields == [:])
        #expect(usual.mode == "13" && Goofspiel.board([:]) == nil)
        for (name, value) in [("cards", 3), ("cards", 14), ("seats", 1), ("seats", 6), ("turnTime", 4)] {
            #expect { _ = try Goofspiel.options([name: .integer(value)]) } throws: {
                ($0 as? Rejection)?.code == "out-of-range" && ($0 as? Rejection)?.values["option"]?.string == name
            }
        }
        #expect(Goofspiel.Setup(options: ["cards": 3], fields: [:]) == nil)
    }

    @Test("the highest bid wins the prize, once all have bid")
    func round() throws {
        var table = try GoofspielTable()
        #expect(table.log == [GameStep(type: "prize-shown", fields: ["prize": 2, "deadline": 5_000])])
        #expect(table.live.awaited == [Seat(0), Seat(1)] && table.live.view["prizes"] == .integers([1, 3, 4]))
        table.now = 1_000
        let first = try table.bid(4, by: 1)
        #expect(first.map(\.type) == ["bid-sealed"] && first[0].fields == ["seat": 1])
        #expect(first[0].sealed == .known(["card": 4], salt: []))
        #expect(table.live.awaited == [Seat(0)] && table.live.deadline == 5_000)
        #expect(table.live.view["bidders"] == .integers([1]) && table.live.hasMoves)
        #expect(table.live.hand(of: Seat(1)) == ["cards": .integers([1, 2, 3]), "bid": 4])
        #expect(table.live.hand(of: Seat(0)) == ["cards": .integers([1, 2, 3, 4])])
        let last = try table.bid(2, by: 0)
        #expect(last.map(\.type) == ["bid-sealed", "bids-shown", "prize-shown"])
        let bids = Value.list([.object(["seat": 0, "card": 2]), .object(["seat": 1, "card": 4])])
        #expect(last[1].fields == ["bids": bids, "winner": 1, "stake": 2])
        #expect(last[2].fields == ["prize": 3, "deadline": 6_000])
        let view = table.live.view
        #expect(view["scores"] == .object(["0": 0, "1": 2]) && view["stake"] == 3)
        #expect(view["hands"] == .object(["0": .integers([1, 3, 4]), "1": .integers([1, 2, 3])]))
        let round: Fields = ["prize": 2, "stake": 2, "bids": .object(["0": 2, "1": 4]), "winner": 1]
        #expect(view["rounds"] == .list([.object(round)]) && view["bidders"] == .integers([]))
    }

    @Test(
        "the highest bid that no other player has made wins",
        arguments: [
            ([4, 3], 0), ([3, 3], nil), ([4, 4, 1], 2), ([4, 4, 1, 2], 3), ([3, 3, 4, 4], nil), ([2, 1, 4, 4, 4], 0),
            ([4, 4, 4], nil), ([1, 2, 1, 2, 3], 4),
        ] as [([Int], Int?)])
    func winner(cards: [Int], winner: Int?) {
        let bids = cards.enumerated().map { Goofspiel.Bid(seat: Seat($0), card: $1, isLate: false) }
        #expect(Goofspiel.winner(of: bids)?.rawValue == winner)
    }

    /// The prizes are 2, 3, 4, 1.
    @Test("prizes that no one wins stay at stake, and those of the last round go to nobody")
    func ties() throws {
        var table = try GoofspielTable(turnTime: 0)
        #expect(try table.bid(3, 3)[1].fields["stake"] == 2 && table.live.view["stake"] == 5)
        let second = try table.bid(1, 1)
        #expect(second[1].fields["stake"] == 5 && second[1].fields["winner"] == nil && second[2].fields == ["prize": 4])
        let third = try table.bid(2, 4)
        #expect(third[1].fields["stake"] == 9 && third[1].fields["winner"] == 1)
        #expect(table.live.view["stake"] == 1)
        #expect(try table.bid(4, 2)[1].fields["winner"] == 0)
        #expect(table.live.outcome?.results.map(\.score) == [1, 9])

        var other = try GoofspielTable(turnTime: 0)
        try other.bid(1, 2)
        try other.bid(2, 1)
        try other.bid(3, 3)
        let last = try other.bid(4, 4)
        #expect(last.map(\.type) == ["bid-sealed", "bids-shown"] && last[1].fields["stake"] == 5)
        #expect(other.live.view["stake"] == 5 && other.live.view["prize"] == nil)
        let outcome = try #require(other.live.outcome)
        #expect(outcome.reason == .finished && outcome.results.map(\.score) == [3, 2])
        #expect(outcome.results.map(\.place) == [nil, nil] && other.live.awaited.isEmpty)
    }

    @Test(
        "is refused and changes nothing",
        arguments: [
            RefusedCommand("a second bid", "bid", ["card": 1], by: 0, "not-your-turn"),
            RefusedCommand("a second bid of no card", "bid", ["card": 9], by: 0, "not-your-turn"),
            RefusedCommand("who is out", "bid", ["card": 1], by: 2, "not-your-turn"),
            RefusedCommand("who does not play", "bid", ["card": 1], by: 4, "not-your-turn"),
            RefusedCommand("to resign twice", "resign", [:], by: 2, "not-your-turn"),
            RefusedCommand("no card", "bid", [:], "bad-field"),
            RefusedCommand("a text", "bid", ["card": "1"], "bad-field"),
            RefusedCommand("card 0", "bid", ["card": 0], "no-such-card"),
            RefusedCommand("card 5 of 4", "bid", ["card": 5], "no-such-card"),
            RefusedCommand("a huge card", "bid", ["card": .integer(.max)], "no-such-card"),
            RefusedCommand("a card of an earlier round", "bid", ["card": 2], "card-is-used"),
        ])
    func refuses(command: RefusedCommand) throws {
        var table = try GoofspielTable(players: 3)
        try table.bid(3, 2, 1)
        try table.play("resign", by: 2)
        try table.bid(2, by: 0)
        let before = table.live
        #expect { try table.play(command.type, command.fields, by: command.seat) } throws: {
            guard let rejection = $0 as? Rejection, rejection.code == command.code else { return false }
            let card = command.fields["card"]
            return switch rejection.code {
            case "no-such-card": rejection.values == ["card": card ?? .null, "range": .integers([1, 4])]
            case "card-is-used": rejection.values == ["card": card ?? .null]
            default: true
            }
        }
        #expect(table.live == before)
    }

    @Test("nothing is accepted once the game is over")
    func over() throws {
        var table = try GoofspielTable()
        try table.play("resign", by: 0)
        #expect(throws: Rejection.notRunning) { try table.bid(1, by: 1) }
        #expect(throws: Rejection.notRunning) { try table.play("resign", by: 1) }
        #expect(table.wait().isEmpty && table.live.legalCommands(for: Seat(1)).isEmpty)
    }

    @Test("a fold that knows the bids refuses others, and the public one accepts any that are possible")
    func agreement() throws {
        var table = try GoofspielTable()
        try table.bid(4, by: 0)
        var (knowing, shown) = (table.live, table.shown)
        knowing.apply(.bidSealed(Seat(1), card: 2), at: 0)
        shown.apply(.bidSealed(Seat(1), card: nil), at: 0)
        func read(_ cards: [Int], winner: Int?, stake: Int = 2, late: Bool = false, by game: Goofspiel) -> Bool {
            let bids = cards.enumerated().map { seat, card -> Value in
                var bid: Fields = ["seat": .integer(seat), "card": .integer(card)]
                if late { bid["late"] = true }
                return .object(bid)
            }
            var fields: Fields = ["bids": .list(bids), "stake": .integer(stake)]
            fields["winner"] = winner.map { .integer($0) }
            return game.event(type: "bids-shown", fields: fields) != nil
        }
        #expect(read([4, 2], winner: 0, by: knowing) && read([4, 2], winner: 0, by: shown))
        #expect(!read([4, 3], winner: 0, by: knowing) && read([4, 3], winner: 0, by: shown))
        for game in [knowing, shown] {
            #expect(!read([4, 2], winner: 1, by: game) && !read([4, 2], winner: nil, by: game))
            #expect(!read([4, 2], winner: 0, stake: 3, by: game) && !read([4, 5], winner: 1, by: game))
            #expect(!read([4], winner: 0, by: game) && !read([4, 2], winner: 0, late: true, by: game))
        }
        #expect(!read([4, 2], winner: 0, by: table.live), "seat 1 has not bid")
        let start = Goofspiel(
            setup: table.live.setup, players: table.live.players, first: Seat(0), seed: GoofspielTable.seed, at: 0)
        #expect(start.event(type: "prize-shown", fields: ["prize": 2]) != nil)
        #expect(start.event(type: "prize-shown", fields: ["prize": 3]) == nil)
        let sealed = try #require(table.shown.event(type: "bid-sealed", fields: ["seat": 1]))
        #expect(table.live.event(sealed, unsealing: ["card": 1]) == .bidSealed(Seat(1), card: 1))
        for fields in [[:], ["card": 5], ["card": "1"], ["card": 1, "seat": 1]] as [Fields] {
            #expect(table.live.event(sealed, unsealing: fields) == nil)
        }
    }
}
