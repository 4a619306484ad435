import JSON
import Testing

@testable import Games

/// Rows of the scoring table. Scores are those of all seats, in the order of turns.
@Suite("Memory: scoring") struct MemoryScoringTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let rule: String
        let script: String
        let players: Int
        let scores: [Int]

        init(_ rule: String, _ name: String, _ script: String, players: Int = 1, _ scores: Int...) {
            testDescription = "\(rule): \(name)"
            (self.rule, self.script, self.players, self.scores) = (rule, script, players, scores)
        }

        func check() throws {
            // Six pairs: a to f.
            var table = try Table(["columns": 3, "rows": 4, "rule": .string(rule)], players: players)
            _ = try table.play(script)
            #expect(table.live.scores == scores)
        }
    }

    @Test(
        "what a match is worth",
        arguments: [
            Row("pairs", "1", "a1 a2", 1),
            Row("pairs", "and 1 more", "a1 a2 b1 b2", 2),
            Row("memorize", "2", "a1 a2", 2),
            Row("memorize", "2, seen or not", "a1 b1 wait a1 a2", 2),
            Row("easy", "10", "a1 a2", 10),
            Row("easy", "10, however late", "a1 +60000 a2", 10),
            Row("medium", "10 and the bonus", "a1 a2", 15),
            Row("medium", "10 without one", "a1 +5000 a2", 10),
            Row("hard", "10 and the bonus", "a1 a2 b1 +2000 b2", 28),
            Row("hard", "10 without one", "a1 +60000 a2", 10),
            Row("medium", "who wins it gets it", "a1 b1 wait a1 +1000 a2", players: 2, 0, 14),
        ])
    func matches(_ row: Row) throws { try row.check() }

    @Test(
        "what a mismatch costs",
        arguments: [
            Row("pairs", "nothing", "a1 a2 b1 c1 wait b1 c1 wait", 1),
            Row("easy", "nothing", "a1 a2 b1 c1 wait b1 c1 wait", 10),
            Row("medium", "nothing", "a1 a2 b1 c1 wait b1 c1 wait", 15),
            Row("hard", "5", "a1 a2 b1 c1 wait", 10),
            Row("hard", "5 each time", "a1 a2 b1 c1 wait d1 e1 wait", 5),
            Row("hard", "never below 0", "a1 b1 wait", 0),
            Row("hard", "never below 0, from 2 less than it costs", "a1 +3000 a2 b1 c1 wait d1 e1 wait b1 c1 wait", 0),
            Row("hard", "whose turn it is", "a1 a2 b1 c1 wait b1 c1 wait", players: 2, 10, 0),
            Row("hard", "only once the cards turn back", "a1 a2 b1 c1", 15),
            Row("memorize", "nothing for two new cards", "a1 b1 wait", 0),
            Row("memorize", "1 for one seen before", "a1 b1 wait a1 c1 wait", -1),
            Row("memorize", "1 for the second seen before", "a1 b1 wait c1 a1 wait", -1),
            Row("memorize", "2 for two seen before", "a1 b1 wait a1 b1 wait", -2),
            Row("memorize", "and so on below 0", "a1 b1 wait a1 b1 wait a1 b1 wait", -4),
            Row("memorize", "nothing for cards whose mates were seen", "a1 b1 wait a2 b2 wait", 0),
            Row("memorize", "whoever saw them", "a1 b1 wait a1 b1 wait", players: 2, 0, -2),
            Row("memorize", "a card that time turned down is seen", "a1 wait a1 b1 wait", players: 2, 0, -1),
            Row("memorize", "and so is one whose player left", "a1 leave0 a1 b1 wait", players: 2, 0, -1),
            Row("memorize", "a card that was moved takes it along", "a1 b1 wait shuffle a1 c1 wait", -1),
            Row("memorize", "and leaves none of it behind", "a1 b1 wait shuffle c1 d1 wait", 0),
        ])
    func mismatches(_ row: Row) throws { try row.check() }

    @Test(
        "an attempt without an end scores nothing",
        arguments: [
            Row("hard", "time that runs out", "a1 a2 b1 wait", players: 2, 15, 0),
            Row("memorize", "time that runs out", "a1 b1 wait a1 b1 wait a1 wait", players: 2, 0, -2),
            Row("hard", "leaving with a card up", "a1 a2 b1 leave0", players: 2, 15, 0),
            Row("hard", "leaving during the reveal", "a1 a2 b1 c1 leave0", players: 2, 15, 0),
            Row("memorize", "leaving during the reveal", "a1 b1 wait a1 b1 leave1", players: 2, 0, 0),
        ])
    func withoutEnd(_ row: Row) throws { try row.check() }

    /// Penguin a, ghost b, pencil c, ball d, panda e.
    @Test(
        "memorize, alone: the rules, step by step", arguments: ["b1 b2", "b2 b1"])
    func check(ghosts: String) throws {
        var table = try Table(["columns": 3, "rows": 4, "rule": "memorize"], players: 1)
        _ = try table.play("a1 b1 wait c1 d1 wait " + ghosts)
        #expect(table.live.scores == [2])
        _ = try table.play("a1 e1 wait")
        #expect(table.live.scores == [1])
        _ = try table.play("d1 a1 wait")
        #expect(table.live.scores == [-1])
        _ = try table.play("a1 a2")
        #expect(table.live.scores == [1])
    }

    @Test(
        "the bonus is the whole seconds left of five, rounded up",
        arguments: zip(
            [0, 1, 999, 1_000, 1_001, 1_999, 2_000, 2_999, 3_000, 3_999, 4_000, 4_999, 5_000, 5_001, 86_400_000],
            [5, 5, 5, 4, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 0]))
    func bonus(after span: Milliseconds, bonus: Int) throws {
        for rule in ["medium", "hard"] {
            var table = try Table(["columns": 3, "rows": 4, "rule": .string(rule)], players: 1, at: 1_000)
            _ = try table.play("a1 +\(span) a2")
            #expect(table.live.scores == [10 + bonus])
            #expect(bonuses(table) == [nil, bonus])
            _ = try table.play("b1 +\(span) c1")
            #expect(bonuses(table) == [nil, bonus, nil, bonus], "it is shown with a mismatch, too")
        }
    }

    @Test("other rules show no bonus", arguments: ["pairs", "memorize", "easy"])
    func noBonus(rule: String) throws {
        var table = try Table(["columns": 3, "rows": 4, "rule": .string(rule)], players: 1)
        _ = try table.play("a1 a2 b1 c1")
        #expect(bonuses(table) == [nil, nil, nil, nil])
    }

    @Test("time in which the hub did not run does not cost a bonus")
    func downtime() throws {
        var table = try Table(["columns": 3, "rows": 4, "rule": "hard"], players: 1)
        _ = try table.play("a1 +900 down60000 +50 a2 down60000 b1 down7 +1000 b2")
        #expect(table.live.scores == [15 + 14])
    }

    @Test(
        "an impossible bonus does not fit a log",
        arguments: [
            ("", ["bonus": 5]), ("a1", [:]), ("a1", ["bonus": 6]), ("a1", ["bonus": -1]), ("a1", ["bonus": "5"]),
        ] as [(String, Fields)])
    func misfits(script: String, bonus: Fields) throws {
        var table = try Table(["columns": 3, "rows": 4, "rule": "hard"], players: 1)
        _ = try table.play(script)
        let cell = try #require(table.cell("b1"))
        let face = Value.string(table.faces[cell] ?? "")
        let fields: Fields = ["cell": .integer(cell), "face": face, "seat": 0]
        for fold in [table.live, table.shown] {
            var game = fold
            let fits = game.apply(GameStep(type: "show-card", fields: fields.merging(bonus)), at: 0)
            #expect(!fits && game == fold)
        }
    }

    private func bonuses(_ table: Table) -> [Int?] {
        table.log.compactMap { entry in
            guard case .event(let step, _) = entry, step.type == "show-card" else { return nil }
            return .some(step.fields["bonus"]?.integer)
        }
    }
}
