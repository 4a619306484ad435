import Cryptography
import JSON
import Testing

@testable import Games

/// A game of two as a room would run it: every event goes through the log's form into a second fold.
struct GameTable<Played: Game> {
    private(set) var live: Played
    private(set) var shown: Played
    private(set) var log: [GameStep] = []
    var now: Milliseconds = 0

    init(_ options: Fields = [:], first: Int = 0) throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let setup = try Played.setupFields(Played.options(options), players: 2, draw: &draw)
        let game = try #require(
            Played.started(
                options: setup.options, fields: setup.fields, players: [Seat(0), Seat(1)], first: Seat(first),
                seed: nil, at: 0))
        (live, shown) = (game, game)
        record(live.openingSteps(at: 0))
    }

    @discardableResult
    mutating func play(_ type: String, _ fields: Fields = [:], by seat: Seat) throws -> [GameStep] {
        let steps = try live.decide(type, fields, by: seat, at: now) ?? []
        record(steps)
        return steps
    }

    /// Waits until the deadline, if there is one.
    mutating func wait() -> [GameStep] {
        now = max(now, live.deadline ?? now)
        let steps = live.wakeSteps(at: now)
        record(steps)
        return steps
    }

    mutating func leave(_ seat: Seat) {
        live.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
    }

    /// The player whose turn it is makes random legal moves until the game is over.
    mutating func playOut(seed: String) throws {
        var words = RandomWords(seed: SHA256.digest(of: seed))
        while let seat = live.awaited.first {
            let moves = live.legalSteps(for: seat)
            let move = moves[words.number(below: moves.count)]
            try play(move.type, move.fields, by: seat)
        }
    }

    private mutating func record(_ steps: [GameStep]) {
        for step in steps {
            if !live.apply(step, at: now) || !shown.apply(step, at: now) {
                Issue.record("\(step) does not fit")
            }
            log.append(step)
            #expect(live == shown)
        }
    }
}

/// A command that a game refuses, and the code that says why.
struct RefusedCommand: CustomTestStringConvertible {
    let testDescription: String
    let type: String
    let fields: Fields
    let seat: Int
    let code: String

    init(_ what: String, _ type: String, _ fields: Fields, by seat: Int = 1, _ code: String) {
        (testDescription, self.type, self.fields, self.seat, self.code) = (what, type, fields, seat, code)
    }
}
