import EventStore
import Games
import Testing

@testable import Hub

@Suite("Sleeping rooms: requests wake none") struct SleepingRoomTests {
    static let paths = [
        "/api/rooms/CODE", "/api/rooms/CODE/log", "/room/CODE", "/replay/CODE", "/api/rooms", "/api/players/me/games",
    ]

    /// A game with turns of ten minutes, which everyone has left long enough for its room to sleep.
    private func sleeping() -> Table {
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 600])
        table.sleep()
        return table
    }

    @Test("over HTTP", arguments: paths)
    func requests(path: String) {
        let table = sleeping()
        let path = path.replacing("CODE", with: table.code)
        for _ in 0..<2 { #expect([200, 404].contains(table.hub.request("GET", path, token: table.ann.token).status)) }
        #expect(table.hub.metric("flipside_rooms_awake") == 0)
        #expect(table.hub.shard.rooms.all.isEmpty)
    }

    @Test("opening it: it wakes when a client connects")
    func opening() {
        let hub = ScriptedHub()
        let code = hub.open(hub.player("Ann"))
        hub.pass(8_000)
        #expect(hub.metric("flipside_rooms_awake") == 0)
        #expect(hub.join(code).last("welcome") != nil)
        #expect(hub.metric("flipside_rooms_awake") == 1)
    }

    @Test("by the keeper of the rows, also while all are built from the log")
    func updater() {
        let table = sleeping()
        let (hub, token) = (table.hub, table.ann.token)
        hub.crash(downtime: 1_000, keepsRows: false)
        hub.pass(8_000)
        #expect(hub.metric("flipside_rooms_awake") == 0)
        let games = hub.request("GET", "/api/players/me/games", token: token).fields["rooms"]?.list
        #expect(games?.first?.object?["code"]?.string == table.code)
    }

    @Test("by any of several nodes, and none claims the room", arguments: 0..<3)
    func nodes(place: Int) {
        let cluster = ScriptedCluster()
        let ann = cluster.nodes[0].player("Ann")
        let code = cluster.nodes[place].open(ann)
        cluster.pass(8_000)
        for path in Self.paths {
            for node in cluster.nodes {
                _ = node.request("GET", path.replacing("CODE", with: code), token: ann.token)
            }
        }
        cluster.pass(5_000)
        #expect(cluster.claimant(of: code) == nil)
        for node in cluster.nodes {
            #expect(node.request("GET", "/api/rooms/\(code)").fields["hostName"] == "Ann")
            #expect(node.shard.rooms.all.isEmpty)
        }
    }
}
