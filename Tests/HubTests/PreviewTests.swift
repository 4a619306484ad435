import EventStore
import Games
import JSON
import Testing
import WebProtocols

@testable import Hub
@testable import RoomRules

extension RoomRow {
    /// A row as a room writes it.
    fileprivate static func test(
        _ status: String, game: String = "reversi", options: Fields = [:], isPublic: Bool = true, taken: Int = 2,
        players: [String] = ["ada", "bob"]
    ) -> RoomRow {
        let summary: Fields = [
            "code": "abcdef", "game": .string(game), "options": .object(options), "host": "ada",
            "seats": .object(["taken": .integer(taken), "all": .integer(2)]), "status": .string(status),
        ]
        return RoomRow(
            code: "abcdef", version: 1, opener: "ada", host: "ada", opened: 0, isPublic: isPublic,
            isOpen: status != "closed", deadline: nil, changed: 0, summary: JSONWriter.bytes(summary), players: players)
    }
}

@Suite("Previews of rooms") struct PreviewTests {
    private let english = PreviewTexts.spoken("en")

    private func preview(
        _ row: RoomRow, names: [PlayerID: String] = ["ada": "Ada", "bob": "Bob"], present: Int = 1,
        in texts: PreviewTexts = PreviewTexts.spoken("en")
    ) throws -> Preview {
        let games = try GameCatalog(GameList.all)
        return try #require(RoomPreview(row, present: present, games: games, in: texts)).room(names: names, in: texts)
    }

    @Test(
        "describe a room's state, and who is in it",
        arguments: [
            (RoomRow.test("waiting", taken: 1, players: ["ada"]), "Ada is waiting for you: Reversi"),
            (.test("waiting"), "Ada and Bob are about to play Reversi"),
            (.test("waiting", players: ["ada"]), "Ada is about to play Reversi"),
            (.test("dealing"), "Ada and Bob are playing Reversi"),
            (.test("running"), "Ada and Bob are playing Reversi"),
            (.test("running", players: ["ada", "bot-1"]), "Ada and a computer are playing Reversi"),
            (.test("running", players: ["bot-0", "ada", "bot-2"]), "Ada and 2 computers are playing Reversi"),
            (.test("running", players: ["bot-0", "bot-1"]), "2 computers are playing Reversi"),
            (.test("running", players: ["ada", "bob", "eve", "bot-3"]), "Ada, Bob and 2 others are playing Reversi"),
            (.test("waiting", taken: 1, players: ["bob"]), "Reversi: seats free"),
            (.test("running", isPublic: false), "Ada and Bob are playing Reversi"),
            (.test("running", players: ["eve"]), "Someone is playing Reversi"),
            (.test("running", players: ["ada", "bob", "ada"]), "Ada, Bob and Ada are playing Reversi"),
            (.test("running", players: ["ada", "bob", "x", "y", "z"]), "Ada, Bob and 3 others are playing Reversi"),
            (.test("ended"), "Ada and Bob played Reversi"), (.test("closed"), "Reversi: this room is closed"),
        ])
    func titles(row: RoomRow, title: String) throws { #expect(try preview(row).title == title) }

    @Test("name no absent players")
    func absence() throws {
        let row = RoomRow.test("waiting", taken: 1, players: ["ada"])
        #expect(try preview(row, present: 0).title == "Reversi: seats free")
    }

    @Test(
        "join names as each language does",
        arguments: [
            ("es", "Isabel", "Bob e Isabel están jugando: Reversi"),
            ("es", "Hilda", "Bob e Hilda están jugando: Reversi"),
            ("es", "Ionesco", "Bob y Ionesco están jugando: Reversi"),
            ("es", "Ada", "Bob y Ada están jugando: Reversi"),
            ("de", "Isabel", "Bob und Isabel spielen Reversi"), ("zh", "Isabel", "Bob和Isabel正在玩黑白棋"),
        ])
    func joining(language: String, name: String, title: String) throws {
        let row = RoomRow.test("running", players: ["bob", "ada"])
        #expect(try preview(row, names: ["ada": name, "bob": "Bob"], in: .spoken(language)).title == title)
    }

    @Test("name no one in a closed room, and say nothing of unknown games")
    func secrecy() throws {
        let games = try GameCatalog(GameList.all)
        #expect(try #require(RoomPreview(.test("closed"), present: 1, games: games, in: english)).named == [])
        #expect(RoomPreview(.test("running", game: "chess"), present: 1, games: games, in: english) == nil)
    }

    @Test("a name stays text, whatever an old log has")
    func hostileNames() throws {
        let name = "\"><script>{game}'&\u{202E}\u{2069}"
        let shown = try preview(.test("waiting", taken: 1), names: ["ada": name])
        #expect(shown.title == "\"><script>{game}'& is waiting for you: Reversi")
        let tags = shown.tags(in: english, at: nil)
        #expect(tags.contains("content=\"&quot;&gt;&lt;script&gt;{game}&#39;&amp; is waiting for you: Reversi\""))
        #expect(!tags.contains("<script>"))
        #expect(
            try preview(.test("running"), names: ["ada": "שרה"]).title
                == "\u{2068}שרה\u{2069} and someone are playing Reversi"
        )
    }

    @Test("have no absolute links without the hub's address, and no links without a page")
    func addresses() throws {
        let shown = try preview(.test("running"))
        #expect(!shown.tags(in: english, at: nil).contains("http"))
        let url = try #require(WebOrigin("https://a.example"))
        #expect(shown.tags(in: english, at: url).contains("content=\"https://a.example/room/abcdef\""))
        #expect(!Preview(title: "a", description: "b").tags(in: english, at: url).contains("og:url"))
    }

    @Test("exist in each language, with the same values in each sentence", arguments: PreviewTexts.all.map(\.language))
    func languages(language: String) throws {
        let (own, texts) = (Mirror(reflecting: PreviewTexts.spoken(language)), Mirror(reflecting: english))
        for (sentence, wanted) in zip(own.children, texts.children) {
            let (text, english) = try (#require(sentence.value as? String), #require(wanted.value as? String))
            #expect(!text.isEmpty)
            #expect(Set(text.matches(of: /\{\w+\}/).map { $0.0 }) == Set(english.matches(of: /\{\w+\}/).map { $0.0 }))
        }
        for game in GameList.all { #expect(game.titles[language] != nil, "\(game.name)") }
    }
}
