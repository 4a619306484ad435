import Testing

@testable import ReferenceModel

@Suite("The model of a room's options") struct RoomOptionsTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        var game = "memory"
        let asked: JSON
        let code: String?
        var values: JSON = [:]

        var testDescription: String { "\(game) \(asked)" }
    }

    @Test(
        "what is refused",
        arguments: [
            Refused(asked: [:], code: nil),
            Refused(asked: ["seats": 9], code: "out-of-range", values: ["option": "seats", "range": [1, 8]]),
            Refused(asked: ["seats": 1, "turnTime": 0, "columns": 2, "rows": 12], code: nil),
            Refused(
                asked: ["turnTime": 4], code: "out-of-range", values: ["option": "turnTime", "range": [5, 604_800]]),
            Refused(
                asked: ["turnTime": 604_801], code: "out-of-range",
                values: ["option": "turnTime", "range": [5, 604_800]]),
            Refused(asked: ["columns": 9], code: "out-of-range", values: ["option": "columns", "range": [2, 8]]),
            Refused(asked: ["rows": "4"], code: "out-of-range", values: ["option": "rows", "range": [3, 12]]),
            Refused(asked: ["pairs": 2], code: "out-of-range", values: ["option": "pairs", "range": [3, 48]]),
            Refused(
                asked: ["reveal": 199], code: "out-of-range", values: ["option": "reveal", "range": [200, 10_000]]),
            Refused(asked: ["size": 3], code: "unknown-option", values: ["option": "size"]),
            Refused(
                asked: ["matched": "burn"], code: "unknown-value",
                values: ["option": "matched", "choices": ["stay", "vanish"]]),
            Refused(asked: ["theme": "no such"], code: "unknown-value", values: ["option": "theme"]),
            Refused(asked: ["theme": "random"], code: nil),
            Refused(asked: ["pairs": 4, "rows": 4], code: "options-conflict", values: ["options": ["pairs", "rows"]]),
            Refused(asked: ["pairs": 4, "rows": .null], code: nil),
            Refused(game: "reversi", asked: ["seats": 2, "turnTime": 5], code: nil),
            Refused(
                game: "reversi", asked: ["seats": 1], code: "out-of-range",
                values: ["option": "seats", "range": [2, 2]]),
            Refused(game: "connect-four", asked: ["rows": 4], code: "unknown-option", values: ["option": "rows"]),
        ])
    func refusals(row: Refused) {
        let refusal = RoomOptions.refusal(of: row.asked, game: row.game, themes: ["animals", "numbers"])
        guard case .refused(let code, let values)? = refusal else {
            #expect(row.code == nil)
            return
        }
        #expect(code == row.code && JSON.object(values) == row.values)
    }

    @Test(
        "boards that pairs make",
        arguments: [
            (3, 2, 3), (4, 2, 4), (5, 2, 5), (6, 3, 4), (7, 2, 7), (8, 4, 4), (10, 4, 5), (11, 2, 11), (12, 4, 6),
            (13, 3, 9), (17, 5, 7), (18, 6, 6), (19, 6, 6), (23, 4, 11), (24, 6, 8), (25, 5, 10), (44, 8, 11),
            (47, 8, 11), (48, 8, 12),
        ])
    func boards(pairs: Int, columns: Int, rows: Int) {
        #expect(MemoryBoard(fitting: pairs) == MemoryBoard(columns: columns, rows: rows))
    }

    @Test("a game that begins otherwise than it was asked for is not taken")
    func begins() throws {
        var started = Started()
        #expect(throws: BrokenPromise.self) { try started.memory(columns: 4, rows: 4, ["preset": "hard"]) }
        started.players = ["p0", "p0"]
        #expect(throws: BrokenPromise.self) { try started.memory(columns: 4, rows: 4) }
        started.players = ["p0", "p1", "p2"]
        #expect(throws: BrokenPromise.self) { try started.reversi() }
        #expect(throws: BrokenPromise.self) { try started.memory(columns: 4, rows: 4, ["seats": 2]) }
        #expect(throws: Never.self) { try started.memory(columns: 4, rows: 4, ["seats": 3]) }
    }
}
