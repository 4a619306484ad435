import Testing

@testable import ReferenceModel

@Suite("The model of Memory: turns and ends") struct MemoryModelTurnTests {
    private static func differ(_ play: inout Scripted<MemoryModel>) {
        let (one, other) = play.game.strangers()
        play.say(.flip(cell: one))
        play.say(.flip(cell: other))
    }

    private static func match(_ play: inout Scripted<MemoryModel>) -> [GameEvent] {
        let (one, other) = play.game.twins()
        play.say(.flip(cell: one))
        return play.say(.flip(cell: other))
    }

    @Test("one time for both flips, to the millisecond, and another for the reveal")
    func deadlines() throws {
        var play = Scripted(try Started().memory(columns: 2, rows: 3, ["turnTime": 7, "reveal": 300]))
        let begin = play.now
        #expect(play.game.deadline == begin + 7_000)
        play.now += 2_500
        let (one, other) = play.game.strangers()
        play.say(.flip(cell: one))
        #expect(play.game.due == begin + 7_000)
        play.now += 4_400
        play.say(.flip(cell: other))
        #expect(play.game.deadline == nil && play.game.due == begin + 6_900 + 300)
        #expect(play.game.lapse(at: begin + 7_199, gone: []).isEmpty)
        play.game.apply(.clockExtended(ms: 5_000), at: play.now)
        #expect(play.game.due == begin + 12_200)
        #expect(play.wait(late: 17).last == .turn(seat: 1, deadline: begin + 12_217 + 7_000))
    }

    @Test(
        "who goes on after a match",
        arguments: [("again", 0), ("alternate", 1)])
    func afterMatch(rule: String, next: Int) throws {
        var play = Scripted(try Started().memory(columns: 2, rows: 3, ["turnRule": .text(rule)]))
        #expect(Self.match(&play).last == .turn(seat: next, deadline: play.now + 30_000))
    }

    @Test("three turns that run out in a row, and who is passed over until back")
    func away() throws {
        var play = Scripted(try Started(players: ["p0", "p1", "p2"]).memory(columns: 4, rows: 4))
        play.say(.flip(cell: play.game.twins().0))
        #expect(play.wait().types == ["hide-card", "turn-expired", "turn"])
        for _ in 0..<2 {
            for _ in 1...2 {
                Self.differ(&play)
                play.wait()
            }
            play.wait()
        }
        #expect(play.game.away == [0] && play.game.turn == 1)
        Self.differ(&play)
        play.wait()
        Self.differ(&play)
        #expect(play.wait().last == .turn(seat: 1, deadline: play.now + 30_000), "0 is passed over")
        #expect(play.say(.here, by: 0) == [.back(seat: 0)])
        #expect(play.say(.here, by: 0).isEmpty, "nothing to do")
        Self.differ(&play)
        play.wait()
        Self.differ(&play)
        #expect(play.wait().last == .turn(seat: 0, deadline: play.now + 30_000))
        #expect(play.wait().types == ["turn-expired", "turn"], "counted anew")
    }

    @Test("while all are away no time runs, and whoever is back has the turn")
    func allAway() throws {
        var play = Scripted(try Started().memory(columns: 4, rows: 4))
        for _ in 0..<5 { play.wait() }
        #expect(play.wait() == [.turnExpired(seat: 1), .away(seat: 1), .turn(seat: 1, deadline: nil)])
        #expect(play.game.due == nil && play.game.away == [0, 1])
        #expect(play.say(.here, by: 0) == [.back(seat: 0), .turn(seat: 0, deadline: play.now + 30_000)])
    }

    @Test("who leaves takes the attempt along, and scores nothing by it")
    func leaving() throws {
        var play = Scripted(
            try Started(players: ["p0", "p1", "bot-2"]).memory(columns: 4, rows: 4, ["rule": "memorize"]))
        for _ in 0..<3 {
            Self.differ(&play)
            play.wait()
        }
        Self.differ(&play)
        play.now += 250
        let events = play.leave(0)
        #expect(events.types == ["hide-card", "player-left", "turn"])
        guard case .playerLeft(let departure) = events[1] else { return }
        #expect(departure.result.score == 0 && departure.result.turns == 1 && departure.against == "people")
        #expect(departure.result.time == 3_250 && departure.result.place == 3 && departure.result.hasLeft)
        #expect(departure.mode == "memorize-4x4" && play.game.left == [0])
        let last = play.leave(1)
        #expect(last.types == ["player-left", "game-ended"] && last.reason == "left", "computers play for nobody")
        #expect(last.results.map(\.place) == [2, 3, 1])
    }

