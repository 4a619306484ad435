import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Memory: everybody turns at once") struct MemoryRaceTests {
    private static func race(
        _ name: String, _ script: String, _ options: Fields = [:], seats: [Int] = [0, 1], gives: String
    ) -> Play {
        Play(name, script, (["order": "free"] as Fields).merging(options), seats: seats, gives: gives)
    }

    @Test(
        "the result of a flip",
        arguments: [
            race("a first card", "0:a1", gives: "show-card a1 0"),
            race("another player's, at the same time", "0:a1 1:b1", gives: "show-card b1 1"),
            race("a pair of one's own", "1:a1 1:a2", gives: "show-card a2 1, match a1 a2 1"),
            race("its player continues", "1:a1 1:a2 1:b1", gives: "show-card b1 1"),
            race("the mate of another's first card", "0:a1 1:a2", gives: "show-card a2 1, match a1 a2 1"),
            race("whose attempt is over", "0:a1 1:a2 0:b1 wait", gives: "hide-card b1"),
            race(
                "the mate of another's card, with a card of one's own up", "0:a1 1:b1 0:b2 0:a2",
                gives: "show-card a2 0, match a1 a2 0"),
            race("of two cards that wait to turn back", "0:a1 0:b1 1:b2", gives: "show-card b2 1, match b1 b2 1"),
            race("and the other one turns back", "0:a1 0:b1 1:b2 wait", gives: "hide-card a1"),
            race("a card of one's own stays beside it", "0:a1 1:b1 1:c1 0:b2 wait", gives: "hide-card c1"),
            race("and keeps its time", "0:a1 +4000 1:b1 0:b2 wait", gives: "hide-card a1"),
            race("the last pair", "0:a1 1:a2 0:b1 1:b2 0:c1 1:c2", gives: "show-card c2 1, match c1 c2 1"),
            race("alone", "3:a1 3:b1 wait", seats: [3], gives: "hide-card a1 b1"),
        ])
    func flips(_ play: Play) throws { try play.check() }

    @Test(
        "cards that turn back",
        arguments: [
            race("two after the reveal", "0:a1 0:b1 wait", gives: "hide-card a1 b1"),
            race("a first card after its time", "0:a1 wait", gives: "hide-card a1"),
            race("in the order of turns", "1:a1 0:b1 wait", gives: "hide-card b1, hide-card a1"),
            race("each at its own time", "0:a1 +1 1:b1 wait", gives: "hide-card a1"),
            race("and then the next", "0:a1 +1 1:b1 wait wait", gives: "hide-card b1"),
            race("no first card without a timer", "0:a1 wait", ["turnTime": 0], gives: ""),
            race("nothing happens without a card up", "0:a1 wait wait", gives: ""),
            race("those of a player who leaves", "0:a1 0:b1 leave0", gives: "hide-card a1 b1, player-left"),
            race("none", "0:a1 leave1", gives: "player-left"),
        ])
    func hiding(_ play: Play) throws { try play.check() }

    @Test(
        "when the next cards turn back",
        arguments: [
            ("", [:], nil), ("0:a1", [:], 5_000), ("0:a1", ["turnTime": 60], 60_000), ("0:a1 0:b1", [:], 1_000),
            ("0:a1 +100 1:b1 1:c1", ["reveal": 5_000], 5_000), ("0:a1 +100 1:a2", [:], nil),
            ("0:a1 +100 1:b1 down700", [:], 5_700),
            ("0:a1", ["turnTime": 0], nil), ("0:a1 0:b1", ["turnTime": 0], 1_000),
        ] as [(String, Fields, Milliseconds?)])
    func deadline(script: String, options: Fields, expected: Milliseconds?) throws {
        var table = try Table((["order": "free", "columns": 2, "rows": 3] as Fields).merging(options))
        _ = try table.play(script)
        #expect(table.live.deadline == expected)
    }

    @Test(
        "the game waits for all who may turn up a card",
        arguments: [
            ("", [0, 1, 2]), ("0:a1", [0, 1, 2]), ("0:a1 0:b1", [1, 2]), ("0:a1 0:b1 wait", [0, 1, 2]),
            ("0:a1 0:b1 1:c1 1:d1 2:e1 2:f1", []), ("0:a1 0:b1 1:a2", [1, 2]), ("leave1", [0, 2]),
            ("leave1 leave0 leave2", []), ("0:a1 1:b1 2:a2 0:c1 0:d1", [1, 2]),
        ])
    func awaited(script: String, expected: [Int]) throws {
        var table = try Table(["order": "free", "columns": 3, "rows": 4], players: 3)
        _ = try table.play(script)
        #expect(table.live.awaited.map(\.rawValue).sorted() == expected)
        for seat in table.seats {
            #expect(table.live.legalCommands(for: seat).isEmpty == !expected.contains(seat.rawValue))
        }
    }

    @Test(
        "a flip that is refused",
        arguments: [
            ("", 7, "a1", "not-your-turn"), ("0:a1 0:b1", 0, "c1", "wait-for-reveal"),
            ("0:a1", 0, "a1", "card-is-up"),
            ("0:a1", 1, "a1", "card-is-up"), ("0:a1 1:a2", 1, "a2", "card-is-won"),
            ("leave0", 0, "a1", "not-your-turn"),
            ("0:a1 0:b1 1:b2", 0, "c1", "wait-for-reveal"),
            ("0:a1 0:a2 0:b1 0:b2 0:c1 0:c2", 1, "a1", "not-running"),
        ])
    func refuses(script: String, seat: Int, card: String, code: String) throws {
        var table = try Table(["order": "free", "columns": 2, "rows": 3])
        _ = try table.play(script)
        let before = table.live
        let cell = try #require(table.cell(card))
        let rejection = #expect(throws: Rejection.self) { try table.flip(cell, by: Seat(seat)) }
        #expect(rejection?.code == code && table.live == before)
    }

    @Test(
        "scores",
        arguments: [
            ("pairs", "0:a1 1:a2", [0, 1]), ("easy", "0:a1 1:a2", [0, 10]),
            ("medium", "0:a1 +2500 1:a2", [0, 13]), ("medium", "1:b1 +3000 0:a1 1:a2", [0, 15]),
            ("medium", "0:a1 0:b1 +500 1:a2", [0, 15]),
            ("memorize", "0:a1 0:b1 wait 0:a1 0:b1 wait 1:a1 1:c1 wait", [-2, -1]),
            ("memorize", "0:a1 wait 0:a1 0:b1 1:b2 wait", [0, 2]), ("hard", "0:a1 0:a2 0:b1 0:c1 wait", [10, 0]),
            ("hard", "0:a1 0:b1 leave0", [0, 0]),
        ])
    func scores(rule: String, script: String, expected: [Int]) throws {
        var table = try Table(["order": "free", "columns": 2, "rows": 3, "rule": .string(rule)])
        _ = try table.play(script)
        #expect(table.live.scores == expected)
    }

    @Test("turns count attempts, and a card won at once is one")
    func attempts() throws {
        var table = try Table(["order": "free", "columns": 2, "rows": 3])
        _ = try table.play("0:a1 1:a2 1:b1 1:b2 0:c1 wait")
        #expect(table.live.players.map(\.turns) == [2, 2] && table.live.players.map(\.pairs) == [0, 2])
    }

    @Test("anyone shuffles once, while no card is up")
    func shuffles() throws {
        var table = try Table(["order": "free", "columns": 2, "rows": 3])
        #expect(try table.play("1:shuffle").hasPrefix("cards-shuffled"))
        #expect(try table.play("0:shuffle").hasPrefix("cards-shuffled"))
        for (script, seat, code) in [("", 1, "already-shuffled"), ("1:a1", 0, "attempt-under-way")] {
            _ = try table.play(script)
            let rejection = #expect(throws: Rejection.self) { try table.command("shuffle", by: Seat(seat)) }
            #expect(rejection?.code == code)
        }
    }

    @Test("fields of events and the view are those of the protocol")
    func shown() throws {
        var table = try Table(
            ["order": "free", "columns": 2, "rows": 3, "theme": "numbers", "rule": "medium"], seats: [0, 2])
        _ = try table.play("0:a1 +1000 2:a2 2:b1 0:c1 +100 0:b2")
        let face = { (name: String) in Value.string(table.faces[table.cell(name) ?? 0] ?? "") }
        let cell = { (name: String) in Value.integer(table.cell(name) ?? -1) }
        let events = table.log.compactMap { entry -> GameStep? in
            if case .event(let step, _) = entry { step } else { nil }
        }
        #expect(events[0] == GameStep(type: "turns", fields: ["seats": .integers([0, 2])]))
        #expect(events[1] == GameStep(type: "show-card", fields: ["cell": cell("a1"), "face": face("a1"), "seat": 0]))
        #expect(
            events[2]
                == GameStep(
                    type: "show-card", fields: ["cell": cell("a2"), "face": face("a2"), "seat": 2, "bonus": 4]))
        #expect(
            events[3]
                == GameStep(
                    type: "match",
                    fields: [
                        "cells": .list([cell("a1"), cell("a2")]), "seat": 2, "scores": .object(["0": 0, "2": 14]),
                    ]))
        let view = table.live.view
        #expect(view["up"] == .list([cell("c1")]))
        let attempt: Fields = ["cells": .list([cell("c1")]), "until": 6_000, "bonusFrom": 1_000]
        #expect(view["attempts"] == .object(["0": .object(attempt)]))
        #expect(view["options"]?.object?["order"] == "free" && view["options"]?.object?["turnTime"] == 5)
        for name in ["mover", "deadline", "revealUntil", "bonusFrom"] { #expect(view[name] == nil) }
        #expect(table.live.setup.mode == "free-medium-2x3")
    }

    /// After "0:a1 0:b1 1:c1" of a game of two on nine cells.
    @Test("events that cannot have happened")
    func misfits() throws {
        var table = try Table(["order": "free", "columns": 3, "rows": 3, "rule": "medium"])
        _ = try table.play("0:a1 0:b1 1:c1")
        let cell = { (name: String) in Value.integer(table.cell(name) ?? -1) }
        let face = { (name: String) in Value.string(table.faces[table.cell(name) ?? 0] ?? "") }
        let scores = Value.object(["0": 0, "1": 0])
        for (type, fields) in [
            ("turns", ["seats": .integers([0, 1])]), ("turn", ["seat": 1]), ("turn-expired", ["seat": 0]),
            ("away", ["seat": 0]), ("back", ["seat": 0]), ("cards-shuffled", ["seat": 1, "moves": .list([])]),
            ("show-card", ["cell": cell("d1"), "face": face("d1"), "seat": 0]),
            ("show-card", ["cell": cell("d1"), "face": face("d1"), "seat": 1, "bonus": 5]),
            ("show-card", ["cell": cell("a2"), "face": face("a2"), "seat": 1]),
            ("show-card", ["cell": cell("a2"), "face": face("a2"), "seat": 1, "bonus": 6]),
            ("show-card", ["cell": cell("c1"), "face": face("c1"), "seat": 1]),
            ("match", ["cells": .list([cell("a1"), cell("b1")]), "seat": 0, "scores": scores]),
            ("hide-card", ["cells": .list([cell("a1")]), "scores": scores]),
            ("hide-card", ["cells": .list([cell("b1"), cell("a1")]), "scores": scores]),
            ("hide-card", ["cells": .list([cell("a1"), cell("c1")]), "scores": scores]),
            ("hide-card", ["cells": .list([]), "scores": scores]),
        ] as [(String, Fields)] {
            for before in [table.live, table.shown] {
                var game = before
                let fits = game.apply(GameStep(type: type, fields: fields), at: 1)
                #expect(!fits && game == before, "\(type) \(fields)")
            }
        }
        // A pair that is up is won before anything else happens.
        let pair = GameStep(
            type: "show-card", fields: ["cell": cell("a2"), "face": face("a2"), "seat": 1, "bonus": 5])
        let hiding = GameStep(
            type: "hide-card", fields: ["cells": .list([cell("c1"), cell("a2")]), "scores": scores])
        for before in [table.live, table.shown] {
            var game = before
            let fits = (game.apply(pair, at: 1), game.apply(hiding, at: 1))
            #expect(fits == (true, false))
        }
    }

    @Test("events of a race do not fit a game of turns, nor those before it begins")
    func beforeTheRace() throws {
        let table = try Table(["columns": 3, "rows": 3])
        var game = table.live
        let begins = game.apply(GameStep(type: "turns", fields: ["seats": .integers([0, 1])]), at: 0)
        #expect(!begins)
        let race = try Table(["order": "free", "columns": 3, "rows": 3])
        var start = race.states[0]
        #expect(start.awaited.isEmpty)
        let first = GameStep(
            type: "show-card", fields: ["cell": 0, "face": .string(race.faces[0] ?? ""), "seat": 0])
        var isEarly = start.apply(first, at: 0)
        for seats in [[0], [1, 0], [0, 1, 2]] {
            isEarly = isEarly || start.apply(GameStep(type: "turns", fields: ["seats": .integers(seats)]), at: 0)
        }
        #expect(!isEarly)
    }

    @Test("computers end a race, by themselves and against each other", arguments: 1...4, Memory.Computer.levels)
    func computers(players: Int, level: String) throws {
        for number in 0..<5 {
            let seed = SHA256.digest(of: "race \(players) \(level) \(number)")
            var table = try Table(["order": "free", "pairs": 8], players: players, seed: seed)
            table.comparesViews = false
            var computers = table.seats.map { Memory.Computer(level: level, seat: $0, seed: seed) }
            var (words, seen, shown) = (RandomWords(seed: seed), 0, try shownGame(table))
            for _ in 0..<5_000 where table.live.outcome == nil {
                for case .event(let step, let time) in table.log[seen...] {
                    let event = try #require(shown.state.event(type: step.type, fields: step.fields))
                    shown.apply(event, at: time)
                    for index in computers.indices { computers[index].see(event, in: shown) }
                }
                seen = table.log.count
                let awaited = table.live.awaited.sorted()
                if awaited.isEmpty || words.number(below: 4) == 0 {
                    _ = table.wait()
                } else {
                    let seat = awaited[words.number(below: awaited.count)]
                    let index = try #require(table.seats.firstIndex(of: seat))
                    let move = computers[index].move(in: shown, hand: nil) { false }
                    guard case .flip(let cell) = try #require(move) else { continue }
                    _ = try table.flip(cell, by: seat)
                }
            }
            #expect(table.live.outcome?.reason == .finished)
        }
    }

    private func shownGame(_ table: Table) throws -> PublicGame<Memory> {
        PublicGame(setup: table.live.setup, players: table.seats, first: table.first, at: 0)
    }
}
