import Games
import Testing

@testable import RoomRules

@Suite("Games won in a series") struct WinsTests {
    @Test(
        "are not counted",
        arguments: [
            Ending("of a draw", [(1, false), (1, false)], .game(.finished)),
            Ending("of a single player", [(1, false)], .game(.finished)),
            Ending("of a game that no one finished", [(1, false), (2, false)], .game(.stalled)),
            Ending("of one dealt again", [(1, false), (2, false)], .restart),
            Ending("of a player who left", [(1, true), (2, false)], .game(.finished)),
        ])
    func none(_ ending: Ending) {
        var wins = Wins()
        wins.countWin(of: ending.event(), at: 1)
        #expect(wins.counts.isEmpty && wins.fields == [:])
    }

    @Test("are counted for a sole winner, until the next game ends more than 12 hours later")
    func counted() {
        let won = Ending("", [(1, false), (2, false)], .game(.finished)).event()
        var wins = Wins()
        wins.countWin(of: won, at: 1)
        wins.countWin(of: won, at: 1 + Wins.pause)
        #expect(wins.counts == ["ann": 2])
        wins.countWin(of: won, at: 2 + 2 * Wins.pause)
        #expect(wins.counts == ["ann": 1])
    }

    @Test("beyond the limit only the present players' wins are kept")
    func limit() {
        var wins = Wins()
        for number in 0...Wins.limit {
            wins.countWin(of: Ending("", [(1, false), (2, false)], .game(.finished)).event("p\(number)"), at: number)
            #expect(wins.counts.count == (number == Wins.limit ? 1 : number + 1))
        }
    }

    struct Ending: CustomTestStringConvertible {
        let testDescription: String
        let places: [(Int, Bool)]
        let reason: GameEndReason
        init(_ what: String, _ places: [(Int, Bool)], _ reason: GameEndReason) {
            (testDescription, self.places, self.reason) = (what, places, reason)
        }

        func event(_ winner: String = "ann") -> GameEnded {
            let results = places.enumerated().map { seat, place in
                NamedResult(
                    player: seat == 0 ? winner : "other",
                    result: PlayerResult(seat: Seat(seat), score: 0, figures: [:], time: 0, isLeftEarly: place.1),
                    place: place.0)
            }
            return GameEnded(
                game: PlayedGame(name: "memory", mode: "", number: 1), reason: reason, results: results, reveal: nil,
                seed: nil)
        }
    }
}
