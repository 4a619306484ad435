import Cryptography
import EventStore
import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("A room: roles") struct RoomRolesTests {
    @Test("a host who leaves hands the room to the longest-seated player who is connected")
    func leaving() {
        let table = Table()
        let cai = table.hub.player("Cai")
        let caiPage = table.hub.join(table.code, cai)
        caiPage.command("sit")
        table.benPage.leave()
        table.annPage.command("leave")
        #expect(table.watcher.last("host-changed")?["player"]?.string == cai.id)
        #expect(table.state.host == cai.id)
    }

    @Test("seated players are served before spectators")
    func service() {
        let table = Table()
        #expect(table.pages.map(\.isServedLast) == [false, false, true])
        let cai = table.hub.join(table.code, table.hub.player("Cai"))
        #expect(cai.isServedLast)
        cai.command("sit")
        #expect(!cai.isServedLast)
        cai.command("leave")
        #expect(cai.isServedLast)
    }

    @Test("a host who is gone for a minute is replaced if a seated player is connected")
    func gone() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 0])
        table.annPage.leave()
        table.hub.pass(59_000)
        #expect(table.state.host == table.ann.id)
        table.hub.pass(1_500)
        #expect(table.state.host == table.ben.id)
        #expect(table.watcher.last("host-changed")?["player"]?.string == table.ben.id)
    }

    @Test("a host who is back in time stays host")
    func back() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 0])
        table.annPage.leave()
        table.hub.pass(50_000)
        let page = table.hub.join(table.code, table.ann)
        table.hub.pass(120_000)
        #expect(table.state.host == table.ann.id)
        #expect(page.closed == nil)
    }

    @Test("in a running game the host can only free seats of absent players or those marked away")
    func freeing() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 0])
        #expect(table.annPage.command("free", ["seat": 1])?["code"] == "player-there")
        table.benPage.leave()
        #expect(table.annPage.command("free", ["seat": 1])?["code"] == "player-there")
        table.hub.pass(60_000)
        table.annPage.command("free", ["seat": 1])
        #expect(table.watcher.last("player-left")?["reason"] == "freed")
        #expect(table.state.seats[Seat(1)] == nil)
    }

    @Test("only the host decides whether lists show the room, which keeps its code")
    func visibility() throws {
        let table = Table()
        let lobby = { table.hub.request("GET", "/api/rooms").fields["rooms"]?.list?.count }
        #expect(table.benPage.command("visibility", ["visibility": "unlisted"])?["code"] == "not-host")
        #expect(table.annPage.command("visibility", ["visibility": "nobody"])?["code"] == "bad-field")
        for (visibility, count) in [("unlisted", 0), ("seeking", 1), ("unlisted", 0), ("public", 1)] {
            table.annPage.command("visibility", ["visibility": .string(visibility)])
            #expect(table.watcher.last("visibility-changed")?["visibility"]?.string == visibility)
            table.hub.pass(1_500)
            #expect(lobby() == count)
            #expect(table.hub.join(table.code).last("welcome")?["room"]?.object?["visibility"]?.string == visibility)
        }
        table.watcher.clear()
        table.annPage.command("visibility", ["visibility": "public"])
        #expect(table.watcher.last("visibility-changed") == nil)
    }

    @Test("between games the host frees any seat that is taken")
    func freeingBetween() {
        let table = Table()
        table.playOut()
        table.annPage.command("free", ["seat": 1])
        #expect(table.watcher.last("seat-freed")?["reason"] == "freed")
        #expect(table.annPage.command("free", ["seat": 1])?["code"] == "seat-free")
        #expect(table.annPage.command("free", ["seat": 77])?["code"] == "no-such-seat")
    }

    @Test("a banned player loses the seat and can only watch")
    func banning() {
        let table = Table()
        table.annPage.command("ban", ["player": .string(table.ben.id)])
        #expect(table.watcher.last("player-left")?["reason"] == "banned")
        for command in ["sit", "leave", "here", "flip", "say"] {
            let answer = table.benPage.command(command, ["cell": 0, "text": "x"])
            #expect(answer?["code"] == "banned", "\(command)")
        }
        #expect(table.benPage.closed == nil)
        #expect(table.hub.join(table.code, table.ben).last("welcome") != nil)
        table.annPage.command("ban", ["player": .string(table.ben.id), "on": false])
        #expect(table.benPage.command("sit")?["type"] == "ok")
    }

    @Test("a muted player plays on but cannot speak")
    func muting() {
        let table = Table()
        table.annPage.command("mute", ["player": .string(table.ben.id)])
        #expect(table.benPage.command("say", ["text": "hello"])?["code"] == "muted")
        #expect(table.benPage.command("react", ["emoji": "👏"])?["code"] == "muted")
        #expect(table.benPage.command("here")?["type"] == "ok")
        table.annPage.command("mute", ["player": .string(table.ben.id), "on": false])
        #expect(table.benPage.command("say", ["text": "hello"])?["type"] == "ok")
    }

    @Test(
        "is refused to guests, and to the host about the host",
        arguments: ["free", "mute", "ban", "bot"])
    func refused(_ command: String) {
        let table = Table()
        let fields: Fields = ["seat": 0, "player": .string(table.ann.id), "level": "easy"]
        #expect(table.benPage.command(command, fields)?["code"] == "not-host")
        if command == "mute" || command == "ban" {
            #expect(table.annPage.command(command, fields)?["code"] == "not-this-player")
        }
    }

    @Test("a game without a timer ends an hour after its last player has gone, even if it is watched")
    func desertion() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 0])
        table.annPage.leave()
        table.hub.pass(1_000_000)
        table.benPage.leave()
        table.hub.pass(3_599_000)
        #expect(table.state.phase == .running)
        table.hub.pass(1_500)
        #expect(table.watcher.last("game-ended")?["reason"] == "left")
    }

    @Test("a room that no one has used for thirty days is closed, and its seed revealed")
    func expiry() throws {
        let table = Table()
        table.playOut()
        for page in table.pages { page.leave() }
        // In one step, since a running hub fires a timer each second.
        table.hub.standStill(30 * 86_400_000)
        table.hub.pass(60_000)
        let records = table.hub.storage.records(of: .room(table.code))
        #expect(records.last?.event.type == "room-closed")
        let fields = try JSONReader.read(try #require(records.last?.event.shown)).object
        #expect(fields?["reveal"]?.object?["seed"] != nil)
    }
}

