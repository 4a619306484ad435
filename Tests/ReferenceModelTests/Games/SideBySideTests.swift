import Foundation
import JSON
import Testing

@testable import Games
@testable import ReferenceModel

@Suite("The model of a game beside the hub's") struct SideBySideTests {
    private static let memory: [Fields] = [
        ["columns": 2, "rows": 3], ["pairs": 4, "rule": "hard", "turnTime": 5], ["preset": "easy", "turnTime": 60],
        ["pairs": 5, "rule": "memorize", "turnRule": "alternate", "turnTime": 5, "reveal": 200],
        ["columns": 3, "rows": 3, "rule": "medium", "matched": "vanish", "theme": "pictures"],
        ["columns": 2, "rows": 4, "theme": "random", "turnTime": 0], [:], ["preset": "memorize"],
        ["columns": 2, "rows": 3, "rule": "memorize", "seats": 2, "turnTime": 5],
        ["preset": "hard", "turnTime": 3600], ["preset": "medium", "seats": 1], ["pairs": 48, "theme": "numbers"],
        ["preset": "memorize", "columns": 3], ["rows": 12], ["preset": "hard", "rule": "pairs"], ["pairs": 47],
    ]
    private static let others: [Fields] = [[:], ["turnTime": 0], ["turnTime": 5], ["turnTime": 7200, "seats": 2]]

    @Test("Memory") func memory() {
        play(Memory.self, MemoryModel.self, Self.memory, games: Self.count(48, long: 6_000))
    }
    @Test("Reversi") func reversi() {
        play(Reversi.self, ReversiModel.self, Self.others, games: Self.count(40, long: 3_000))
    }
    @Test("Connect four") func connectFour() {
        play(ConnectFour.self, ConnectFourModel.self, Self.others, games: Self.count(100, long: 10_000))
    }

    /// More of them where the environment says FLIPSIDE_LONG_TESTS.
    private static func count(_ short: Int, long: Int) -> Int {
        ProcessInfo.processInfo.environment["FLIPSIDE_LONG_TESTS"] == nil ? short : long
    }

    private func play<Played: Game>(
        _ game: Played.Type, _ model: any GameModel.Type, _ options: [Fields], games: Int
    ) {
        var (events, reasons) = ([String: Int](), [String: Int]())
        var failures = 0
        for number in 0..<games where failures < 3 {
            let asked = options[number % options.count]
            let play = SideBySide<Played>(asked, number: number, model: model) { Issue.record("\($0)") }
            guard var play else {
                failures += 1
                continue
            }
            play.play(mostSteps: 3_000)
            events.merge(play.events) { $0 + $1 }
            reasons.merge(play.reasons) { $0 + $1 }
            if let disagreement = play.disagreement {
                failures += 1
                let history = play.history.suffix(30).joined(separator: "\n")
                Issue.record("\(Played.name) \(number) \(asked): \(disagreement)\n\(history)")
            }
        }
        for type in Played.eventTypes { #expect(events[type, default: 0] > 0, "no \(type)") }
        for reason in ["finished"] + (Played.self == Memory.self ? ["stalled", "left"] : ["resigned", "time"]) {
            #expect(reasons["end by \(reason)", default: 0] > 0, "no game ends by \(reason)")
        }
    }
}
