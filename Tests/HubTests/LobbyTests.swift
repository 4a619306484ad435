import EventStore
import Games
import JSON
import Testing
import WebProtocols

@testable import Hub
@testable import Rooms

@Suite("The lobby") struct LobbyTests {
    private let hub = ScriptedHub()

    private func codes(_ message: Fields?) -> [String] {
        message?["rooms"]?.list?.compactMap { $0.object?["code"]?.string } ?? []
    }

    /// A room with its host in it.
    private func open(_ host: ScriptedPlayer, in hub: ScriptedHub) -> String {
        let code = hub.open(host)
        _ = hub.join(code, host)
        return code
    }

    @Test("a new connection gets the same list as over HTTP, and its subprotocol")
    func comesIn() {
        let ann = hub.player("Ann")
        let rooms = (0..<3).map { _ in open(ann, in: hub) }
        hub.pass(2_000)
        let page = hub.lobby()
        #expect(page.messages.count == 1)
        #expect(Set(codes(page.last("rooms"))) == Set(rooms))
        #expect(page.last("rooms")?["rooms"] == hub.request("GET", "/api/rooms").fields["rooms"])
        #expect(hub.lobby().last("rooms") == page.last("rooms"))
    }

    @Test("opening, sitting down, watching and closing are sent within two seconds each")
    func changes() {
        let page = hub.lobby()
        #expect(codes(page.last("rooms")).isEmpty)
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        func told(after change: () -> Void) -> Fields? {
            page.clear()
            change()
            hub.pass(2_000)
            return page.messages.last
        }
        #expect(told {} == nil)
        let table = hub.join(code, ann)
        #expect(told {}?["room"]?.object?["code"]?.string == code)
        #expect(told { table.command("sit") }?["room"]?.object?["seats"]?.object?["taken"]?.integer == 1)
        #expect(page.messages.last?["room"]?.object?["present"]?.integer == 1)
        let watcher = hub.join(code)
        #expect(told {}?["room"]?.object?["spectators"]?.integer == 1)
        #expect(told { watcher.leave() }?["room"]?.object?["spectators"]?.integer == 0)
        #expect(told {} == nil)
        #expect(told { table.command("close") } == ["type": "room-gone", "code": .string(code)])
    }

    @Test("a room is in lists as long as anyone is in it, with its host's name")
    func nobodyThere() {
        let (page, ann) = (hub.lobby(), hub.player("Ann"))
        let code = hub.open(ann)
        func listed() -> [Fields] {
            hub.pass(2_000)
            return hub.request("GET", "/api/rooms").fields["rooms"]?.list?.compactMap { $0.object } ?? []
        }
        #expect(listed().isEmpty)
        // No one is told that a room has gone which they never had.
        #expect(page.messages.count == 1)
        let host = hub.join(code, ann)
        #expect(listed().map { $0["hostName"]?.string } == [ann.name])
        #expect(page.last("room")?["room"]?.object?["hostName"]?.string == ann.name)
        let watcher = hub.join(code)
        host.leave()
        #expect(listed().count == 1)
        watcher.leave()
        #expect(listed().isEmpty)
        #expect(page.messages.last == ["type": "room-gone", "code": .string(code)])
        #expect(codes(hub.lobby().last("rooms")).isEmpty)
        _ = hub.join(code, ann)
        #expect(listed().count == 1)
        #expect(page.messages.last?["room"]?.object?["code"]?.string == code)
    }

    @Test("a room is sent with its host's name, even if rows are late")
    func namesComeLate() {
        let (page, ann) = (hub.lobby(), hub.player("Ann"))
        let code = hub.open(ann)
        _ = hub.join(code, ann)
        hub.pass(3_000)
        let told = page.messages.filter { $0["type"] == "room" }
        #expect(told.map { $0["room"]?.object?["hostName"] } == ["Ann"])
    }

    @Test("lists name a room's present host")
    func followedHost() {
        let (page, ann, ben) = (hub.lobby(), hub.player("Ann"), hub.player("Ben"))
        let code = hub.open(ann)
        let host = hub.join(code, ann)
        hub.join(code, ben).command("sit")
        host.leave()
        hub.pass(65_000)
        let room = page.last("room")?["room"]?.object
        #expect(room?["host"]?.string == ben.id)
        #expect(room?["hostName"]?.string == ben.name)
    }

    @Test("a room that changes often is sent once a second")
    func bounded() {
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        hub.pass(2_000)
        let (page, table) = (hub.lobby(), hub.join(code, ann))
        for _ in 0..<50 {
            table.command("sit")
            table.command("leave")
            hub.pass(100)
        }
        #expect((3...6).contains(page.messages.count { $0["type"] == "room" }))
    }

    @Test("many changes at once are sent in parts, and add up to the list over HTTP")
    func parts() {
        let hub = ScriptedHub(limits: .with { $0.roomsPerDay = 1_000 })
        let (page, ann) = (hub.lobby(), hub.player("Ann"))
        page.clear()
        for _ in 0..<(Lobby.roomLimit + 20) { _ = open(ann, in: hub) }
        hub.pass(ReadModelUpdater.pause + Lobby.pause)
        #expect(page.messages.count <= 2 * Lobby.changeLimit)
        hub.pass(10_000)
        var known: Set<String> = []
        for message in page.messages {
            if let code = message["room"]?.object?["code"]?.string { known.insert(code) }
            if message["type"] == "room-gone", let code = message["code"]?.string { known.remove(code) }
        }
        #expect(known.count == Lobby.roomLimit)
        #expect(known == Set(codes(hub.request("GET", "/api/rooms").fields)))
    }

