import Cryptography
import Testing

@testable import Games

@Suite("Memory: shuffling in the middle of a game") struct MemoryShuffleTests {
    @Test(
        "who may shuffle, and when",
        arguments: [
            Play("alone, at once", "shuffle", seats: [0], gives: "cards-shuffled 0"),
            Play(
                "alone, as often as one likes", "shuffle shuffle a1 b1 wait shuffle", seats: [0],
                gives: "cards-shuffled 0"),
            Play("alone, after a match", "a1 a2 shuffle", seats: [3], gives: "cards-shuffled 3"),
            Play("with others, in the own turn", "a1 b1 wait shuffle", gives: "cards-shuffled 1"),
            Play("each of them once", "shuffle a1 b1 wait shuffle", gives: "cards-shuffled 1"),
            Play("before the first card of a turn that follows a match", "a1 a2 shuffle", gives: "cards-shuffled 0"),
            Play("left alone, again", "shuffle leave1 shuffle", gives: "cards-shuffled 0"),
            Play(
                "being back", "wait wait wait wait wait wait 0:shuffle",
                gives: "back 0, turn 0 @210000, cards-shuffled 0"),
        ])
    func allowed(_ play: Play) throws { try play.check() }

    @Test("shuffling does not stop the time of a turn")
    func time() throws {
        var table = try Table(["columns": 2, "rows": 3])
        #expect(try table.play("+1000 shuffle wait") == "turn-expired 0, turn 1 @60000")
    }

    struct Refusal: CustomTestStringConvertible {
        let testDescription: String
        let script: String
        let players: Int
        let seat: Int
        let code: String

        init(_ name: String, after script: String = "", players: Int = 2, by seat: Int = 0, refused code: String) {
            testDescription = name
            (self.script, self.players, self.seat, self.code) = (script, players, seat, code)
        }
    }

    @Test(
        "what is refused",
        arguments: [
            Refusal("another's turn", by: 1, refused: "not-your-turn"),
            Refusal("a stranger's", by: 7, refused: "not-your-turn"),
            Refusal("a card is up", after: "a1", refused: "attempt-under-way"),
            Refusal("a card is up, alone", after: "a1", players: 1, refused: "attempt-under-way"),
            Refusal("the reveal", after: "a1 b1", refused: "wait-for-reveal"),
            Refusal("the reveal, alone", after: "a1 b1", players: 1, refused: "wait-for-reveal"),
            Refusal("a second time", after: "shuffle", refused: "already-shuffled"),
            Refusal("a second time, in another turn", after: "shuffle a1 a2", refused: "already-shuffled"),
            Refusal(
                "while the other one is away", after: "shuffle a1 b1 wait wait a1 b1 wait wait a1 b1 wait wait",
                refused: "already-shuffled"),
            Refusal("a game that is over", after: "a1 a2 b1 b2 c1 c2", refused: "not-running"),
            Refusal("a player who left", after: "leave0", refused: "not-your-turn"),
        ])
    func refuses(_ play: Refusal) throws {
        var table = try Table(["columns": 2, "rows": 3], players: play.players)
        _ = try table.play(play.script)
        let before = table.live
        let rejection = #expect(throws: Rejection.self) { try table.command("shuffle", by: Seat(play.seat)) }
        #expect(rejection?.code == play.code && table.live == before)
    }

    @Test("won cards stay, the others keep their state, and no one sees more")
    func moves() throws {
        var table = try Table(["columns": 5, "rows": 5, "theme": "numbers"], players: 1)
        _ = try table.play("a1 a2 b1 c1 wait")
        let (before, faces, names) = (table.live, table.faces, table.names)
        _ = try table.play("shuffle")
        let after = table.live
        #expect(table.faces != faces && table.faces.compactMap(\.self).sorted() == faces.compactMap(\.self).sorted())
        for (cell, card) in before.cards.enumerated() where card.side != .down {
            #expect(after.cards[cell] == card && table.faces[cell] == faces[cell])
        }
        for cell in before.cards.indices {
            let moved = try #require(table.names.firstIndex(of: names[cell]))
            #expect(table.faces[moved] == faces[cell] && after.cards[moved].isSeen == before.cards[cell].isSeen)
        }
        var (shown, expected) = (after.view, before.view)
        (shown["shuffled"], expected["shuffled"]) = (nil, nil)
        #expect(shown == expected)
        guard case .event(let step, _)? = table.log.last else { return }
        #expect(step.fields.names == ["seat", "moves"])
    }