    @Test("it has stalled once as many turns of each as there are cards have shown nothing new")
    func stalled() throws {
        var play = Scripted(try Started().memory(columns: 2, rows: 3))
        let (one, other) = play.game.strangers()
        var turns = 0
        while !play.game.isOver, turns < 50 {
            turns += 1
            play.say(.flip(cell: one))
            play.say(.flip(cell: other))
            if turns < 13 { play.wait() }
            if turns == 13 { #expect(play.wait().types == ["hide-card", "game-ended"]) }
        }
        #expect(turns == 13, "one that shows two new cards, six of each that do not")
    }

    @Test("who plays alone never stalls")
    func alone() throws {
        var play = Scripted(try Started(players: ["p0"]).memory(columns: 2, rows: 3))
        for _ in 0..<40 {
            Self.differ(&play)
            #expect(play.wait().types == ["hide-card", "turn"])
        }
    }

    struct Gone: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var turnTime = 30
        var players = ["p0", "p1"]
        var isHelped = false
        let hasLeft: Bool
    }

    @Test(
        "whoever is gone at the end",
        arguments: [
            Gone(testDescription: "has left a game with a turn timer", hasLeft: true),
            Gone(testDescription: "not one without", turnTime: 0, hasLeft: false),
            Gone(testDescription: "not one with turns of an hour", turnTime: 3_600, hasLeft: false),
            Gone(testDescription: "one just below", turnTime: 3_599, hasLeft: true),
            Gone(testDescription: "not one of one person", players: ["bot-0", "p1"], hasLeft: false),
            Gone(testDescription: "not where a computer plays on", isHelped: true, hasLeft: false),
        ])
    func gone(row: Gone) throws {
        let started = Started(players: row.players)
        var play = Scripted(
            try started.memory(columns: 2, rows: 3, ["turnTime": .number(row.turnTime), "turnRule": "alternate"]))
        play.gone = [Absence(seat: 1, since: play.now + 4_000)]
        if row.isHelped { play.game.apply(.seatHelped(seat: 1), at: play.now) }
        _ = Self.match(&play)
        _ = Self.match(&play)
        play.now += 70_000
        if row.players[0] == "p0" { play.gone.append(Absence(seat: 7, since: play.now)) }
        let events = Self.match(&play)
        #expect(events.types == ["show-card", "match", "game-ended"] && events.reason == "finished")
        #expect(events.results.map(\.hasLeft) == [false, row.hasLeft])
        #expect(events.results.map(\.time) == [70_000, row.hasLeft ? 4_000 : 70_000])
        #expect(events.results.map(\.place) == [1, 2])
        #expect(events.results[1].wasHelped == row.isHelped)
    }

    @Test("a restart has results where somebody has moved")
    func restart() throws {
        var play = Scripted(try Started().memory(columns: 2, rows: 3))
        #expect([play.game.ending(reason: "restart", at: play.now, gone: [])].results.isEmpty)
        play.say(.flip(cell: 0))
        let results = [play.game.ending(reason: "restart", at: play.now, gone: [])].results
        #expect(results.map(\.place) == [1, 1] && results.map(\.turns) == [1, 0])
        #expect([play.game.ending(reason: "fault", at: play.now, gone: [])].results.isEmpty)
    }

    @Test("somebody who forgets nothing takes a pair that has been shown")
    func goodMoves() throws {
        var play = Scripted(try Started(players: ["p0"]).memory(columns: 2, rows: 3))
        #expect(play.game.goodMove(0) == nil)
        let (one, other) = play.game.twins(0)
        let (third, fourth) = play.game.twins(1)
        for (first, second) in [(one, third), (other, fourth)] {
            play.say(.flip(cell: first))
            play.say(.flip(cell: second))
            play.wait()
        }
        var flips = 0
        while let move = play.game.goodMove(7) {
            #expect(!play.say(move).isEmpty)
            flips += 1
        }
        #expect(flips == 4 && play.game.pairsLeft == 1)
    }
}
