import JSON
import Testing

@testable import RoomRules

@Suite("Games won in a series") struct WinsTests {
    @Test("are counted for a sole winner among several players, and start again after 12 hours")
    func counted() {
        let table = Table()
        table.playOut()
        let winner = table.state.lastEnd?.results.first { $0.place == 1 }?.player ?? ""
        func wins() -> Fields? { table.hub.join(table.code).last("welcome")?["room"]?.object?["wins"]?.object }
        #expect(wins() == [winner: 1])
        table.hub.pass(Wins.pause)
        table.playAgain()
        table.playOut()
        #expect(wins()?.values.compactMap(\.integer).reduce(0, +) == 2)
        table.hub.pass(Wins.pause + 1)
        table.playAgain()
        table.playOut()
        #expect(wins()?.values.compactMap(\.integer).reduce(0, +) == 1)
    }
}
