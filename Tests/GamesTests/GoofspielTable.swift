import Cryptography
import JSON
import Testing

@testable import Games

/// A game in three folds: two that know what is sealed, and one of what is shown.
struct GoofspielTable: GameTable {
    private(set) var live: Goofspiel
    private(set) var copy: Goofspiel
    private(set) var shown: Goofspiel
    var log: [GameStep] = []
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

    mutating func apply(_ step: GameStep) {
        var seen = step
        seen.sealed = step.sealed.map { .committed($0.digest) }
        guard let event = live.event(step) else {
            Issue.record("\(step) does not fit")
            return
        }
        live.apply(event, at: now)
        if !copy.apply(step, at: now) || !shown.apply(seen, at: now) { Issue.record("\(step) does not fit") }
        compare()
    }

    mutating func applyLeaving(of seat: Seat) {
        live.applyLeaving(of: seat, at: now)
        copy.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
        compare()
    }

    private func compare() {
        #expect(live == copy)
        #expect(live.view == shown.view && live.awaited == shown.awaited && live.outcome == shown.outcome)
        #expect(live.hasMoves == shown.hasMoves && live.players.allSatisfy { shown.hand(of: $0) == nil })
    }
}
