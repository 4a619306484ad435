import Cryptography
import JSON
import Testing

@testable import Games

/// A game as a room would run it: every event goes through the log's form into a second fold that also knows what is
/// sealed, and into the fold of what is shown.
struct GoofspielTable {
    private(set) var live: Goofspiel
    private(set) var copy: Goofspiel
    private(set) var shown: Goofspiel
    private(set) var log: [GameStep] = []
    var now: Milliseconds = 0

    /// The seed of a table if it is not said.
    static let seed = SHA256.digest(of: "goofspiel")

    init(players: Int = 2, cards: Int = 4, turnTime: Int = 5, seed: Digest = seed) throws {
        let asked: Fields = ["cards": .integer(cards), "turnTime": .integer(turnTime)]
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let setup = try Goofspiel.setupFields(Goofspiel.options(asked), players: players, draw: &draw)
        func fold(_ seed: Digest?) throws -> Goofspiel {
            try #require(
                Goofspiel.started(
                    options: setup.options, fields: setup.fields, players: (0..<players).map { Seat($0) },
                    first: Seat(0), seed: seed, at: 0))
        }
        (live, copy, shown) = (try fold(seed), try fold(seed), try fold(nil))
        record(live.openingSteps(at: 0))
    }

    @discardableResult
    mutating func play(_ type: String, _ fields: Fields = [:], by seat: Int) throws -> [GameStep] {
        let steps = try live.decide(type, fields, by: Seat(seat), at: now) ?? []
        record(steps)
        return steps
    }

    @discardableResult
    mutating func bid(_ card: Int, by seat: Int) throws -> [GameStep] {
        try play("bid", ["card": .integer(card)], by: seat)
    }

    /// Bids of the players who are not out, in the order of turns. Returns the events of the last.
    @discardableResult
    mutating func bid(_ cards: Int...) throws -> [GameStep] {
        var steps: [GameStep] = []
        for (seat, card) in zip(live.playing, cards) { steps = try bid(card, by: seat.rawValue) }
        return steps
    }

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
        live.applyLeaving(of: Seat(seat), at: now)
        copy.applyLeaving(of: Seat(seat), at: now)
        shown.applyLeaving(of: Seat(seat), at: now)
        compare()
        record(steps.after)
        return steps.after
    }

    private mutating func record(_ steps: [GameStep]) {
        for step in steps {
            var seen = step
            seen.sealed = step.sealed.map { .committed($0.digest) }
            guard let event = live.event(step) else {
                Issue.record("\(step) does not fit")
                continue
            }
            live.apply(event, at: now)
            if !copy.apply(step, at: now) || !shown.apply(seen, at: now) { Issue.record("\(step) does not fit") }
            log.append(GameStep(type: step.type, fields: step.fields))
            compare()
        }
    }

    private func compare() {
        #expect(live == copy)
        #expect(live.view == shown.view && live.awaited == shown.awaited && live.outcome == shown.outcome)
        #expect(live.hasMoves == shown.hasMoves && live.players.allSatisfy { shown.hand(of: $0) == nil })
    }
}
