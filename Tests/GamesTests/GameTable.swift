import Cryptography
import JSON
import Testing

@testable import Games

/// A table at which a game is played as a room would run it: every event goes through the log's form into the fold that
/// judges, and into others that must show the same.
protocol GameTable {
    associatedtype Played: Game
    /// The fold that judges.
    var live: Played { get }
    /// The events so far, without what is sealed in them.
    var log: [GameStep] { get set }
    var now: Milliseconds { get set }

    /// Applies an event to all folds, and compares them.
    mutating func apply(_ step: GameStep)
    /// The player leaves, in all folds, which are then compared.
    mutating func applyLeaving(of seat: Seat)
}

extension GameTable {
    @discardableResult
    mutating func play(_ type: String, _ fields: Fields = [:], by seat: Int) throws -> [GameStep] {
        let steps = try live.decide(type, fields, by: Seat(seat), at: now) ?? []
        record(steps)
        return steps
    }

    /// Waits until the deadline, if there is one.
    @discardableResult
    mutating func wait() -> [GameStep] {
        now = max(now, live.deadline ?? now)
        let steps = live.wakeSteps(at: now)
        record(steps)
        return steps
    }

    /// The events after `player-left`.
    @discardableResult
    mutating func leave(_ seat: Int) -> [GameStep] {
        let steps = live.leaveSteps(Seat(seat), at: now)
        #expect(steps.before.isEmpty)
        applyLeaving(of: Seat(seat))
        record(steps.after)
        return steps.after
    }

    mutating func record(_ steps: [GameStep]) {
        for step in steps {
            log.append(GameStep(type: step.type, fields: step.fields))
            apply(step)
        }
    }
}

/// A game of two in which nothing is hidden.
struct OpenTable<Played: Game>: GameTable {
    private(set) var live: Played
    private(set) var shown: Played
    var log: [GameStep] = []
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

    /// The player whose turn it is makes random legal moves until the game is over.
    mutating func playOut(seed: String) throws {
        var words = RandomWords(seed: SHA256.digest(of: seed))
        while let seat = live.awaited.first {
            let moves = live.legalSteps(for: seat)
            let move = moves[words.number(below: moves.count)]
            try play(move.type, move.fields, by: seat.rawValue)
        }
    }

    mutating func apply(_ step: GameStep) {
        if !live.apply(step, at: now) || !shown.apply(step, at: now) { Issue.record("\(step) does not fit") }
        #expect(live == shown)
    }

    mutating func applyLeaving(of seat: Seat) {
        live.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
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
