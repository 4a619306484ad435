import Cryptography
import JSON
import Testing

@testable import Games

/// A script for `Table.play`, and the required result of its last word.
struct Play: CustomTestStringConvertible {
    let testDescription: String
    let options: Fields
    let seats: [Int]
    let script: String
    let gives: String

    init(_ name: String, _ script: String, _ options: Fields = [:], seats: [Int] = [0, 1], gives: String) {
        testDescription = name
        // Three pairs: a, b and c.
        self.options = (["columns": 2, "rows": 3] as Fields).merging(options)
        self.seats = seats
        self.script = script
        self.gives = gives
    }

    func check() throws {
        var table = try Table(options, seats: seats, first: seats[0])
        #expect(try table.play(script) == gives)
    }
}

@Suite("Memory: turns") struct MemoryTurnTests {
    @Test(
        "the result of a flip",
        arguments: [
            Play("the first card", "a1", gives: "show-card a1 0"),
            Play("the second, another face", "a1 b1", gives: "show-card b1 0"),
            Play("after the reveal", "a1 b1 wait", gives: "hide-card a1 b1, turn 1 @31000"),
            Play("in the order in which they were turned", "b2 a1 wait", gives: "hide-card b2 a1, turn 1 @31000"),
            Play("a pair", "a2 a1", gives: "show-card a1 0, match a2 a1 0, turn 0 @30000"),
            Play(
                "a pair, and its player goes on with fresh time", "+10000 a1 +5000 a2",
                gives: "show-card a2 0, match a1 a2 0, turn 0 @45000"),
            Play(
                "a pair, when turns alternate", "a1 a2", ["turnRule": "alternate"],
                gives: "show-card a2 0, match a1 a2 0, turn 1 @30000"),
            Play("the last pair", "a1 a2 b1 b2 c1 c2", gives: "show-card c2 0, match c1 c2 0"),
            Play("a longer reveal", "a1 b1 wait", ["reveal": 10_000], gives: "hide-card a1 b1, turn 1 @40000"),
            Play("the time of a turn covers both flips", "a1 +29999 b1", gives: "show-card b1 0"),
            Play("and stands still during the reveal", "a1 +29999 b1 wait", gives: "hide-card a1 b1, turn 1 @60999"),
            Play("no timer", "a1 b1 wait", ["turnTime": 0], gives: "hide-card a1 b1, turn 1"),
            Play("no timer alone", "a1 b1 wait", seats: [0], gives: "hide-card a1 b1, turn 0"),
            Play("a timer alone", "a1 b1 wait", ["turnTime": 5], seats: [0], gives: "hide-card a1 b1, turn 0 @6000"),
            Play("turns go round", "a1 b1 wait a1 b1 wait", seats: [0, 2, 5], gives: "hide-card a1 b1, turn 5 @32000"),
            Play(
                "and round again", "a1 b1 wait a1 b1 wait a1 b1 wait", seats: [2, 5, 0],
                gives: "hide-card a1 b1, turn 2 @33000"),
        ])
    func flips(_ play: Play) throws { try play.check() }

    @Test(
        "time that runs out",
        arguments: [
            Play("before the first card", "wait", gives: "turn-expired 0, turn 1 @60000"),
            Play("with a card up", "a1 wait", gives: "hide-card a1, turn-expired 0, turn 1 @60000"),
            Play("a second time", "wait wait wait", gives: "turn-expired 0, turn 1 @120000"),
            Play("three in a row: away", "wait wait wait wait wait", gives: "turn-expired 0, away 0, turn 1 @180000"),
            Play(
                "a card turned up each time is no reason to stay", "a1 wait wait a1 wait wait a1 wait",
                gives: "hide-card a1, turn-expired 0, away 0, turn 1 @180000"),
            Play(
                "an attempt in between begins the count anew",
                "wait wait a1 b1 wait wait wait", ["turnTime": 5], seats: [0], gives: "turn-expired 0, turn 0 @26000"),
            Play(
                "away are passed over at once", "wait a1 b1 wait wait a1 b1 wait wait a1 b1 wait",
                gives: "hide-card a1 b1, turn 1 @123000"),
            Play(
                "all away: the turn stands", "wait wait wait wait wait wait",
                gives: "turn-expired 1, away 1, turn 1"),
            Play("and nothing happens by itself", "wait wait wait wait wait wait wait", gives: ""),
            Play(
                "alone and away", "wait wait wait", ["turnTime": 5], seats: [3], gives: "turn-expired 3, away 3, turn 3"
            ),
            Play(
                "the next who is there",
                "wait a1 b1 wait a1 b1 wait wait a1 b1 wait a1 b1 wait wait a1 b1 wait a1 b1 wait", seats: [0, 1, 2],
                gives: "hide-card a1 b1, turn 1 @126000"),
        ])
    func expires(_ play: Play) throws { try play.check() }