    @Test("if too many rooms keep changing, each is sent in turn")
    func turns() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let codes = (0..<Lobby.changeLimit + 10).map { _ in open(ann, in: hub) }
        for code in codes { _ = hub.join(code) }
        hub.pass(5_000)
        let page = hub.lobby()
        page.clear()
        for _ in 0..<3 {
            // Each visit changes how many people are in the rooms.
            for code in codes { _ = hub.join(code) }
            hub.pass(Lobby.pause)
        }
        #expect(Set(page.messages.compactMap { $0["room"]?.object?["code"]?.string }) == Set(codes))
    }

    @Test("a room that is closed while another is opened does not affect a third")
    func closed() throws {
        let hub = ScriptedHub(limits: .with { $0.roomsPerDay = 1_000 })
        let ann = hub.player("Ann")
        let rooms = (0..<Lobby.roomLimit).map { _ in
            hub.pass(1)
            return open(ann, in: hub)
        }
        hub.pass(2_000)
        let page = hub.lobby()
        page.clear()
        let last = try #require(rooms.last)
        hub.join(last, ann).command("close")
        let new = open(ann, in: hub)
        hub.pass(5_000)
        #expect(page.messages.filter { $0["type"] == "room-gone" } == [["type": "room-gone", "code": .string(last)]])
        #expect(codes(hub.lobby().last("rooms")).count == Lobby.roomLimit)
        #expect(page.last("room")?["room"]?.object?["code"]?.string == new)
    }

    @Test("when a room is closed, one that had no place in the list comes in")
    func refilled() throws {
        let hub = ScriptedHub(limits: .with { $0.roomsPerDay = 1_000 })
        let ann = hub.player("Ann")
        let rooms = (0...Lobby.roomLimit).map { _ in
            hub.pass(1)
            return open(ann, in: hub)
        }
        hub.pass(2_000)
        let page = hub.lobby()
        let oldest = try #require(rooms.first)
        #expect(!codes(page.last("rooms")).contains(oldest))
        page.clear()
        hub.join(try #require(rooms.last), ann).command("close")
        hub.pass(5_000)
        #expect(page.messages.count == 2)
        #expect(page.last("room-gone")?["code"]?.string == rooms.last)
        #expect(page.last("room")?["room"]?.object?["code"]?.string == oldest)
        let listed = hub.request("GET", "/api/rooms").fields
        #expect(codes(hub.lobby().last("rooms")) == codes(listed))
    }

    @Test("a client that did not read gets one list with its newest answer, then changes")
    func slow() {
        // The test speaks for the hub.
        hub.witness.isOn = false
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let (slow, other, table) = (hub.lobby(), hub.lobby(), hub.join(code, ann))
        slow.isStuck = true
        slow.send(.text([UInt8](repeating: UInt8(ascii: " "), count: Member.queueLimitBytes - 2) + Array("{}".utf8)))
        slow.clear()
        other.clear()
        table.command("sit")
        hub.pass(3_000)
        slow.say(["type": "ping", "n": .integer(1)])
        slow.say(["type": "ping", "n": .integer(2)])
        #expect(slow.messages.isEmpty)
        #expect(other.last("room") != nil)
        slow.isStuck = false
        hub.settle()
        #expect(slow.messages.map { $0["type"] } == ["rooms", "pong"])
        #expect(slow.last("pong")?["n"]?.integer == 2)
        table.command("leave")
        hub.pass(3_000)
        #expect(slow.last("room")?["room"]?.object?["seats"]?.object?["taken"]?.integer == 0)
    }

    @Test("a client that does not read for too long is closed")
    func tooSlow() {
        // The test speaks for the hub.
        hub.witness.isOn = false
        let ann = hub.player("Ann")
        let table = hub.join(hub.open(ann), ann)
        let page = hub.lobby()
        page.isStuck = true
        page.send(.text([UInt8](repeating: UInt8(ascii: " "), count: Member.queueLimitBytes - 2) + Array("{}".utf8)))
        table.command("sit")
        hub.pass(Member.behindLimit)
        #expect(page.closed == nil)
        hub.pass(5_000)
        #expect(page.closed == .tryAgainLater)
    }

    @Test("nothing is done without connections, and a new one gets the present list")
    func asleep() {
        let ann = hub.player("Ann")
        hub.lobby().leave()
        let code = open(ann, in: hub)
        hub.pass(5_000)
        #expect(codes(hub.lobby().last("rooms")) == [code])
    }

    @Test("a closed room leaves a full list on any node, and one that had no place comes in")
    func closesInFullList() throws {
        let cluster = ScriptedCluster(count: 2)
        let node = try #require(cluster.nodes.first { $0.shard.lobby?.isToldOfRows == false })
        var rooms: [(code: String, page: ScriptedClient)] = []
        for name in ["Ann", "Ben", "Cem"] {
            let host = node.player(name)
            for _ in 0..<67 {
                node.pass(1)
                let code = node.open(host)
                rooms.append((code, node.join(code, host)))
            }
        }
        #expect(rooms.count == Lobby.roomLimit + 1)
        cluster.pass(3_000)
        let lobby = node.lobby()
        #expect(lobby.last("rooms")?["rooms"]?.list?.count == Lobby.roomLimit)
        cluster.pass(3_000)
        lobby.clear()
        rooms[150].page.command("close")
        cluster.pass(5_000)
        #expect(lobby.messages.count { $0["type"] == "room-gone" } == 1)
        #expect(lobby.last("room-gone")?["code"] == .string(rooms[150].code))
        #expect(lobby.last("room")?["room"]?.object?["code"] == .string(rooms[0].code))
    }
}
