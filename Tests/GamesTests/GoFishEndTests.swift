import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Go Fish: turns that run out, and players who go out") struct GoFishEndTests {
    private static let hands = ["3♠ 9♠", "7♠ 3♥", "K♠ 3♦"]

    @Test("a turn that runs out goes to the next player, and the third in a row is the last")
    func late() throws {
        var table = try FishTable(Self.hands, pond: "2♠ 2♥ 4♠ 4♥")
        #expect(table.wait().map(\.type) == ["turn-expired", "turn"])
        #expect(table.live.mover == Seat(1) && table.live.deadline == 10_000)
        #expect(table.live.view["late"] == .object(["0": 1]) && !table.live.hasMoves)
        for _ in 0..<2 {
            try table.ask(2, "7")
            try table.ask(0, "K")
            table.wait()
        }
        #expect(table.live.exits.map(\.end.loser) == [Seat(0)])
        #expect(table.live.view["out"] == .list([.object(["seat": 0, "reason": "time"])]))
        #expect(table.live.view["late"] == .object([:]))
    }

    @Test("a question ends a row of turns that ran out")
    func notLate() throws {
        var table = try FishTable(["3♠ 9♠", "7♠ 3♥", ""], pond: "2♠ 2♥ 4♠ 4♥ 5♠ 5♥")
        for _ in 0..<2 { table.wait() }
        #expect(table.live.late.values.max() == 1)
        table.wait()
        table.wait()
        let mover = table.live.mover
        #expect(table.live.late[mover] == 1)
        table.wait()
        #expect(table.live.late.values.allSatisfy { $0 <= 2 })
        let asker = table.live.mover
        try table.ask(asker == Seat(0) ? 1 : 0, table.live.deck?.hand(of: asker).ranks[0].name ?? "")
        #expect(table.live.late[asker] == nil)
    }

    @Test("without a limit no turn runs out")
    func unlimited() throws {
        var table = try FishTable(Self.hands, ["turnTime": 0])
        #expect(table.live.deadline == nil && table.wait().isEmpty)
        #expect(table.live.event(type: "turn-expired", fields: ["seat": 0]) == nil)
    }

    @Test("a hand goes under the pond, and those without a card draw", arguments: ["resigned", "left"])
    func under(reason: String) throws {
        var table = try FishTable(["3♠ 9♠", "K♠ A♦ 3♥", "", "7♠"], first: 0)
        table.now = 1_000
        let events = reason == "left" ? table.leave(1) : try table.play("resign", by: 1)
        let expected = [GameStep(type: "card-drawn", fields: ["seat": 2])]
        #expect(Array(events.drop { $0.type == "resigned" }) == expected)
        // The lowest card is drawn first; the highest is at the very bottom.
        #expect(table.live.hand(of: Seat(2)) == ["cards": .strings(["A♦"])])
        #expect(table.live.hand(of: Seat(1)) == ["cards": .strings([])])
        #expect(table.live.deck?.pond == [48, 9])
        #expect(table.live.mover == Seat(0) && table.live.deadline == 5_000 && !table.live.awaited.isEmpty)
        #expect(table.live.results(at: 2_000).map(\.place) == [1, 4, 1, 1])
        #expect(table.live.results(at: 2_000).map(\.time) == [2_000, 1_000, 2_000, 2_000])
        #expect(table.leave(1).isEmpty && table.live.exits.count == 1)
    }

    @Test("if it was their turn, the next has it", arguments: ["resigned", "left"])
    func ownTurn(reason: String) throws {
        var table = try FishTable(["3♠ 9♠", "", "K♠ 3♥", "7♠"], first: 2)
        let events = reason == "left" ? table.leave(2) : try table.play("resign", by: 2)
        #expect(events.suffix(2).map(\.type) == ["card-drawn", "turn"])
        #expect(table.live.mover == Seat(3) && table.live.deadline == 5_000)
        #expect(table.live.count(of: Seat(1)) == 1 && table.live.pond == 1)
    }

    @Test("once only one is left the game is over", arguments: ["time", "resigned", "left"])
    func onlyOne(reason: String) throws {
        var table = try FishTable(["3♠ 9♠ 5♠ 5♥ 5♦ 5♣", "K♠ 3♥"], pond: "2♠")
        switch reason {
        case "time": for _ in 0..<5 { table.wait() }
        case "resigned": try table.play("resign", by: 0)
        default: table.leave(0)
        }
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == (reason == "time" ? .time : .resigned))
        #expect(outcome.results.map(\.score) == [1, 0] && outcome.results.map(\.place) == [2, 1])
        #expect(outcome.results.map(\.isLeftEarly) == [reason == "left", false])
        #expect(table.live.awaited.isEmpty && table.live.deadline == nil && table.live.pond == 3)
        #expect(throws: Rejection.notRunning) { try table.play("resign", by: 1) }
        #expect(throws: Rejection.notRunning) { try table.ask(0, "K") }
    }

    @Test("with an empty pond the game is stalled after ten turns each in which no card moved", arguments: [2, 3])
    func stalled(players: Int) throws {
        let hands = ["3♠ 9♠", "7♠ 3♥", "K♠ 3♦"].prefix(players)
        var table = try FishTable(Array(hands))
        let ranks = ["9", "7", "K"]
        for _ in 1..<(10 * players) {
            let mover = table.live.mover.rawValue
            let events = try table.ask((mover + 1) % players, ranks[mover])
            #expect(events.map(\.type) == ["cards-asked", "turn"])
        }
        // A card that moves begins the count again.
        let copy = table
        let mover = table.live.mover.rawValue
        #expect(try table.ask((mover + 1) % players, "3").map(\.type) == ["cards-asked", "turn"])
        #expect(table.live.idleTurns == 0)
        table = copy
        #expect(try table.ask((mover + 1) % players, ranks[mover]).map(\.type) == ["cards-asked"])
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .stalled && outcome.results.allSatisfy { $0.place == nil })
        #expect(table.live.awaited.isEmpty && table.live.deadline == nil)
    }

    @Test("a player who leaves does not make a game stalled")
    func notStalled() throws {
        var table = try FishTable(["3♠ 9♠", "7♠ 3♥", ""])
        for _ in 0..<25 {
            let mover = table.live.mover.rawValue
            try table.ask(1 - mover, mover == 0 ? "9" : "7")
        }
        table.leave(2)
        #expect(table.live.outcome == nil && table.live.idleTurns == 25)
        try table.ask(1 - table.live.mover.rawValue, table.live.mover == Seat(0) ? "9" : "7")
        #expect(table.live.outcome?.reason == .stalled)
    }

    @Test("an outage moves the deadline and does not count as time played")
    func outage() throws {
        var table = try FishTable(Self.hands)
        try table.play("resign", by: 2)
        var game = table.live
        game.extendClock(by: 700)
        #expect(game.deadline == 5_700 && game.results(at: 1_700).map(\.time) == [1_000, 1_000, 0])
    }

    @Test("an event that is applied though it does not fit changes nothing")
    func applied() throws {
        let table = try FishTable(Self.hands, pond: "2♠")
        let king = try #require(GoFish.Rank("K"))
        let events: [GoFish.Event] = [
            .cardsAsked(Seat(0), of: Seat(1), king, count: .max), .cardsAsked(Seat(1), of: Seat(0), king, count: 1),
            .cardsAsked(Seat(0), of: Seat(9), king, count: 1), .cardDrawn(Seat(0), nil), .cardDrawn(Seat(9), king),
            .book(Seat(0), king), .turn(seat: Seat(1), deadline: .max), .turnExpired(Seat(1)), .resigned(Seat(5)),
        ]
        for start in [table.live, table.shown] {
            var game = start
            for event in events { game.apply(event, at: 0) }
            game.applyLeaving(of: Seat(9), at: 0)
            #expect(game == start)
        }
    }
}
