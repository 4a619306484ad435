import Testing

@testable import ReferenceModel

@Suite("The model of Memory") struct MemoryModelTests {
    @Test("deals the protocol's example")
    func example() throws {
        let game = try Started(players: ["p0"]).memory(columns: 2, rows: 3)
        #expect(game.cards.indices.map { game.face($0) } == ["43", "47", "4", "47", "4", "43"])
    }

    @Test("draws the protocol's words")
    func words() {
        var draw = Draw(serverSeed: [UInt8](0..<32), nonces: [])
        let words = (0..<8).map { _ in draw.word() }
        #expect(
            words == [
                0xc044_1ef8, 0xad85_ac58, 0x2eb8_d856, 0x45f3_a7c0, 0xf217_c352, 0xdca2_42f4, 0xc1a3_893e, 0x321d_d5f8,
            ])
    }

    struct Score: Sendable, CustomTestStringConvertible {
        let rule: String
        /// Milliseconds from the first card to the second.
        var after = 0
        let match: Int
        /// Of two cards that differ: never seen, one seen before, both.
        let differ: [Int]
        var bonus: Int?

        var testDescription: String { "\(rule), \(after) ms" }
    }

    @Test(
        "scores by rule",
        arguments: [
            Score(rule: "pairs", match: 1, differ: [0, 0, 0]),
            Score(rule: "memorize", match: 2, differ: [0, -1, -2]),
            Score(rule: "easy", match: 10, differ: [0, 0, 0]),
            Score(rule: "medium", match: 15, differ: [0, 0, 0], bonus: 5),
            Score(rule: "medium", after: 999, match: 15, differ: [0, 0, 0], bonus: 5),
            Score(rule: "medium", after: 1_000, match: 14, differ: [0, 0, 0], bonus: 4),
            Score(rule: "medium", after: 4_999, match: 11, differ: [0, 0, 0], bonus: 1),
            Score(rule: "medium", after: 5_000, match: 10, differ: [0, 0, 0], bonus: 0),
            Score(rule: "hard", match: 15, differ: [0, 0, 0], bonus: 5),
            Score(rule: "hard", after: 29_000, match: 10, differ: [0, 0, 0], bonus: 0),
        ])
    func scores(row: Score) throws {
        let fresh = try Started(players: ["p0"]).memory(columns: 4, rows: 4, ["rule": .text(row.rule)])
        var play = Scripted(fresh)
        let (one, other) = fresh.twins()
        play.say(.flip(cell: one))
        play.now += row.after
        let events = play.say(.flip(cell: other))
        #expect(events.types == ["show-card", "match", "turn"])
        #expect(play.game.scores[0].number == row.match)
        guard case .showCard(_, _, _, row.bonus)? = events.first else {
            Issue.record("another bonus: \(events)")
            return
        }
        // Cards a, b, c of different faces: a and b are new, then a and c, then a and c again.
        let (a, b, c) = (fresh.twins(0).0, fresh.twins(1).0, fresh.twins(2).0)
        var last = Scripted(fresh)
        for (pair, expected) in zip([(a, b), (a, c), (a, c)], row.differ) {
            let before = last.game.scores[0].number
            last.say(.flip(cell: pair.0))
            last.say(.flip(cell: pair.1))
            last.wait()
            #expect(last.game.scores[0].number - before == expected)
        }
    }

    @Test("a mismatch costs 5 by the rule hard, and no score falls below 0")
    func hard() throws {
        var play = Scripted(try Started(players: ["p0"]).memory(columns: 4, rows: 4, ["rule": "hard"]))
        let (one, other) = play.game.twins()
        play.say(.flip(cell: one))
        play.now += 2_000
        play.say(.flip(cell: other))
        var scores = [play.game.scores[0].number]
        let (first, second) = play.game.strangers()
        for _ in 0..<4 {
            play.say(.flip(cell: first))
            play.say(.flip(cell: second))
            play.wait()
            scores.append(play.game.scores[0].number)
        }
        #expect(scores == [13, 8, 3, 0, 0])
    }

    @Test("a shuffled card that has been up counts as known where it lies now")
    func shuffledCards() throws {
        var play = Scripted(try Started(players: ["p0"]).memory(columns: 4, rows: 4, ["rule": "memorize"]))
        let (first, second) = play.game.strangers()
        let faces = [play.game.face(first), play.game.face(second)]
        play.say(.flip(cell: first))
        play.say(.flip(cell: second))
        play.wait()
        #expect(play.say(.shuffle).types == ["cards-shuffled"])
        #expect(play.say(.shuffle).types == ["cards-shuffled"], "alone as often as one likes")
        let known = play.game.isKnown.indices.filter { play.game.isKnown[$0] }
        #expect(Set(known.map { play.game.face($0) }) == Set(faces) && known.count == 2)
        play.say(.flip(cell: known[0]))
        play.say(.flip(cell: known[1]))
        play.wait()
        #expect(play.game.scores[0].number == -2)
    }

    @Test("what is refused")
    func refusals() throws {
        var play = Scripted(try Started().memory(columns: 3, rows: 3))
        #expect(play.refusal(of: .flip(cell: 0), by: 1) == "not-your-turn")
        #expect(play.refusal(of: .flip(cell: 4)) == "no-such-cell", "the gap")
        #expect(play.refusal(of: .flip(cell: 9)) == "no-such-cell")
        #expect(play.refusal(of: .flip(cell: -1)) == "no-such-cell")
        #expect(play.refusal(of: .shuffle, by: 1) == "not-your-turn")
        let (one, other) = play.game.twins()
        play.say(.shuffle)
        #expect(play.refusal(of: .shuffle) == "already-shuffled")
        let (first, second) = play.game.twins()
        play.say(.flip(cell: first))
        #expect(play.refusal(of: .flip(cell: first)) == "card-is-up")
        #expect(play.refusal(of: .shuffle) == "attempt-under-way")
        play.say(.flip(cell: second))
        #expect(play.refusal(of: .flip(cell: second)) == "card-is-won")
        let (third, fourth) = play.game.strangers()
        play.say(.flip(cell: third))
        play.say(.flip(cell: fourth))
        #expect(play.refusal(of: .flip(cell: one)) == "wait-for-reveal")
        #expect(play.refusal(of: .shuffle) == "wait-for-reveal")
        #expect(play.refusal(of: .flip(cell: other), by: 1) == "not-your-turn")
    }
}
