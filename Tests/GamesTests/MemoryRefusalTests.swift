import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Memory: refusals") struct MemoryRefusalTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let script: String
        let seat: Int
        let cell: Int?
        let card: String
        let code: String
        let sentence: String

        init(
            _ name: String, after script: String = "", by seat: Int = 0, flip card: String = "", cell: Int? = nil,
            refused code: String, _ sentence: String
        ) {
            testDescription = name
            (self.script, self.seat, self.card, self.cell) = (script, seat, card, cell)
            (self.code, self.sentence) = (code, sentence)
        }
    }

    @Test(arguments: [
        Case("another's turn", by: 1, flip: "a1", refused: "not-your-turn", "It is not your turn."),
        Case("a stranger's", by: 7, flip: "a1", refused: "not-your-turn", "It is not your turn."),
        Case("another's reveal", after: "a1 b1", by: 1, flip: "c1", refused: "not-your-turn", "It is not your turn."),
        Case(
            "below the board", cell: -1, refused: "no-such-cell",
            "There is no card on cell -1. Cells are numbered from 0 to 8."),
        Case(
            "past the board", cell: 9, refused: "no-such-cell",
            "There is no card on cell 9. Cells are numbered from 0 to 8."),
        Case(
            "far off", cell: .min, refused: "no-such-cell",
            "There is no card on cell \(Int.min). Cells are numbered from 0 to 8."),
        Case(
            "the gap", cell: 4, refused: "no-such-cell", "There is no card on cell 4. Cells are numbered from 0 to 8."),
        Case("a card just turned", after: "a1", flip: "a1", refused: "card-is-up", "This card is already face up."),
        Case("a card won", after: "a1 a2", flip: "a2", refused: "card-is-won", "This card is already matched."),
        Case(
            "two cards are up", after: "a1 b1", flip: "c1", refused: "wait-for-reveal",
            "Wait for the cards to flip back."),
        Case(
            "one of two cards up", after: "a1 b1", flip: "a1", refused: "wait-for-reveal",
            "Wait for the cards to flip back."
        ),
        Case(
            "a game that is over", after: "a1 a2 b1 b2 c1 c2 d1 d2", flip: "a1", refused: "not-running",
            "No game is running."),
        Case("a player who left", after: "leave0", flip: "a1", refused: "not-your-turn", "It is not your turn."),
    ])
    func refusesAndChangesNothing(_ play: Case) throws {
        var table = try Table(["columns": 3, "rows": 3])
        _ = try table.play(play.script)
        let before = table.live
        let cell = try #require(play.cell ?? table.cell(play.card))
        let rejection = #expect(throws: Rejection.self) { try table.flip(cell, by: Seat(play.seat)) }
        #expect(rejection?.code == play.code && rejection?.sentence == play.sentence)
        if play.code == "no-such-cell" {
            #expect(rejection?.values == ["cell": .integer(cell), "range": .integers([0, 8])])
        }
        #expect(table.live == before)
    }

    @Test(
        "a flip without a cell, or with one that is not a number",
        arguments: [[:], ["cell": "3"], ["cell": .fraction(1.5)], ["cell": .null], ["cell": .list([1])]] as [Fields])
    func refusesFields(_ fields: Fields) throws {
        let table = try Table([:])
        let rejection = #expect(throws: Rejection.self) {
            try table.live.decide("flip", fields, by: Seat(0), at: 0)
        }
        #expect(rejection?.code == "bad-field" && rejection?.values == ["field": "cell"])
    }

    @Test("commands of other games are unknown to Memory", arguments: ["place", "resign", "", "flip ", "Shuffle"])
    func otherCommands(_ type: String) throws {
        #expect(!Memory.hasCommand(type) && ["flip", "shuffle"].allSatisfy { Memory.hasCommand($0) })
        let table = try Table([:])
        #expect(try table.live.decide(type, ["cell": 0], by: Seat(0), at: 0) == nil)
    }

    @Test(
        "players that no game can have",
        arguments: [
            ([], 0), ([0, 0], 0), ([0, 1], 2), ([0, 8], 0), ([-1, 0], 0), (Array(0...8), 0),
        ] as [([Int], Int)])
    func players(seats: [Int], first: Int) throws {
        let table = try Table([:])
        let game = Memory.started(
            options: table.options, fields: table.fields, players: seats.map { Seat($0) }, first: Seat(first),
            seed: nil, at: 0)
        #expect(game == nil)
    }

    /// After "a1 b1" of a game of two on nine cells.
    @Test(
        "events that cannot have happened",
        arguments: [
            GameStep(type: "show-card", fields: ["cell": 8, "face": "🐶", "seat": 0]),
            GameStep(
                type: "match", fields: ["cells": .list([0, 1]), "seat": 0, "scores": .object(["0": 1, "1": 0])]),
            GameStep(type: "hide-card", fields: ["cells": .list([]), "scores": .object(["0": 0, "1": 0])]),
            GameStep(type: "hide-card", fields: ["cells": .list([99]), "scores": .object(["0": 0, "1": 0])]),
            GameStep(type: "turn", fields: ["seat": 1]),
            GameStep(type: "turn-expired", fields: ["seat": 0]),
            GameStep(type: "away", fields: ["seat": 5]),
            GameStep(type: "back", fields: ["seat": 0]),
            GameStep(type: "cards-shuffled", fields: ["seat": 0, "moves": .list([])]),
            GameStep(type: "place-disc", fields: ["cell": 0, "seat": 0, "flips": .list([])]),
            GameStep(type: "", fields: [:]),
        ])
    func misfits(_ step: GameStep) throws {
        var table = try Table(["columns": 3, "rows": 3])
        _ = try table.play("a1 b1")
        for before in [table.live, table.shown] {
            var game = before
            let fits = game.apply(step, at: 1)
            #expect(!fits && game == before)
        }
    }

    @Test("a card that shows another face than was dealt does not fit")
    func wrongFace() throws {
        let table = try Table([:])
        var (live, shown) = (table.live, table.shown)
        let face = try #require(table.faces.compactMap(\.self).first { $0 != table.faces[0] })
        let step = GameStep(type: "show-card", fields: ["cell": 0, "face": .string(face), "seat": 0])
        let fits = (live: live.apply(step, at: 0), shown: shown.apply(step, at: 0))
        #expect(fits == (false, true), "nobody without the seed can know")
    }

    /// Typed events are not judged, but must never trap.
    @Test("nonsensical events do no harm", arguments: [nil, SHA256.digest(of: "seed")])
    func nonsense(seed: Digest?) throws {
        let table = try Table(["columns": 3, "rows": 3])
        var words = RandomWords(seed: SHA256.digest(of: "nonsense"))
        let cells = [.min, -1, 0, 1, 2, 3, 4, 8, 9, .max]
        let seats = [-1, 0, 1, 2, .max].map { Seat($0) }
        func any<Element>(_ list: [Element]) -> Element { list[words.number(below: list.count)] }
        for _ in 0..<200 {
            var game = seed == nil ? table.shown : table.live
            for _ in 0..<100 {
                let times: [Milliseconds] = [.min, 0, 1, 1_000, .max]
                let scores = any([[], [1], [.max, .min], [1, 2, 3]])
                let event: Memory.Event =
                    switch words.number(below: 8) {
                    case 0:
                        .showCard(
                            cell: any(cells), face: any([0, 1, 15, 16, .max]), seat: any(seats),
                            bonus: any([nil, 0, .max]))
                    case 1: .match(first: any(cells), second: any(cells), seat: any(seats), scores: scores)
                    case 2: .hideCard(first: any(cells), second: any([nil] + cells), scores: scores)
                    case 3: .turn(seat: any(seats), deadline: any([nil] + times))
                    case 4: .turnExpired(any(seats))
                    case 5: .away(any(seats))
                    case 6:
                        .cardsShuffled(
                            seat: any(seats),
                            moves: (0..<3).map { _ in Memory.Move(from: any(cells), to: any(cells)) })
                    default: .back(any(seats))
                    }
                let time = any(times)
                game.apply(event, at: time)
                if words.number(below: 8) == 0 { game.applyLeaving(of: any(seats), at: time) }
                if words.number(below: 8) == 0 { game.extendClock(by: any(times)) }
                #expect(game.view.count > 0)
                _ = game.outcome
                _ = game.results(at: time)
            }
        }
    }
}
