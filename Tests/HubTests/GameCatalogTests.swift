import Games
import Logging
import Testing
import Transport

@testable import Hub
@testable import RoomRules

@Suite("Games of one hub") struct GameCatalogTests {
    private enum Ready: MischiefNames { static let events = ["stepped", "ready"] }
    private enum Welcome: MischiefNames { static let events = ["welcome"] }
    private enum Sit: MischiefNames { static let commands = ["step", "sit"] }
    private enum Say: MischiefNames { static let commands = ["say"] }
    private enum Ping: MischiefNames { static let commands = ["ping"] }
    private enum Twice: MischiefNames { static let events = ["stepped", "stepped"] }
    private enum Crowd: MischiefNames { static let seats = 1...17 }
    private enum Nobody: MischiefNames { static let seats = 0...2 }

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
        let games = try GameCatalog(GameList.all + [Mischief.self])
        #expect(games.names == GameList.all.map { $0.name } + ["mischief"])
        #expect(games.game(named: "mischief") != nil && games.game(named: "chess") == nil)
        #expect(Memory.eventTypes.contains("turn-expired") && Reversi.eventTypes.contains("turn-expired"))
    }

    @Test(
        "is refused, naming the game and the name",
        arguments: [
            Refused(
                "an event of the room's", [MischievousGame<Ready>.self], .reserved(.event, "ready", game: "mischief")),
            Refused(
                "what the hub says", [MischievousGame<Welcome>.self], .reserved(.event, "welcome", game: "mischief")),
            Refused(
                "a command of the room's", [MischievousGame<Sit>.self], .reserved(.command, "sit", game: "mischief")),
            Refused("chat", [MischievousGame<Say>.self], .reserved(.command, "say", game: "mischief")),
            Refused("no command at all", [MischievousGame<Ping>.self], .reserved(.command, "ping", game: "mischief")),
            Refused("one name twice", [MischievousGame<Twice>.self], .twice(.event, "stepped", game: "mischief")),
            Refused("two of one name", [Memory.self, Mischief.self, Memory.self], .twoGames("memory")),
            Refused("more seats than a room has", [MischievousGame<Crowd>.self], .seats(1...17, game: "mischief")),
            Refused("a game of nobody", [MischievousGame<Nobody>.self], .seats(0...2, game: "mischief")),
        ])
    func refuses(_ refused: Refused) {
        #expect(throws: refused.error) { try GameCatalog(refused.games) }
    }

    @Test("a hub does not start with a game that does not fit")
    func serving() {
        var options = HubOptions(transport: TransportOptions(addresses: []), log: .sqlite(folder: "/dev/null/none"))
        options.games = GameList.all + [MischievousGame<Ready>.self]
        #expect(throws: GameCatalogError.reserved(.event, "ready", game: "mischief")) {
            try HubServer(options, logger: Logger(label: "test"))
        }
    }

    @Test("an error says what to do")
    func sentence() {
        #expect(
            GameCatalogError.reserved(.event, "ready", game: "snap").sentence
                == "The game `snap` has an event `ready`, but rooms use this name themselves. Rename it.")
    }
}
