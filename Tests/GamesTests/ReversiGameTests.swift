import Cryptography
import Testing

@testable import Games

/// A game of Reversi as a room would hold it: every event goes through the log's form into a second fold.
struct ReversiTable {
    private(set) var live: Reversi
    private(set) var shown: Reversi
    private(set) var log: [Happening] = []
    var now: Milliseconds = 0

    init(_ options: Fields = [:], first: Int = 0) throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let setup = try Reversi.setupFields(Reversi.options(options), players: 2, draw: &draw)
        let game = try #require(
            Reversi.started(
                options: setup.options, fields: setup.fields, players: [Seat(0), Seat(1)], first: Seat(first),
                seed: nil, at: 0))
        (live, shown) = (game, game)
        record(live.openingHappenings(at: 0))
    }

    @discardableResult
    mutating func play(_ type: String, _ fields: Fields = [:], by seat: Seat) throws -> [Happening] {
        let happenings = try live.decide(type, fields, by: seat, at: now) ?? []
        record(happenings)
        return happenings
    }

    /// Whose move it is places a disc on the cell so called.
    @discardableResult
    mutating func place(_ name: String) throws -> [Happening] {
        try play("place", ["cell": .integer(try #require(Reversi.cell(named: Substring(name))))], by: live.mover)
    }

    mutating func wait() -> [Happening] {
        now = max(now, live.deadline ?? now)
        let happenings = live.wakeHappenings(at: now)
        record(happenings)
        return happenings
    }

    mutating func leave(_ seat: Seat) {
        live.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
    }

    private mutating func record(_ happenings: [Happening]) {
        for happening in happenings {
            if !live.apply(happening, at: now) || !shown.apply(happening, at: now) {
                Issue.record("\(happening) does not fit")
            }
            log.append(happening)
            #expect(live == shown)
        }
    }
}

@Suite("Reversi: the game") struct ReversiGameTests {
    @Test("black is the first seat and begins", arguments: [0, 1])
    func black(first: Int) throws {
        var table = try ReversiTable(first: first)
        #expect(table.live.turn == Seat(first))
        #expect(table.live.view["legal"]?.integers == [19, 26, 37, 44])
        try table.place("f5")
        #expect(table.live.turn == Seat(1 - first))
        #expect(table.live.view["counts"] == .object(first == 0 ? ["0": 4, "1": 1] : ["0": 1, "1": 4]))
        #expect(table.log.map(\.type) == ["turn", "place-disc", "turn"])
        #expect(table.log[1].fields["flips"]?.integers == [36])
    }

    struct Refused: CustomTestStringConvertible {
        let testDescription: String
        let type: String
        let fields: Fields
        let seat: Int
        let code: String
        init(_ what: String, _ type: String, _ fields: Fields, by seat: Int = 1, _ code: String) {
            (testDescription, self.type, self.fields, self.seat, self.code) = (what, type, fields, seat, code)
        }
    }

    @Test(
        "is refused and changes nothing",
        arguments: [
            Refused("another's turn", "place", ["cell": 20], by: 0, "not-your-turn"),
            Refused("a seat that does not play", "place", ["cell": 20], by: 2, "not-your-turn"),
            Refused("a disc is there", "place", ["cell": 27], "cell-is-taken"),
            Refused("flips nothing", "place", ["cell": 0], "flips-nothing"),
            Refused("off the board", "place", ["cell": 64], "no-such-cell"),
            Refused("below the board", "place", ["cell": -1], "no-such-cell"),
            Refused("no cell", "place", [:], "bad-field"),
        ])
    func refuses(_ refused: Refused) throws {
        var table = try ReversiTable()
        try table.place("f5")
        let before = table.live
        #expect {
            try table.play(refused.type, refused.fields, by: Seat(refused.seat))
        } throws: { ($0 as? Rejection)?.code == refused.code }
        #expect(table.live == before)
    }

    @Test("who runs out of time loses, whatever the discs say")
    func time() throws {
        var table = try ReversiTable(["turnTime": 5])
        #expect(table.live.deadline == 5_000)
        #expect(table.wait().map(\.type) == ["turn-expired"])
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == "time")
        #expect(outcome.results.map(\.place) == [2, 1])
        #expect(throws: Rejection.notRunning) { try table.place("f5") }
    }

    @Test("resigning ends the game at any time", arguments: [0, 1])
    func resigning(seat: Int) throws {
        var table = try ReversiTable()
        try table.play("resign", by: Seat(seat))
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == "resigned")
        #expect(outcome.results.map(\.place) == (seat == 0 ? [2, 1] : [1, 2]))
        #expect(outcome.results.map(\.isLeftEarly) == [false, false])
    }

    @Test("who leaves has resigned, and left early")
    func leaving() throws {
        var table = try ReversiTable()
        table.leave(Seat(1))
        #expect(table.live.outcome?.reason == "resigned")
        #expect(table.live.outcome?.results.map(\.isLeftEarly) == [false, true])
    }

    @Test("time in which the hub was not running does not count")
    func extended() throws {
        var table = try ReversiTable(["turnTime": 5])
        var game = table.live
        game.extendClock(by: 700)
        #expect(game.deadline == 5_700)
        table.now = 5_699
        #expect(game.wake(at: 5_699).isEmpty && !game.wake(at: 5_700).isEmpty)
    }

    @Test("a wipe-out: the empty cells go to the winner of the tournament score")
    func wipeOut() throws {
        // The shortest game in which one side loses all its discs.
        var table = try ReversiTable()
        for move in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] { try table.place(move) }
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == "finished")
        #expect(outcome.results.map(\.score) == [13, 0])
        #expect(outcome.results.map { $0.figures["tournament"]?.integer } == [64, 0])
        #expect(outcome.results.map(\.place) == [1, 2])
        #expect(table.live.notation == "e6f4e3f6g5d6e7f5c5")
    }

    @Test("random games end, count every disc, and fold from the log alone to the same")
    func randomGames() throws {
        var passes = 0
        for number in 0..<LongTests.count(200, long: 100_000) {
            var words = RandomWords(seed: SHA256.digest(of: "reversi \(number)"))
            var table = try ReversiTable()
            while table.live.outcome == nil {
                let moves = table.live.position.moves.cells
                try table.play(
                    "place", ["cell": .integer(moves[words.number(below: moves.count)])], by: table.live.mover)
            }
            let results = try #require(table.live.outcome).results
            let sum = results.reduce(0) { $0 + $1.score }
            #expect(sum == 4 + table.live.placed.count, "game \(number)")
            #expect(results.reduce(0) { $0 + ($1.figures["tournament"]?.integer ?? 0) } == 64, "game \(number)")
            #expect(try Reversi.position(after: table.live.notation).position.empty == table.live.position.empty)
            #expect(table.live.view == table.shown.view)
            passes += table.log.count { $0.type == "pass" }
        }
        // A test in which nobody ever passed would say little.
        #expect(passes > 10)
    }
}
