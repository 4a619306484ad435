import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("A room: hands, which only their own players see") struct HandTests {
    private func table(_ options: Fields = ["turnTime": 600]) -> Table { Table(options, game: "go-fish") }

    private func hands(_ page: ScriptedClient) -> [Fields] { page.messages.filter { $0["type"] == "hand" } }

    /// What the room itself holds.
    private func hand(_ table: Table, _ seat: Int) -> Value? { table.state.hand(of: Seat(seat)).map { .object($0) } }

    /// The player whose turn it is asks the other for a rank of the own hand.
    @discardableResult
    private func ask(_ table: Table) -> Fields? {
        let seat = table.state.awaited.first ?? Seat(0)
        let move = table.state.game?.legalSteps(for: seat).first
        return table.mover.command(move?.type ?? "", move?.fields ?? [:])
    }

    @Test("go to all devices of their player, after each commit, and to no one else")
    func devices() {
        let table = table()
        let phone = table.hub.join(table.code, table.ann)
        #expect(hands(phone).map { $0["hand"] } == [hand(table, 0)])
        #expect(phone.messages.map { $0["type"] } == ["welcome", "hand"])
        for _ in 0..<6 { ask(table) }
        for page in [table.annPage, phone] {
            #expect(hands(page).allSatisfy { $0["seat"] == 0 } && hands(page).last?["hand"] == hand(table, 0))
        }
        #expect(hands(table.annPage).count == 7 && hands(phone).count == 7)
        #expect(hands(table.benPage).allSatisfy { $0["seat"] == 1 })
        #expect(hands(table.benPage).last?["hand"] == hand(table, 1))
        #expect(hands(table.watcher).isEmpty && hand(table, 0) != hand(table, 1))
    }

    @Test("come after the events that they follow from, and before the answer")
    func order() {
        let table = table()
        let (asker, other) = (table.mover, table.mover === table.annPage ? table.benPage : table.annPage)
        for page in table.pages { page.clear() }
        #expect(ask(table)?["type"] == "ok")
        let types = asker.messages.map { $0["type"]?.string ?? "" }
        #expect(types.suffix(3) == ["turn", "hand", "ok"] && types.first == "cards-asked")
        #expect(other.messages.map { $0["type"]?.string ?? "" }.suffix(2) == ["turn", "hand"])
        #expect(hands(asker).map { $0["v"]?.integer } == [table.state.version])
    }

    @Test("follow the missed events of a resume")
    func resumes() {
        let table = table()
        let seen = table.state.version
        for _ in 0..<3 { ask(table) }
        table.benPage.leave()
        let back = table.hub.join(table.code, table.ben, after: seen)
        let types = back.messages.map { $0["type"]?.string ?? "" }
        #expect(types.first == "resume" && types.last == "hand" && hands(back).count == 1)
        #expect(back.messages.last?["v"] == .integer(table.state.version))
        #expect(back.messages.last?["hand"] == hand(table, 1))
        // Another player's device that resumes gets that player's.
        let watcher = table.hub.join(table.code, after: seen)
        let phone = table.hub.join(table.code, table.ann, after: seen)
        #expect(hands(watcher).isEmpty && hands(phone).map { $0["hand"] } == [hand(table, 0)])
    }

    @Test("of members that are behind come with the welcome that replaces what they missed")
    func slow() {
        let table = table()
        // What fills the socket is no message of a hub.
        table.hub.witness.isOn = false
        let page = table.hub.join(table.code, table.ben)
        page.clear()
        page.fill()
        for _ in 0..<4 { ask(table) }
        #expect(hands(page).isEmpty)
        page.isStuck = false
        table.hub.settle()
        #expect(page.messages.suffix(2).map { $0["type"] } == ["welcome", "hand"])
        #expect(page.messages.last?["hand"] == hand(table, 1))
    }

    @Test("end with the player's part in the game")
    func leaving() {
        let table = Table(["turnTime": 600, "seats": 3], game: "go-fish")
        let cai = table.hub.player("Cai")
        let caiPage = table.hub.join(table.code, cai)
        // There is a seat, but not in this game.
        caiPage.command("sit")
        ask(table)
        #expect(hands(caiPage).isEmpty)
        table.benPage.command("leave")
        #expect(table.state.phase == .ended)
        for page in table.pages { page.clear() }
        let phone = table.hub.join(table.code, table.ann)
        #expect(hands(phone).isEmpty)
        caiPage.command("say", ["text": "Next time!"])
        #expect((table.pages + [caiPage]).allSatisfy { hands($0).isEmpty })
    }

    @Test("stop for a player who leaves while the others play on")
    func leavingThree() {
        let table = Table(["turnTime": 600, "seats": 3], game: "go-fish")
        table.annPage.command("close")
        let (hub, cai) = (table.hub, table.hub.player("Cai"))
        let code = hub.open(table.ann, ["turnTime": 600, "seats": 3], game: "go-fish")
        let pages = [table.ann, table.ben, cai].map { hub.join(code, $0) }
        for page in pages { page.command("sit") }
        pages[0].command("start")
        #expect(hands(pages[1]).last?["seat"] == 1)
        pages[1].command("leave")
        for page in pages { page.clear() }
        for _ in 0..<3 {
            guard let seat = hub.room(code).awaited.first,
                let move = hub.room(code).game?.legalSteps(for: seat).first
            else { break }
            pages[seat.rawValue].command(move.type, move.fields)
        }
        #expect(hub.room(code).phase == .running && hands(pages[1]).isEmpty)
        #expect(hands(pages[0]).count == 3 && hands(pages[2]).count == 3)
        #expect(hands(hub.join(code, table.ben)).isEmpty)
    }

    @Test("are gone for a device that is revoked, or says hello as someone else")
    func otherPlayers() {
        let table = table()
        let page = table.annPage
        page.clear()
        page.say(["type": "hello", "token": .string(table.ben.token)])
        #expect(hands(page).map { $0["hand"] } == [hand(table, 1)])
        page.clear()
        page.say(["type": "hello"])
        for _ in 0..<2 {
            let seat = table.state.awaited.first ?? Seat(0)
            let move = table.state.game?.legalSteps(for: seat).first
            let mover = seat == Seat(0) ? table.hub.join(table.code, table.ann) : table.benPage
            mover.command(move?.type ?? "", move?.fields ?? [:])
        }
        #expect(hands(page).isEmpty)
        let phone = table.hub.join(table.code, table.ben)
        #expect(!hands(phone).isEmpty)
        phone.clear()
        #expect(table.hub.request("DELETE", "/api/players/me", token: table.ben.token).status == 204)
        #expect(phone.last("welcome") != nil && hands(phone).isEmpty)
    }

    @Test("are there again after a crash, and the same")
    func crash() {
        let table = table()
        for _ in 0..<5 { ask(table) }
        let before = hand(table, 1)
        table.hub.crash(downtime: 5_000)
        let back = table.hub.join(table.code, table.ben)
        #expect(before != nil && hands(back).last?["hand"] == before)
    }

    @Test("of relayed members cross the link alone, and are left out while their sockets are full")
    func relayed() throws {
        let scene = RelayScene(game: "go-fish")
        let pages = ["ben", "phone", "watcher"].map { scene.relay.join(scene.code, $0 == "watcher" ? nil : scene.ben) }
        scene.annPage.command("sit")
        pages[0].command("sit")
        scene.annPage.command("start")
        func hand() -> Value? { scene.home.room(scene.code).hand(of: Seat(1)).map { .object($0) } }
        #expect(hand() != nil && hands(pages[0]).last?["hand"] == hand() && hands(pages[1]).last?["hand"] == hand())
        #expect(hands(pages[2]).isEmpty && hands(scene.annPage).allSatisfy { $0["seat"] == 0 })
        scene.cluster.forgetMessages()
        pages[0].fill()
        for _ in 0..<3 {
            let state = scene.home.room(scene.code)
            let seat = try #require(state.awaited.first)
            let move = try #require(state.game?.legalSteps(for: seat).first)
            (seat == Seat(0) ? scene.annPage : pages[1]).command(move.type, move.fields)
        }
        let told = scene.relayed.filter { $0.texts.contains { $0.contains(#""type":"hand""#) } }
        #expect(!told.isEmpty && told.allSatisfy { !$0.isBroadcast })
        let before = hands(pages[0]).count
        pages[0].isStuck = false
        scene.calm()
        #expect(hands(pages[0]).last?["hand"] == hand() && hands(pages[0]).count == before + 1)
        let recorded = pages[0].messages.filter { $0["t"] != nil || $0["type"] == "hand" }
        let versions = recorded.compactMap { $0["v"]?.integer }
        #expect(versions == versions.sorted(), "an older hand came after a newer one")
    }

    @Test("reach computers, which play by them to the end")
    func computers() {
        let hub = ScriptedHub(seed: 3)
        let ann = hub.player("Ann")
        let code = hub.open(ann, ["seats": 4, "turnTime": 0], game: "go-fish")
        let page = hub.join(code, ann)
        page.command("sit")
        for seat in 1...3 {
            let level = GoFish.computerLevels[seat % GoFish.computerLevels.count]
            page.command("bot", ["seat": .integer(seat), "level": .string(level)])
        }
        page.command("start")
        for _ in 0..<2_000 where hub.room(code).phase == .running {
            guard hub.room(code).awaited == [Seat(0)] else {
                hub.pass(1_000)
                continue
            }
            let move = hub.room(code).game?.legalSteps(for: Seat(0)).first
            page.command(move?.type ?? "", move?.fields ?? [:])
        }
        #expect(hub.room(code).phase == .ended && page.last("game-ended")?["reason"] == "finished")
        #expect(hub.metric("flipside_computer_failures_total") == 0)
    }
}
