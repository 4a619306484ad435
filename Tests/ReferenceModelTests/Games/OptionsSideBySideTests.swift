import Cryptography
import JSON
import Testing

@testable import Games
@testable import ReferenceModel

@Suite("The model of a room's options beside the hub's") struct OptionsSideBySideTests {
    /// Values that are asked for, in range, at its ends, outside and of other kinds.
    private static let values: [String: [GameValue]] = [
        "seats": [1, 2, 3, 8, 0, 9, "two"], "turnTime": [0, 5, 30, 3_600, 604_800, 4, 604_801, -1, true],
        "preset": ["classic", "easy", "medium", "hard", "memorize", "custom", "huge", 3],
        "columns": [2, 3, 5, 8, 1, 9], "rows": [3, 4, 7, 12, 2, 13, .list([])], "pairs": [3, 13, 47, 48, 2, 49],
        "theme": ["random", "numbers", "animals", "garden", "pictures", "no such", 1],
        "rule": ["pairs", "memorize", "easy", "medium", "hard", "none"], "turnRule": ["again", "alternate", "never"],
        "reveal": [200, 10_000, 199, 10_001], "matched": ["stay", "vanish", "burn"], "size": [4],
    ]

    @Test("whatever is asked for")
    func anything() {
        var words = RandomWords(seed: SHA256.digest(of: "options side by side"))
        var (begun, refused) = (0, [String: Int]())
        for number in 0..<1_500 {
            let asked = Self.asked(&words)
            let refusal = RoomOptions.refusal(
                of: JSON(asked), game: "memory", themes: Theme.all.map { $0.name })
            do throws(Rejection) {
                let taken = try Memory.options(asked)
                #expect(refusal == nil, "\(asked) is taken as \(taken)")
            } catch {
                refused[error.code, default: 0] += 1
                guard case .refused(let code, let values)? = refusal, code == error.code else {
                    Issue.record("\(asked) is refused as \(error.code), expected \(String(describing: refusal))")
                    continue
                }
                let found = JSON(error.values)
                #expect(values.allSatisfy { found[$0.name] == $0.value }, "\(asked): \(values), found \(found)")
                continue
            }
            begun += 1
            let play = SideBySide<Memory>(asked, number: number, model: MemoryModel.self) { Issue.record("\($0)") }
            #expect(play?.disagreement == nil, "\(asked)")
        }
        #expect(begun > 300, "\(begun) begun, \(refused)")
        for code in ["unknown-option", "out-of-range", "unknown-value", "options-conflict"] {
            #expect(refused[code, default: 0] > 10, "\(code): \(refused)")
        }
    }

    /// Of each option mostly nothing, else mostly what is in range.
    private static func asked(_ words: inout RandomWords) -> Fields {
        var asked = Fields()
        let share = 1 + words.number(below: 8)
        for name in values.keys.sorted() where words.number(below: 10) < share && (name != "size" || share == 1) {
            guard let choices = values[name] else { continue }
            let isAny = words.number(below: 12) == 0
            asked[name] = choices[words.number(below: isAny ? choices.count : max(1, choices.count - 3))]
        }
        return asked
    }
}