    @Test("moves follow from the seed, and others do not fit a log with a known seed")
    func otherMoves() throws {
        var table = try Table(["columns": 2, "rows": 3], players: 1)
        _ = try table.play("a1 a2")
        let down = table.live.cards.indices.filter { table.live.cards[$0].side == .down }
        let up = try #require(table.cell("a1"))
        func shuffled(_ moves: [[Int]]) -> GameStep {
            GameStep(type: "cards-shuffled", fields: ["seat": 0, "moves": .list(moves.map { .integers($0) })])
        }
        let drawn = try #require(try table.live.decide("shuffle", [:], by: Seat(0), at: 0)?.first)
        let swap = [[down[0], down[1]], [down[1], down[0]]]
        try #require(drawn != shuffled(swap))
        var (live, shown) = (table.live, table.shown)
        let fits = (live: live.apply(shuffled(swap), at: 0), shown: shown.apply(shuffled(swap), at: 0))
        #expect(fits == (false, true), "nobody without the seed can know")
        for misfit in [
            [[down[0], down[1]]], [[down[0], up], [up, down[0]]], [[down[0], down[1]], [down[0], down[1]]], [[-1, -1]],
            [[down[0]]], [[0, 99], [99, 0]], [[.max, .min], [.min, .max]],
        ] {
            for fold in [table.live, table.shown] {
                var game = fold
                let fits = game.apply(shuffled(misfit), at: 0)
                #expect(!fits && game == fold)
            }
        }
    }

    @Test("a moved card that was seen is not new, so the game still stalls")
    func stalls() throws {
        var table = try Table(["columns": 2, "rows": 3], players: 2)
        _ = try table.play("a1 b1 wait a1 c1 wait shuffle a1 b1 wait shuffle a1 b1 wait")
        for _ in 2..<11 {
            _ = try table.play("a1 b1 wait")
            #expect(table.live.outcome == nil)
        }
        _ = try table.play("a1 b1 wait")
        #expect(table.live.outcome?.reason == .stalled)
    }

    @Test("a moved card that was not seen is new")
    func doesNotStall() throws {
        var table = try Table(["columns": 2, "rows": 3], players: 2)
        _ = try table.play("a1 b1 wait a1 c1 wait")
        for _ in 1..<12 { _ = try table.play("a1 b1 wait") }
        _ = try table.play("shuffle a1 b2 wait")
        #expect(table.live.outcome == nil)
    }

    @Test("every reshuffle is as in the other program")
    func elsewhere() throws {
        var (requests, games): ([[String: Any]], [(decks: [[String?]], moves: [[[Int]]])]) = ([], [])
        for (number, size) in MemoryBoardTests.sizes.enumerated() {
            let server = SHA256.digest(of: "reshuffled \(number)")
            var table = try Table(
                ["theme": "numbers", "columns": .integer(size.0), "rows": .integer(size.1)], players: 1,
                seed: gameSeed(serverSeed: server, nonces: [:]))
            table.comparesViews = false
            var game = (decks: [[String?]](), moves: [[[Int]]]())
            var down: [[Int]] = []
            for step in ["", "a1 a2", "b1 c1 wait", "c1 c2"] {
                if table.live.outcome != nil { break }
                _ = try table.play(step)
                down.append(table.live.cards.indices.filter { table.live.cards[$0].side == .down })
                let shuffled = try table.command("shuffle", by: Seat(0))
                game.moves.append((shuffled[0].fields["moves"]?.list ?? []).compactMap(\.integers))
                game.decks.append(table.faces)
            }
            requests.append([
                "serverSeed": server.hex, "nonces": [String: String](), "faces": table.live.setup.faces,
                "cells": size.0 * size.1, "reshuffles": down,
            ])
            games.append(game)
        }
        let answers = try MemoryDeckTests.deal(requests)
        try #require(answers.count == games.count)
        for (answer, game) in zip(answers, games) { #expect(answer.decks == game.decks && answer.moves == game.moves) }
    }
}