@Suite("A room: chat") struct ChatTests {
    @Test("each line reaches everyone once, and new members get the newest fifty")
    func lines() {
        let table = Table()
        table.annPage.command("say", ["text": "first"], id: "one")
        table.annPage.command("say", ["text": "first"], id: "one")
        #expect(table.watcher.messages.count { $0["type"] == "chat" } == 1)
        #expect(table.watcher.last("chat")?["from"]?.string == table.ann.id)
        for line in 0..<60 {
            table.hub.pass(1_000)
            table.benPage.command("say", ["text": .string("line \(line)")])
        }
        let chat = table.hub.join(table.code).last("welcome")?["chat"]?.list ?? []
        #expect(chat.count == Chat.lineLimit)
        #expect(chat.last?.object?["text"] == "line 59")
        #expect(table.hub.storage.records(of: .room(table.code)).allSatisfy { $0.event.type != "chat" })
    }

    @Test(
        "a line may run from right to left, but does not reverse text next to it",
        arguments: [
            ("\u{202E}abc", "abc"), ("a\u{2066}b\u{2069}\u{202C}c\u{202D}", "abc"),
            ("שלום \u{200F}(1)", "שלום \u{200F}(1)"),
        ])
    func direction(_ said: String, _ told: String) {
        let table = Table()
        table.annPage.command("say", ["text": .string(said)])
        #expect(table.watcher.last("chat")?["text"]?.string == told)
    }

