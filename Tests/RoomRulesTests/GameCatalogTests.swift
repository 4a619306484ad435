import Games
import Testing

@testable import RoomRules

@Suite("Games of one hub") struct GameCatalogTests {
    private typealias Plain = NamedGame<PlainNames>
    private enum Ready: GameNames { static let events = ["stepped", "ready"] }
    private enum Welcome: GameNames { static let events = ["welcome"] }
    private enum Sit: GameNames { static let commands = ["step", "sit"] }
    private enum Say: GameNames { static let commands = ["say"] }
    private enum Ping: GameNames { static let commands = ["ping"] }
    private enum Twice: GameNames { static let events = ["stepped", "stepped"] }
    private enum Crowd: GameNames { static let seats = 1...9 }
    private enum Empty: GameNames { static let seats = 0...2 }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let games: [any Game.Type]
        let error: GameCatalogError
        init(_ what: String, _ games: [any Game.Type], _ error: GameCatalogError) {
            (testDescription, self.games, self.error) = (what, games, error)
        }
    }

    @Test("the built-in games are compatible, and may share names of events")
    func builtIn() throws {
        let games = try GameCatalog(GameList.all + [Plain.self])
        #expect(games.names == GameList.all.map { $0.name } + ["named"])
        #expect(games.game(named: "named") != nil && games.game(named: "chess") == nil)
        #expect(Memory.eventTypes.contains("turn-expired") && Reversi.eventTypes.contains("turn-expired"))
    }

    @Test(
        "is refused, naming the game and the name",
        arguments: [
            Refused(
                "an event of the room's", [NamedGame<Ready>.self], .reserved(.event, "ready", game: "named")),
            Refused(
                "what the hub says", [NamedGame<Welcome>.self], .reserved(.event, "welcome", game: "named")),
            Refused(
                "a command of the room's", [NamedGame<Sit>.self], .reserved(.command, "sit", game: "named")),
            Refused("chat", [NamedGame<Say>.self], .reserved(.command, "say", game: "named")),
            Refused("no command at all", [NamedGame<Ping>.self], .reserved(.command, "ping", game: "named")),
            Refused("one name twice", [NamedGame<Twice>.self], .twice(.event, "stepped", game: "named")),
            Refused("two of one name", [Memory.self, Plain.self, Memory.self], .twoGames("memory")),
            Refused("more seats than a room has", [NamedGame<Crowd>.self], .seats(1...9, game: "named")),
            Refused("no seats", [NamedGame<Empty>.self], .seats(0...2, game: "named")),
        ])
    func refuses(_ refused: Refused) {
        #expect(throws: refused.error) { try GameCatalog(refused.games) }
    }

    @Test("an error says what to do")
    func sentence() {
        #expect(
            GameCatalogError.reserved(.event, "ready", game: "snap").sentence
                == "The game `snap` has an event `ready`, but rooms use this name themselves. Rename it.")
    }
}
