import Games
import JSON
import Testing

@testable import Simulation

@Suite("Simulated people") struct OpeningsTests {
    @Test("ask for every option of every game", arguments: GameList.all.map { $0.name })
    func options(of name: String) throws {
        let game = try #require(GameList.all.first { $0.name == name })
        let known = try #require(throws: Rejection.self) { try game.options(["": .null]) }
        let offer = GameOffer(game)
        var (choices, asked, modes) = (Choices(seed: 1, part: 1), Set<String>(), Set<String>())
        for _ in 0..<200 {
            let options = offer.options(&choices)
            #expect(throws: Never.self) { try game.options(options) }
            asked.formUnion(options.names)
            if let mode = offer.mode(&choices) { modes.insert(mode) }
            #expect(game.computerLevels.contains(offer.level(&choices)))
        }
        #expect(asked == Set(known.values["options"]?.strings ?? []))
        #expect(!modes.isEmpty)
    }

    @Test("open rooms of every game")
    func games() throws {
        var choices = Choices(seed: 1, part: 1)
        let opened = try (0..<200).map { _ in
            try JSONReader.read(Array(Openings().next(&choices).utf8)).object?["game"]?.string
        }
        #expect(Set(opened) == Set(GameList.all.map { $0.name }))
    }
}
