import Cryptography
import JSON
import Testing

@testable import Games

/// The prizes are 2, 3, 4, 1.
@Suite("Goofspiel: players who are late or go out") struct GoofspielEndTests {
    @Test("the game bids the lowest card of a player who is late")
    func late() throws {
        var table = try GoofspielTable(players: 3)
        try table.bid(1, 2, 3)
        try table.bid(4, by: 1)
        table.now = 4_999
        #expect(table.live.wakeSteps(at: table.now).isEmpty)
        let steps = table.wait()
        #expect(table.now == 5_000)
        #expect(steps.map(\.type) == ["turn-expired", "turn-expired", "bids-shown", "prize-shown"])
        #expect(steps[0].fields == ["seat": 0] && steps[1].fields == ["seat": 2])
        let bids: [Fields] = [
            ["seat": 0, "card": 2, "late": true], ["seat": 1, "card": 4], ["seat": 2, "card": 1, "late": true],
        ]
        #expect(steps[2].fields == ["bids": .list(bids.map { .object($0) }), "winner": 1, "stake": 3])
        #expect(steps[3].fields["deadline"] == 10_000)
        #expect(table.live.view["late"] == .object(["0": 1, "2": 1]))
        try table.bid(3, by: 0)
        #expect(table.live.view["late"] == .object(["2": 1]))
    }

    @Test("three late bids in a row put a player out, who then makes no bid")
    func lateThreeTimes() throws {
        var table = try GoofspielTable(players: 3, cards: 5)
        for _ in 0..<2 {
            try table.bid(table.live.cards(of: Seat(0)).values[0], by: 0)
            try table.bid(table.live.cards(of: Seat(1)).values[1], by: 1)
            table.wait()
        }
        try table.bid(5, by: 0)
        let steps = table.wait()
        #expect(steps.map(\.type) == ["turn-expired", "turn-expired", "bids-shown", "prize-shown"])
        #expect(steps[2].fields["bids"]?.list?.compactMap { $0.object?["seat"]?.integer } == [0, 1])
        #expect(table.live.view["out"] == .list([.object(["seat": 2, "reason": "time"])]))
        #expect(table.live.view["late"] == .object(["1": 1]) && table.live.outcome == nil)
        #expect(table.live.awaited == [Seat(0), Seat(1)])
    }

    @Test("a bid between late ones starts the count again")
    func lateAgain() throws {
        var table = try GoofspielTable(cards: 6)
        for round in 0..<6 {
            try table.bid(table.live.cards(of: Seat(0)).values[0], by: 0)
            if round == 2 { try table.bid(6, by: 1) } else { table.wait() }
        }
        #expect(table.live.outcome?.reason == .time)
        #expect(table.live.rounds.count == 5 && table.live.outcome?.results.map(\.place) == [1, 2])
    }

    @Test("of two who are late for the third time the first in the order of turns goes out")
    func bothLate() throws {
        var table = try GoofspielTable()
        table.wait()
        table.wait()
        #expect(table.wait().map(\.type) == ["turn-expired"])
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .time && outcome.results.map(\.place) == [2, 1])
        #expect(!table.live.hasMoves && table.live.deadline == nil && table.live.awaited.isEmpty)
    }

    @Test("a bid is taken back if its player goes out", arguments: ["resigned", "left"])
    func takenBack(reason: String) throws {
        var table = try GoofspielTable(players: 3)
        try table.bid(4, by: 2)
        try table.bid(1, by: 0)
        let steps = reason == "left" ? table.leave(2) : try table.play("resign", by: 2)
        #expect(steps.map(\.type) == (reason == "left" ? [] : ["resigned"]))
        #expect(table.live.view["bidders"] == .integers([0]) && table.live.awaited == [Seat(1)])
        #expect(table.live.hand(of: Seat(2)) == ["cards": .integers([1, 2, 3, 4])])
        let last = try table.bid(2, by: 1)
        #expect(last[1].fields["bids"]?.list?.count == 2 && last[1].fields["winner"] == 1)
    }

    @Test("the bids are shown if all others have bid", arguments: ["resigned", "left"])
    func lastToBid(reason: String) throws {
        var table = try GoofspielTable(players: 3)
        try table.bid(4, by: 2)
        try table.bid(1, by: 0)
        table.now = 2_000
        let steps = reason == "left" ? table.leave(1) : try table.play("resign", by: 1)
        #expect(steps.map(\.type) == (reason == "left" ? [] : ["resigned"]) + ["bids-shown", "prize-shown"])
        #expect(steps.last?.fields == ["prize": 3, "deadline": 7_000])
        #expect(table.live.results(at: 2_000).map(\.score) == [0, 0, 2])
        #expect(table.live.results(at: 2_000).map(\.place) == [2, 3, 1])
        #expect(table.live.results(at: 2_000)[1].isLeftEarly == (reason == "left"))
    }

    @Test("the game ends once only one player is left", arguments: ["resigned", "left"])
    func lastOne(reason: String) throws {
        var table = try GoofspielTable()
        try table.bid(4, 1)
        try table.bid(3, by: 1)
        let steps = reason == "left" ? table.leave(0) : try table.play("resign", by: 0)
        #expect(steps.map(\.type) == (reason == "left" ? [] : ["resigned"]))
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .resigned && outcome.results.map(\.score) == [2, 0])
        #expect(outcome.results.map(\.place) == [2, 1])
        #expect(table.live.view["bidders"] == .integers([1]) && table.live.view["prize"] == 3)
    }

    @Test("the last of the reasons counts")
    func lastReason() throws {
        var table = try GoofspielTable(players: 3)
        try table.play("resign", by: 1)
        for _ in 0..<3 {
            try table.bid(table.live.cards(of: Seat(2)).values.last ?? 0, by: 2)
            table.wait()
        }
        #expect(table.live.outcome?.reason == .time)
        #expect(table.live.outcome?.results.map(\.place) == [2, 2, 1])
    }

    @Test("time in which the hub was not running does not count")
    func outage() throws {
        var game = try GoofspielTable().live
        game.extendClock(by: 1_000)
        #expect(game.deadline == 6_000 && game.results(at: 3_000).map(\.time) == [2_000, 2_000])
    }

    /// The room never lets such a fold decide. It must survive it.
    @Test("a fold that lacks a bid decides nothing")
    func unknownBid() throws {
        var game = try GoofspielTable().live
        game.apply(.bidSealed(Seat(0), card: nil), at: 0)
        #expect(try game.decide(.bid(card: 1), by: Seat(1), at: 0) == [.bidSealed(Seat(1), card: 1)])
        #expect(game.wake(at: 5_000) == [.turnExpired(Seat(1))])
        #expect(game.leave(Seat(1), at: 0).after.isEmpty)
        #expect(game.hand(of: Seat(0)) == ["cards": .integers([1, 2, 3, 4])])
        game.apply(.bidSealed(Seat(1), card: 1), at: 0)
        let bids = [
            Goofspiel.Bid(seat: Seat(0), card: 3, isLate: false), Goofspiel.Bid(seat: Seat(1), card: 1, isLate: false),
        ]
        game.apply(.bidsShown(bids, winner: Seat(0), stake: 2), at: 0)
        #expect(game.score(of: Seat(0)) == 2)
    }
}
