import Games
import JSON
import Testing

@testable import Hub

@Suite("Unfinished games of a player") struct RunningGamesTests {
    private func games(of player: ScriptedPlayer, on hub: ScriptedHub) -> Fields {
        hub.pass(2_000)
        let answer = hub.request("GET", "/api/players/me/games", token: player.token)
        #expect(answer.status == 200)
        return answer.fields
    }

    private func codes(_ games: Fields) -> [String?] {
        games["rooms"]?.list?.map { $0.object?["code"]?.string } ?? []
    }

    @Test("are listed from start to end with the other players, and whose move it is")
    func fromStartToEnd() throws {
        let table = Table()
        #expect(codes(games(of: table.hub.player("Cy"), on: table.hub)).isEmpty)
        for player in [table.ann, table.ben] {
            let found = games(of: player, on: table.hub)
            let room = try #require(found["rooms"]?.list?.first?.object)
            #expect(codes(found) == [table.code])
            #expect(room["status"] == "running")
            #expect(room["players"] == .list([.string(table.ann.id), .string(table.ben.id)]))
            #expect(room["awaited"]?.strings == [table.ann.id])
            #expect(found["names"]?.object?[table.ben.id]?.string == table.ben.name)
        }
        table.playOut()
        for player in [table.ann, table.ben] { #expect(codes(games(of: player, on: table.hub)).isEmpty) }
        table.playAgain()
        #expect(codes(games(of: table.ben, on: table.hub)) == [table.code])
    }

    @Test("show whose move it is within five seconds of a move, and all else within one")
    func freshness() throws {
        let table = Table()
        let hub = table.hub
        func room(after span: Milliseconds) throws -> Fields {
            hub.pass(span)
            let answer = hub.request("GET", "/api/players/me/games", token: table.ann.token)
            return try #require(answer.fields["rooms"]?.list?.first?.object)
        }
        #expect(try room(after: 2_000)["awaited"]?.strings == [table.ann.id])
        let faces = table.deck
        let other = try #require(faces.indices.first { faces[$0] != faces[0] })
        for cell in [0, other] { table.annPage.command("flip", ["cell": .integer(cell)]) }
        let late = ReadModelUpdater.movePause - ReadModelUpdater.pause
        #expect(try room(after: late)["awaited"]?.strings == [table.ann.id])
        #expect(try room(after: 2 * ReadModelUpdater.pause)["awaited"]?.strings == [table.ben.id])
        for cell in [0, other] { table.benPage.command("flip", ["cell": .integer(cell)]) }
        #expect(try room(after: ReadModelUpdater.pause)["awaited"]?.strings == [table.ben.id])
        // An event of the room itself, which also brings the changes of moves.
        table.annPage.command("visibility", ["visibility": "unlisted"])
        let soon = try room(after: 2 * ReadModelUpdater.pause)
        #expect(soon["visibility"] == "unlisted")
        #expect(soon["awaited"]?.strings == [table.ann.id])
    }

    @Test("stay if the page was closed and the room is in no list, but not if the game was left")
    func goingAndLeaving() {
        let table = Table()
        table.benPage.command("leave")
        for page in table.pages { page.leave() }
        #expect(codes(games(of: table.ben, on: table.hub)).isEmpty)
        #expect(codes(games(of: table.ann, on: table.hub)) == [table.code])
        #expect(table.hub.request("GET", "/api/rooms").fields["rooms"]?.list?.isEmpty == true)
    }

    @Test("come newest first, up to a limit")
    func order() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let begun = (0..<22).map { _ in
            let code = hub.open(ann)
            let page = hub.join(code, ann)
            page.command("sit")
            page.command("start")
            hub.pass(1)
            return code
        }
        #expect(codes(games(of: ann, on: hub)) == begun.reversed().prefix(20).map { $0 })
    }
}
