import JSON
import Testing

@testable import Games

@Suite("Memory: what is shown") struct MemoryViewTests {
    @Test("fields of events are those of the protocol")
    func eventFields() throws {
        var table = try Table(["columns": 2, "rows": 3, "theme": "numbers"], seats: [0, 2])
        _ = try table.play("a1 a2 b1 c1 wait wait")
        let face = { (name: String) in Value.string(table.faces[table.cell(name) ?? 0] ?? "") }
        let cell = { (name: String) in Value.integer(table.cell(name) ?? -1) }
        let events: [GameStep] = [
            GameStep(type: "turn", fields: ["seat": 0, "deadline": 30_000]),
            GameStep(type: "show-card", fields: ["cell": cell("a1"), "face": face("a1"), "seat": 0]),
            GameStep(type: "show-card", fields: ["cell": cell("a2"), "face": face("a1"), "seat": 0]),
            GameStep(
                type: "match",
                fields: [
                    "cells": .list([cell("a1"), cell("a2")]), "seat": 0, "scores": .object(["0": 1, "2": 0]),
                ]),
            GameStep(type: "turn", fields: ["seat": 0, "deadline": 30_000]),
            GameStep(type: "show-card", fields: ["cell": cell("b1"), "face": face("b1"), "seat": 0]),
            GameStep(type: "show-card", fields: ["cell": cell("c1"), "face": face("c1"), "seat": 0]),
            GameStep(
                type: "hide-card",
                fields: ["cells": .list([cell("b1"), cell("c1")]), "scores": .object(["0": 1, "2": 0])]),
            GameStep(type: "turn", fields: ["seat": 2, "deadline": 31_000]),
            GameStep(type: "turn-expired", fields: ["seat": 2]),
            GameStep(type: "turn", fields: ["seat": 0, "deadline": 61_000]),
        ]
        let times = [0, 0, 0, 0, 0, 0, 0, 1_000, 1_000, 31_000, 31_000]
        #expect(table.log == zip(events, times).map { .event($0, at: $1) })
    }

    @Test("the view during a reveal, on a board with a gap, with one who left")
    func view() throws {
        var table = try Table(
            ["columns": 3, "rows": 3, "theme": "numbers", "matched": "vanish"], seats: [0, 1, 4], at: 1_000)
        _ = try table.play("a1 a2 leave1 b1 c1")
        let cells: [Value] = table.names.enumerated().map { cell, name in
            switch name {
            case "": .object(["state": "gap"])
            case "a1", "a2": .object(["state": "won", "face": .string(table.faces[cell] ?? ""), "by": 0])
            case "b1", "c1": .object(["state": "up", "face": .string(table.faces[cell] ?? "")])
            default: .object(["state": "down"])
            }
        }
        let options: Fields = [
            "seats": 8, "turnTime": 30, "preset": "custom", "columns": 3, "rows": 3, "pairs": 4, "theme": "numbers",
            "rule": "pairs", "turnRule": "again", "reveal": 1_000, "matched": "vanish",
        ]
        let expected: Fields = [
            "columns": 3, "rows": 3, "pairs": 4, "gap": 4,
            "theme": .object(["name": "numbers", "colour": .strings(["blue"]), "kind": "text"]),
            "options": .object(options),
            "cells": .list(cells), "up": .integers([table.cell("b1") ?? -1, table.cell("c1") ?? -1]),
            "seats": .integers([0, 1, 4]), "away": .list([]), "left": .integers([1]),
            "shuffled": .list([]), "mover": 0,
            "revealUntil": 2_000, "scores": .object(["0": 1, "1": 0, "4": 0]),
            "turns": .object(["0": 2, "1": 0, "4": 0]), "won": .object(["0": 1, "1": 0, "4": 0]), "pairsLeft": 3,
        ]
        #expect(table.live.view == expected)
    }

    @Test("the view has deadlines, and players marked away")
    func deadlines() throws {
        var table = try Table(["columns": 2, "rows": 3])
        #expect(table.live.view["deadline"] == 30_000)
        _ = try table.play("a1 b1")
        #expect(table.live.view["deadline"] == nil && table.live.view["revealUntil"] == 1_000)
        _ = try table.play("wait wait wait wait wait wait wait")
        #expect(table.live.view["away"] == .integers([0, 1]))
        #expect(table.live.view["deadline"] == nil && table.live.view["revealUntil"] == nil)
    }

    @Test("the view has who has shuffled, and since when the bonus runs")
    func shuffled() throws {
        var table = try Table(["columns": 2, "rows": 3, "rule": "medium"], seats: [0, 2, 5], first: 2, at: 1_000)
        #expect(table.live.view["shuffled"] == .list([]))
        _ = try table.play("shuffle +200 a1 down500")
        #expect(table.live.view["shuffled"] == .integers([2]))
        #expect(table.live.view["bonusFrom"] == 1_700)
        _ = try table.play("leave5 b1")
        #expect(table.live.view["bonusFrom"] == nil)
        _ = try table.play("wait")
        #expect(table.live.view["shuffled"] == .integers([2]))
    }

    @Test("the bonus stops once a card has been turned down")
    func bonusOfAnExpiredTurn() throws {
        var table = try Table(["columns": 2, "rows": 3, "rule": "hard"], at: 1_000)
        _ = try table.play("a1")
        #expect(table.live.view["bonusFrom"] == 1_000)
        _ = try table.play("wait")
        #expect(table.live.view["bonusFrom"] == nil)
    }

    @Test("a game from a log without a kind of faces shows none")
    func withoutKind() throws {
        let table = try Table([:])
        var theme = try #require(table.fields["theme"]?.object)
        theme["kind"] = nil
        let old = try #require(
            Memory.started(
                options: table.options, fields: table.fields.merging(["theme": .object(theme)]), players: table.seats,
                first: table.first, seed: nil, at: 0))
        #expect(old.view["theme"]?.object?.names == ["name", "colour"])
    }

    @Test("the setup has the board, the theme, and the number of drawn pairs with its range")
    func setupFields() throws {
        let table = try Table(["theme": "garden", "preset": "memorize"])
        let board = try #require(table.fields["board"]?.object)
        #expect(board["drawn"] == .integers([6, 10]))
        let theme = try #require(table.fields["theme"]?.object)
        #expect(theme["name"] == "garden" && theme["faces"]?.strings?.count == 12)
        #expect(theme["colour"] == .strings(["green"]) && theme["kind"] == "emoji")
        #expect(table.fields.names == ["theme", "board"])
    }
}