    @Test("a player marked away who says something is back")
    func chatIsBack() {
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 5])
        let isAway = { table.watcher.events.contains { $0["type"] == "away" && $0["seat"] == 0 } }
        for _ in 0..<6 where !isAway() { table.hub.pass(5_000) }
        #expect(isAway())
        table.annPage.command("say", ["text": "here I am"])
        #expect(table.watcher.last("back")?["seat"] == 0)
    }

    @Test("muting or banning beyond the limit is refused", arguments: ["mute", "ban"])
    func outcasts(_ command: String) {
        let hub = ScriptedHub(limits: .forManyCommands)
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let page = hub.join(code, ann)
        let others = (0...RoomState.outcastLimit).map { hub.player("P\($0)").id }
        for number in others.indices { hub.join(code, hub.player("P\(number)")).leave() }
        for other in others.dropLast() {
            #expect(page.command(command, ["player": .string(other)])?["type"] == "ok")
        }
        let last = Value.string(others[RoomState.outcastLimit])
        #expect(page.command(command, ["player": last])?["code"] == "too-many")
        #expect(page.command(command, ["player": .string(others[0]), "on": false])?["type"] == "ok")
        #expect(page.command(command, ["player": last])?["type"] == "ok")
    }

    @Test("only players who are or were in the room can be muted or banned", arguments: ["mute", "ban"])
    func strangers(_ command: String) {
        let table = Table()
        let (cai, dan) = (table.hub.player("Cai"), table.hub.player("Dan"))
        for stranger in [cai.id, "nobody"] {
            #expect(table.annPage.command(command, ["player": .string(stranger)])?["code"] == "not-been-here")
        }
        table.hub.join(table.code, cai).leave()
        _ = table.hub.join(table.code, dan)
        for player in [table.ben, cai, dan] {
            #expect(table.annPage.command(command, ["player": .string(player.id)])?["type"] == "ok")
        }
        // Lifting it works for anyone.
        #expect(table.annPage.command(command, ["player": "nobody", "on": false])?["type"] == "ok")
    }

    @Test("names of players who have left without a trace are not sent")
    func forgottenVisitors() throws {
        let table = Table()
        let (cleo, dan) = (table.hub.player("Cleo"), table.hub.player("Dan"))
        for visitor in [cleo, dan] {
            let page = table.hub.join(table.code, visitor)
            if visitor.id == dan.id { page.command("say", ["text": "hello"]) }
            page.leave()
        }
        // Members are told first that they have left.
        table.hub.pass(Presence.pause)
        let names = try #require(table.hub.join(table.code).last("welcome")?["names"]?.object)
        #expect(Set(names.values.compactMap(\.string)) == ["Ann", "Ben", "Dan"])
    }

    @Test("a reaction reaches everyone")
    func reaction() {
        let table = Table()
        table.benPage.command("react", ["emoji": "👨‍👩‍👧‍👦"])
        #expect(table.watcher.last("reaction")?["emoji"] == "👨‍👩‍👧‍👦")
    }

    @Test(
        "is refused",
        arguments: [
            ("say", "text", Value.string("")), ("say", "text", .string(" \n ")), ("say", "text", .integer(1)),
            ("say", "text", "\u{202E}\u{2068}"), ("react", "emoji", "👏\u{301}"),
            ("say", "text", .string(String(repeating: "x", count: Chat.textLimit + 1))),
            ("react", "emoji", .string("x")), ("react", "emoji", .string("1")), ("react", "emoji", .string("👏👏")),
            ("react", "emoji", .string("")), ("react", "emoji", .string("#")),
        ])
    func refused(_ type: String, _ field: String, _ value: Value) {
        let table = Table()
        var fields = Fields()
        fields[field] = value
        #expect(table.benPage.command(type, fields)?["code"] == "bad-field")
    }
}
