import Games
import JSON
import Testing

@testable import Hub
@testable import Rooms

/// Many players in one room.
@Suite("A crowd") struct CrowdTests {
    private let hub = ScriptedHub()
    private let host: ScriptedPlayer
    private let code: String
    private let page: ScriptedClient

    init() {
        hub.witness.isOn = false
        host = hub.player("Hal")
        code = hub.open(host)
        page = hub.join(code, host)
        page.command("sit")
    }

    /// Players who come one after the other, so many each second.
    private func crowd(_ count: Int, from first: Int = 0) -> [(player: ScriptedPlayer, page: ScriptedClient)] {
        (first..<first + count).map { number in
            let player = hub.player("Player \(number)")
            let page = hub.join(code, player)
            if number % 20 == 19 { hub.pass(1_000) }
            return (player, page)
        }
    }

    private func size(_ message: Fields?) -> Int { message.map { JSONWriter.bytes($0).count } ?? 0 }

    @Test("a member who joins 300 others gets as little as with ten, and all get a few short messages")
    func joining() throws {
        let few = crowd(10)
        let many = crowd(290, from: 10)
        hub.pass(1_000)
        let (first, last) = (try #require(few.last?.page), try #require(many.last?.page))
        #expect(size(last.last("welcome")) < size(first.last("welcome")) + 100)
        let told = page.messages.filter { $0["type"] == "presence" }
        // The first hundred are named once, and have left when the crowd begins.
        #expect(told.count < 30)
        #expect(told.reduce(0) { $0 + size($1) } < 12_000)
        for guest in [page, first, last] {
            #expect(guest.present.players == [host.id] && guest.present.spectators == 300)
        }
        let listed = hub.request("GET", "/api/rooms/\(code)")
        #expect(listed.fields["spectators"] == 300 && size(listed.fields) < 500)
    }

    @Test("a greeting gives the time to spread reconnections if it exceeds a client's own")
    func spread() {
        func greeted(among count: Int, of nodes: Int = 1) -> Value? {
            let cluster = ScriptedCluster(count: nodes, serving: nodes)
            defer { withExtendedLifetime(cluster) {} }
            let hub = cluster.nodes[0]
            let code = hub.open(hub.player("Ann"))
            hub.counters.members.add(count - 1)
            return hub.join(code).last("welcome")?["spread"]
        }
        #expect(greeted(among: 150) == nil)
        #expect(greeted(among: 151) == 302)
        #expect(greeted(among: 301, of: 2) == 602)
        #expect(greeted(among: 301, of: 3) == 301)
    }

    @Test("each greeting names its player, and of the crowd only the visible ones")
    func names() {
        let guests = crowd(Presence.crowd + 20)
        hub.pass(1_000)
        let (player, guest) = guests[5]
        page.clear()
        guest.say(["type": "hello", "token": .string(player.token)])
        #expect(guest.present.names == [player.id: player.name, host.id: "Hal"])
        // A player who speaks is named to all, and to later members.
        guest.command("say", ["text": "hello"])
        guest.command("say", ["text": "again"])
        #expect(page.messages.count { $0["names"]?.object?[player.id] != nil && $0["type"] == "presence" } == 1)
        #expect(hub.join(code).present.names == [player.id: player.name, host.id: "Hal"])
        let (other, otherGuest) = guests[6]
        page.clear()
        for _ in 0..<3 { otherGuest.command("react", ["emoji": "👏"]) }
        let seen: [Value] = page.messages.map { $0["names"]?.object?[other.id] ?? $0["emoji"] ?? .null }
        #expect(seen == [.string(other.name), "👏", "👏", "👏"])
        otherGuest.leave()
        hub.pass(1_000)
        #expect(hub.join(code).present.names == [player.id: player.name, host.id: "Hal"])
    }

    @Test("in a crowd the player gets the new name, and others only if they know the old one")
    func renamed() {
        let guests = crowd(Presence.crowd + 20)
        hub.pass(1_000)
        page.clear()
        let (player, guest) = guests[119]
        #expect(hub.rename(player, "Zoe").status == 200)
        hub.pass(1_000)
        #expect(guest.present.names[player.id] == "Zoe")
        #expect(page.last("presence") == nil)
        guest.command("say", ["text": "hello"])
        #expect(hub.rename(player, "Zora").status == 200)
        hub.pass(1)
        #expect(page.present.names[player.id] == "Zora")
    }

    @Test("a player who takes a seat, is muted or becomes host in a crowd is named")
    func seen() {
        let guests = crowd(Presence.crowd + 20)
        hub.pass(1_000)
        for (index, command) in ["sit", "mute", "host"].enumerated() {
            let (player, guest) = guests[index + 110]
            switch command {
            case "sit": guest.command("sit")
            case "mute": page.command("mute", ["player": .string(player.id), "on": true])
            default:
                guest.command("sit")
                page.leave()
            }
            hub.pass(command == "host" ? 70_000 : 1_000)
            let watcher = guests[0].page
            #expect(watcher.present.names[player.id] == player.name)
            #expect(watcher.present.players.contains(player.id) == (command != "mute"))
        }
    }

    @Test("a crowd begins with one player above the limit, and ends once few enough are left")
    func limits() {
        var guests = crowd(Presence.crowd - 1)
        hub.pass(1_000)
        #expect(page.present.players.count == Presence.crowd)
        guests += crowd(1, from: Presence.crowd).map { ($0.player, $0.page) }
        hub.pass(1_000)
        #expect(page.present.players == [host.id] && page.present.spectators == Presence.crowd)
        while guests.count >= Presence.crowdEnds { guests.removeLast().page.leave() }
        hub.pass(1_000)
        let expected = Set(guests.map(\.player.id) + [host.id])
        #expect(page.present.players == expected && expected.count == Presence.crowdEnds)
        #expect(guests.allSatisfy { page.present.names[$0.player.id] == $0.player.name })
        #expect(guests[3].page.present.players == expected)
    }

    @Test("players who react are remembered up to a limit, beyond which they are named again")
    func reacting() {
        let guests = crowd(Presence.crowd + 20)
        hub.pass(1_000)
        page.clear()
        let reacting = guests.prefix(Presence.reactingLimit + 1)
        for (_, guest) in reacting { guest.command("react", ["emoji": "👏"]) }
        hub.pass(1_000)
        #expect(hub.join(code).present.names.count == 2)
        reacting[0].page.command("react", ["emoji": "👏"])
        #expect(page.messages.count { $0["names"]?.object?[reacting[0].player.id] != nil } == 2)
    }

    @Test("of many simultaneous arrivals a share is greeted in each turn, in order")
    func greetings() {
        let count = HelloDesk.greetingsPerTurn + 1
        let guests = (0..<count).map { _ in hub.connect(code) }
        hub.log.pace = .stepped
        let hello = JSONWriter.bytes(["type": "hello"])
        for guest in guests {
            if let member = guest.member { hub.shard.members.messageArrived(hello.span.bytes, from: member) }
        }
        #expect(guests.map { $0.last("welcome") != nil } == Array(repeating: true, count: count - 1) + [false])
        // A request of the last one waits.
        if let member = guests.last?.member {
            hub.shard.members.messageArrived(JSONWriter.bytes(["type": "here", "id": "a"]).span.bytes, from: member)
        }
        hub.log.pace = .automatic
        hub.pass(0)
        #expect(guests.last?.messages.compactMap { $0["type"]?.string }.prefix(2) == ["welcome", "error"])
    }
}
