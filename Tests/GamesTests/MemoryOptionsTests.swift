import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Memory: options") struct MemoryOptionsTests {
    struct Refusal: CustomTestStringConvertible {
        let testDescription: String
        let asked: Fields
        let rejection: Rejection

        init(_ name: String, _ asked: Fields, _ code: StaticString, _ sentence: String, _ values: Fields) {
            testDescription = name
            self.asked = asked
            rejection = Rejection(code, sentence, values: values)
        }

        /// A number out of `range`.
        init(_ name: String, _ option: String, _ value: Value, _ range: ClosedRange<Int>, unit: String = "") {
            self.init(
                name, [option: value], "out-of-range",
                "\(option) must be a whole number from \(range.lowerBound) to \(range.upperBound)\(unit).",
                ["option": .string(option), "range": .integers([range.lowerBound, range.upperBound])])
        }
    }

    @Test(
        "a value out of range is refused with the range",
        arguments: [
            Refusal("too few columns", "columns", 1, 2...8),
            Refusal("too many columns", "columns", 9, 2...8),
            Refusal("columns that are no number", "columns", "4", 2...8),
            Refusal("a fraction of a column", "columns", .fraction(4.5), 2...8),
            Refusal("no columns at all", "columns", .null, 2...8),
            Refusal("too few rows", "rows", 2, 3...12),
            Refusal("too many rows", "rows", 13, 3...12),
            Refusal("too few pairs", "pairs", 2, 3...48),
            Refusal("too many pairs", "pairs", 49, 3...48),
            Refusal("no seat", "seats", 0, 1...8),
            Refusal("too many seats", "seats", 9, 1...8),
            Refusal("too short a reveal", "reveal", 199, 200...10_000, unit: " milliseconds"),
            Refusal("too long a reveal", "reveal", 10_001, 200...10_000, unit: " milliseconds"),
            Refusal(
                "too short a turn", ["turnTime": 4], "out-of-range",
                "turnTime must be 0 (off) or a whole number from 5 to 604800 seconds.",
                ["option": "turnTime", "range": .integers([5, 604_800]), "off": 0]),
            Refusal(
                "too long a turn", ["turnTime": 604_801], "out-of-range",
                "turnTime must be 0 (off) or a whole number from 5 to 604800 seconds.",
                ["option": "turnTime", "range": .integers([5, 604_800]), "off": 0]),
            Refusal(
                "a rule that is none", ["rule": "classic"], "unknown-value",
                "rule must be one of pairs, memorize, easy, medium, hard.",
                ["option": "rule", "choices": .strings(["pairs", "memorize", "easy", "medium", "hard"])]),
            Refusal(
                "an unknown preset", ["preset": "Classic"], "unknown-value",
                "preset must be one of classic, easy, medium, hard, memorize, custom.",
                [
                    "option": "preset",
                    "choices": .strings(["classic", "easy", "medium", "hard", "memorize", "custom"]),
                ]),
            Refusal(
                "an unknown turn rule", ["turnRule": "never"], "unknown-value",
                "turnRule must be one of again, alternate.",
                ["option": "turnRule", "choices": .strings(["again", "alternate"])]),
            Refusal(
                "an unknown way of cards won", ["matched": true], "unknown-value",
                "matched must be one of stay, vanish.",
                ["option": "matched", "choices": .strings(["stay", "vanish"])]),
            Refusal(
                "an unknown theme", ["theme": "nothing"], "unknown-value",
                "theme must be one of \(Theme.all.map(\.name).joined(separator: ", ")), random.",
                ["option": "theme", "choices": .strings(Theme.all.map(\.name) + ["random"])]),
            Refusal(
                "too long for a second card", ["order": "free", "turnTime": 61], "out-of-range",
                "turnTime must be 0 (off) or a whole number from 5 to 60 seconds if order is free.",
                ["option": "turnTime", "range": .integers([5, 60]), "off": 0]),
            Refusal(
                "too short for a second card", ["order": "free", "turnTime": 4], "out-of-range",
                "turnTime must be 0 (off) or a whole number from 5 to 60 seconds if order is free.",
                ["option": "turnTime", "range": .integers([5, 60]), "off": 0]),
            Refusal(
                "an unknown order", ["order": "none"], "unknown-value", "order must be one of turns, free.",
                ["option": "order", "choices": .strings(["turns", "free"])]),
            Refusal(
                "a rule for turns where there are none", ["order": "free", "turnRule": "again"], "options-conflict",
                "turnRule and order cannot be asked for together.", ["options": .strings(["turnRule", "order"])]),
            Refusal(
                "pairs and columns", ["pairs": 8, "columns": 4], "options-conflict",
                "pairs and columns cannot be asked for together.", ["options": .strings(["pairs", "columns"])]),
            Refusal(
                "pairs and rows", ["rows": 4, "pairs": 8], "options-conflict",
                "pairs and rows cannot be asked for together.", ["options": .strings(["pairs", "rows"])]),
            Refusal(
                "no option", ["colums": 4], "unknown-option",
                "There is no option colums. The options are \(Memory.Options.names.joined(separator: ", ")).",
                ["option": "colums", "options": .strings(Memory.Options.names)]),
        ])
    func refuses(_ refusal: Refusal) {
        #expect(throws: refusal.rejection) { try Memory.options(refusal.asked) }
    }

    @Test(
        "the ends of every range are allowed, and kept as asked",
        arguments: [
            ["columns": 2, "rows": 3], ["columns": 8, "rows": 12], ["pairs": 3], ["pairs": 48],
            ["seats": 1, "reveal": 200], ["seats": 8, "reveal": 10_000], ["turnTime": 0], ["turnTime": 5],
            ["turnTime": 604_800], ["preset": "easy", "columns": 3, "theme": "random", "rule": "pairs"],
            ["turnRule": "alternate", "matched": "vanish"], [:],
        ] as [Fields])
    func allows(_ asked: Fields) throws {
        #expect(try Memory.options(asked) == asked)
    }

    struct Resolution: CustomTestStringConvertible {
        let testDescription: String
        let asked: Fields
        let players: Int
        /// The options that are checked, with their values.
        let expected: Fields

        init(_ name: String, _ asked: Fields, players: Int = 2, _ expected: Fields) {
            testDescription = name
            self.asked = asked
            self.players = players
            self.expected = expected
        }
    }

    @Test(
        "missing options are filled in",
        arguments: [
            Resolution(
                "nothing asked for, two players", [:],
                [
                    "seats": 8, "turnTime": 30, "preset": "classic", "columns": 4, "rows": 4, "pairs": 8,
                    "theme": "animals", "rule": "pairs", "turnRule": "again", "reveal": 1_000, "matched": "stay",
                ]),
            Resolution("alone, nobody waits", [:], players: 1, ["turnTime": 0]),
            Resolution("alone, but a timer asked for", ["turnTime": 60], players: 1, ["turnTime": 60]),
            Resolution("two players, no timer asked for", ["turnTime": 0], ["turnTime": 0]),
            Resolution("eight players", ["seats": 8], players: 8, ["seats": 8, "turnTime": 30]),
            Resolution(
                "classic", ["preset": "classic"],
                ["columns": 4, "rows": 4, "pairs": 8, "matched": "stay", "rule": "pairs"]),
            Resolution(
                "easy", ["preset": "easy"],
                ["columns": 2, "rows": 5, "pairs": 5, "matched": "vanish", "rule": "easy"]),
            Resolution(
                "medium", ["preset": "medium"],
                ["columns": 2, "rows": 7, "pairs": 7, "matched": "vanish", "rule": "medium"]),
            Resolution(
                "hard", ["preset": "hard"],
                ["columns": 4, "rows": 5, "pairs": 10, "matched": "vanish", "rule": "hard"]),
            Resolution(
                "custom", ["preset": "custom", "columns": 3, "rows": 5],
                ["columns": 3, "rows": 5, "pairs": 7, "matched": "stay", "rule": "pairs"]),
            Resolution(
                "a preset with another rule", ["preset": "hard", "rule": "memorize"],
                ["preset": "hard", "pairs": 10, "matched": "vanish", "rule": "memorize"]),
            Resolution(
                "memorize shows all faces of most themes", ["preset": "memorize", "theme": "animals"],
                ["preset": "memorize", "columns": 4, "rows": 8, "pairs": 16, "matched": "stay", "rule": "memorize"]),
            Resolution(
                "memorize shows the number that a theme says", ["preset": "memorize", "theme": "ocean"],
                ["columns": 4, "rows": 5, "pairs": 10]),
            Resolution(
                "memorize beside a board", ["preset": "memorize", "theme": "ocean", "columns": 2, "rows": 3],
                ["columns": 2, "rows": 3, "pairs": 3]),
            Resolution(
                "a preset with another side and another end", ["preset": "easy", "columns": 4, "matched": "stay"],
                ["preset": "easy", "columns": 4, "rows": 5, "pairs": 10, "matched": "stay"]),
            Resolution(
                "a preset with another number of pairs", ["preset": "hard", "pairs": 6],
                ["preset": "hard", "columns": 3, "rows": 4, "pairs": 6]),
            Resolution("a side alone is custom", ["rows": 6], ["preset": "custom", "columns": 4, "rows": 6]),
            Resolution(
                "a theme with too few faces makes the board", ["columns": 8, "rows": 12, "theme": "garden"],
                ["columns": 4, "rows": 6, "pairs": 12]),
            Resolution(
                "a theme with too few faces for the pairs", ["pairs": 48, "theme": "sports"],
                ["columns": 4, "rows": 7, "pairs": 14]),
            Resolution(
                "a theme with enough of them", ["columns": 8, "rows": 12, "theme": "numbers"],
                ["columns": 8, "rows": 12, "pairs": 48]),
        ])
    func resolves(_ case: Resolution) throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let setup = try Memory.setup(`case`.asked, players: `case`.players, draw: &draw)
        let options = setup.options
        #expect(options.names == Memory.Options.names.filter { $0 != "order" })
        for (name, value) in zip(`case`.expected.names, `case`.expected.values) {
            #expect(options[name] == value, "\(name)")
        }
        #expect(Memory.Setup(options: setup.options, fields: setup.fields) == setup)
    }

    @Test("the random theme is drawn for each game, from emoji and pictures")
    func randomTheme() throws {
        var draw = RandomWords(seed: SHA256.digest(of: "themes"))
        let drawn = try (0..<100).map { _ in
            try Memory.setup(["theme": "random"], players: 2, draw: &draw).themeName
        }
        #expect(Set(drawn) == Set(Theme.all.filter { $0.kind != .text }.map(\.name)))
    }

    @Test(
        "a log with an invalid game-started is refused, not folded",
        arguments: [
            ["board": .object(["columns": 9, "rows": 3, "pairs": 13])],
            ["board": .object(["columns": 4, "rows": .integer(.max), "pairs": 8])],
            ["board": .object(["columns": 4, "rows": 4, "pairs": 8, "drawn": .integers([9, 6])])],
            ["board": .object(["columns": 4, "rows": 4, "pairs": 8, "drawn": .integers([3, .max])])],
            ["board": "4x4"],
            ["theme": .object(["name": "few", "faces": .strings(["a", "b"]), "colour": .strings([])])],
            ["theme": .object(["name": "same", "faces": .strings(["a", "a", "b"]), "colour": .strings([])])],
            ["theme": .object(["name": "none", "colour": .strings([])])],
        ] as [Fields])
    func refusesSetups(_ change: Fields) throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let setup = try Memory.setup([:], players: 2, draw: &draw)
        #expect(Memory.Setup(options: setup.options, fields: setup.fields.merging(change)) == nil)
    }
}