    /// Both are away, and seat 1 keeps the turn.
    private static let allAway = "wait wait wait wait wait wait"

    @Test(
        "coming back",
        arguments: [
            Play("somebody who was not away", "act1", gives: ""),
            Play("while another plays", "wait wait wait wait wait act0", gives: "back 0"),
            Play("the turn that stood is theirs", allAway + " +5000 act1", gives: "back 1, turn 1 @215000"),
            Play("or comes to them", allAway + " +5000 act0", gives: "back 0, turn 0 @215000"),
            Play(
                "a flip is being back, too", allAway + " 0:a1",
                gives: "back 0, turn 0 @210000, show-card a1 0"),
            Play("the other one then has no claim", allAway + " act0 act1", gives: "back 1"),
            Play(
                "three turns more until away again", allAway + " act0 wait wait",
                gives: "turn-expired 0, turn 0 @270000"),
            Play("back once", allAway + " act0 act0", gives: ""),
        ])
    func comesBack(_ play: Play) throws { try play.check() }

    @Test(
        "leaving",
        arguments: [
            Play("before the first card", "leave0", gives: "player-left, turn 1 @30000"),
            Play("with a card up", "a1 +1000 leave0", gives: "hide-card a1, player-left, turn 1 @31000"),
            Play("during their reveal", "a1 b1 +500 leave0", gives: "hide-card a1 b1, player-left, turn 1 @30500"),
            Play("in another's turn", "a1 leave1", gives: "player-left"),
            Play(
                "in another's turn, who then goes on alone", "a1 leave1 b1 wait",
                gives: "hide-card a1 b1, turn 0 @31000"),
            Play("in another's reveal", "a1 b1 leave1 wait", gives: "hide-card a1 b1, turn 0 @31000"),
            Play("the last one", "a1 leave1 leave0", gives: "hide-card a1, player-left"),
            Play("alone", "leave0", seats: [0], gives: "player-left"),
            Play("twice", "leave0 leave0", seats: [0, 1, 2], gives: "player-left"),
            Play("away, in another's turn", "wait wait wait wait wait leave0", gives: "player-left"),
            Play("while the turn that stands is theirs", allAway + " leave1", gives: "player-left, turn 0"),
            Play("while the turn that stands is another's", allAway + " leave0", gives: "player-left"),
            Play(
                "the only one who is not away", "wait wait wait wait wait leave1", gives: "player-left, turn 0"),
            Play(
                "between two who stay", "leave1 a1 b1 wait", seats: [0, 1, 2], gives: "hide-card a1 b1, turn 2 @31000"),
        ])
    func leaves(_ play: Play) throws { try play.check() }

    @Test(
        "time in which the hub did not run",
        arguments: [
            Play("moves the end of the turn", "+10000 down60000 wait", gives: "turn-expired 0, turn 1 @120000"),
            Play("and of the reveal", "a1 b1 +300 down60000 wait", gives: "hide-card a1 b1, turn 1 @91000"),
            Play("but no turn that stands", allAway + " down60000 wait", gives: ""),
            Play("nor a turn without a timer", "down60000 wait", ["turnTime": 0], gives: ""),
        ])
    func extends(_ play: Play) throws { try play.check() }

    @Test("a player who is passed over stays in the game's results")
    func awayIsInResults() throws {
        var table = try Table(["columns": 2, "rows": 3], seats: [0, 1])
        _ = try table.play("wait wait wait wait wait a1 a2 b1 b2 c1 c2")
        #expect(table.live.outcome?.results.map(\.seat) == [Seat(0), Seat(1)])
    }
}
