import EventStore
import Games
import JSON
import Testing

@testable import Cluster
@testable import Hub
@testable import Rooms

@Suite("Several nodes: lists, names, deadlines") struct ClusterListTests {
    /// A room of Ann's, who is in it at the second of three nodes. Its home is on the node `home`.
    private func cluster(home: Int) -> (ScriptedCluster, code: String, ann: ScriptedPlayer, page: ScriptedClient) {
        let cluster = ScriptedCluster()
        let ann = cluster.nodes[0].player("Ann")
        let code = cluster.nodes[0].open(ann)
        let first = cluster.nodes[home].join(code)
        let page = cluster.nodes[1].join(code, ann)
        first.leave()
        return (cluster, code, ann, page)
    }

    private func listed(at node: ScriptedHub) -> [Fields] {
        node.request("GET", "/api/rooms").fields["rooms"]?.list?.compactMap(\.object) ?? []
    }

    @Test("a room is in the lists of all nodes as long as anyone is in it", arguments: 0..<3)
    func lists(home: Int) throws {
        let (cluster, code, ann, page) = cluster(home: home)
        let lobbies = cluster.nodes.map { $0.lobby() }
        page.command("sit")
        cluster.pass(8_000)
        for (node, lobby) in zip(cluster.nodes, lobbies) {
            let row = try #require(listed(at: node).first)
            #expect(row["code"] == .string(code) && row["present"] == 1 && row["hostName"] == "Ann")
            #expect(row["seats"]?.object?["taken"] == 1)
            let room = try #require(
                lobby.last("room")?["room"]?.object ?? lobby.last("rooms")?["rooms"]?.list?.first?.object)
            #expect(room == row)
            #expect(node.request("GET", "/api/rooms/\(code)").fields["present"] == 1)
            #expect(node.request("GET", "/api/players/me/games", token: ann.token).status == 200)
        }
        page.leave()
        cluster.pass(8_000)
        for (node, lobby) in zip(cluster.nodes, lobbies) {
            #expect(listed(at: node).isEmpty)
            #expect(lobby.last("room-gone")?["code"] == .string(code))
        }
    }

    @Test("a room whose log has lost records is listed as it is now")
    func goneBack() throws {
        let (cluster, code, _, page) = cluster(home: 0)
        // At the node that rooms report to, reading rows does not interfere.
        let hub = try #require(cluster.nodes.first { $0.shard.lobby?.isToldOfRows == true })
        let (lobby, list) = (hub.lobby(), try #require(hub.shard.lobby))
        let before = try #require(cluster.nodes[0].shard.rooms[code]).row
        page.command("sit")
        cluster.pass(8_000)
        func taken() -> Value? {
            cluster.pass(3_000)
            return lobby.last("room")?["room"]?.object?["seats"]?.object?["taken"]
        }
        #expect(taken() == 1)
        list.roomChanged(before)
        #expect(taken() == 1)
        list.doubtRows()
        list.roomChanged(before)
        #expect(taken() == 0)
    }

    @Test("without changes no node's list sends anything")
    func quiet() {
        let (cluster, _, _, page) = cluster(home: 1)
        page.command("sit")
        let lobbies = cluster.nodes.map { $0.lobby() }
        cluster.pass(15_000)
        for lobby in lobbies { lobby.clear() }
        cluster.pass(5_000)
        for lobby in lobbies { #expect(lobby.messages.isEmpty) }
    }

    @Test("a member who has left is in no list, even without a link to the room's home")
    func linksAreDown() {
        let (cluster, _, _, page) = cluster(home: 1)
        cluster.pass(2_000)
        cluster.cutLinks()
        page.leave()
        cluster.pass(3_000)
        for node in cluster.nodes { #expect(listed(at: node).isEmpty) }
    }

    @Test("no list counts members of a dead node", arguments: 0..<3)
    func diesWithAll(home: Int) {
        let (cluster, _, _, page) = cluster(home: home)
        let lobbies = cluster.nodes.map { $0.lobby() }
        page.command("sit")
        cluster.pass(5_000)
        for node in cluster.nodes { #expect(listed(at: node).first?["present"] == 1) }
        cluster.kill(cluster.nodes[1])
        cluster.pass(5_000)
        for (node, lobby) in zip(cluster.nodes, lobbies) where node !== cluster.nodes[1] {
            #expect(listed(at: node).isEmpty)
            #expect(lobby.last("room-gone") != nil)
        }
    }

    @Test("a database crash removes no one from lists, and later departures are seen in all", arguments: 0..<3)
    func databaseCrashes(home: Int) {
        let (cluster, _, _, page) = cluster(home: home)
        cluster.pass(5_000)
        let storage = cluster.nodes[0].storage
        storage.failOver(to: InMemoryStorage(copying: storage))
        for node in cluster.nodes {
            node.log.reconnect()
            node.settle()
        }
        for _ in 0..<5 {
            cluster.pass(1_000)
            for node in cluster.nodes { #expect(listed(at: node).count == 1) }
        }
        page.leave()
        cluster.pass(5_000)
        for node in cluster.nodes { #expect(listed(at: node).isEmpty) }
    }

    @Test("all nodes' lists have the host's new name, and none once it is forgotten", arguments: 0..<3)
    func hostNames(place: Int) {
        let (cluster, code, ann, _) = cluster(home: 1)
        _ = cluster.nodes[1].join(code)
        let lobbies = cluster.nodes.map { $0.lobby() }
        cluster.pass(5_000)
        func names() -> [Value?] {
            cluster.pass(3_000)
            return zip(cluster.nodes, lobbies).flatMap { node, lobby in
                [
                    listed(at: node).first?["hostName"],
                    node.lobby().last("rooms")?["rooms"]?.list?.first?.object?["hostName"],
                    lobby.last("room")?["room"]?.object?["hostName"],
                ]
            }
        }
        #expect(cluster.nodes[place].rename(ann, "Bea").status == 200)
        #expect(names() == Array(repeating: "Bea", count: 9))
        #expect(cluster.nodes[place].request("DELETE", "/api/players/me", token: ann.token).status == 204)
        #expect(names() == Array(repeating: nil, count: 9))
        #expect(cluster.nodes.allSatisfy { listed(at: $0).count == 1 })
    }

    @Test("a closed room disappears from the lists of all nodes", arguments: 0..<3)
    func closes(home: Int) {
        let (cluster, code, _, page) = cluster(home: home)
        let lobbies = cluster.nodes.map { $0.lobby() }
        cluster.pass(5_000)
        page.command("close")
        cluster.pass(5_000)
        for (node, lobby) in zip(cluster.nodes, lobbies) {
            #expect(listed(at: node).isEmpty)
            #expect(lobby.last("room-gone")?["code"] == .string(code))
        }
    }

    @Test(
        "a new name is shown even if a room woke between its record and its row",
        arguments: 0..<3)
    func namesBetween(place: Int) {
        let (cluster, code, ann, _) = cluster(home: 1)
        cluster.pass(2_000)
        cluster.loses = { if case .accountChanged = $0 { true } else { false } }
        #expect(cluster.nodes[(place + 1) % 3].rename(ann, "Bea").status == 200)
        let page = cluster.nodes[place].join(code)
        cluster.loses = { _ in false }
        cluster.pass(3_000)
        #expect(page.present.names[ann.id] == "Bea")
    }

    @Test("a new name is shown on all nodes, and a forgotten player only watches on all of them", arguments: 0..<3)
    func names(home: Int) {
        let (cluster, code, ann, page) = cluster(home: home)
        let pages = cluster.nodes.map { $0.join(code) }
        cluster.pass(2_000)
        #expect(cluster.nodes[2].rename(ann, "Bea").status == 200)
        cluster.pass(3_000)
        for page in pages { #expect(page.present.names[ann.id] == "Bea") }
        #expect(cluster.nodes[2].request("DELETE", "/api/players/me", token: ann.token).status == 204)
        #expect(page.messages.contains { $0["code"] == "unknown-token" })
        cluster.pass(3_000)
        for page in pages { #expect(page.present.players.isEmpty) }
        for node in cluster.nodes {
            #expect(node.request("GET", "/api/rooms/\(code)").fields["names"]?.object?.names == [])
        }
    }

    @Test(
        "a turn whose time is up ends in an empty room, also after the death of its node",
        arguments: [false, true])
    func deadlines(dies: Bool) throws {
        let cluster = ScriptedCluster()
        let (ann, ben) = (cluster.nodes[0].player("Ann"), cluster.nodes[1].player("Ben"))
        let code = cluster.nodes[0].open(ann, ["turnTime": .integer(3_600)])
        let pages = [cluster.nodes[0].join(code, ann), cluster.nodes[1].join(code, ben)]
        for page in pages { page.command("sit") }
        pages[0].command("start")
        for page in pages { page.leave() }
        cluster.pass(200_000)
        for node in cluster.nodes { #expect(node.shard.rooms[code] == nil) }
        let start = try #require(cluster.nodes[0].storage.records(of: .room(code)).last?.event.time)
        if dies { cluster.kill(cluster.home(of: code)) }
        cluster.pass(3_600_000 - 150_000)
        let expired = try #require(
            cluster.home(of: code).storage.records(of: .room(code)).first { $0.event.type == "turn-expired" })
        #expect((3_600_000...3_601_000).contains(expired.event.time - start))
    }

    @Test("when the node that keeps the rows dies, another one takes over")
    func rowsGoOn() throws {
        let (cluster, _, _, _) = cluster(home: 1)
        cluster.pass(3_000)
        let keepers = keepers(in: cluster)
        #expect(keepers.count == 1)
        cluster.kill(try #require(keepers.first))
        let living = try #require(cluster.nodes.first { $0 !== keepers[0] })
        let cem = living.player("Cem")
        let code = living.open(cem)
        let page = living.join(code, cem)
        cluster.pass(8_000)
        #expect(page.closed == nil)
        for node in cluster.nodes where node !== keepers[0] {
            #expect(listed(at: node).contains { $0["code"] == .string(code) && $0["present"] == 1 })
        }
    }

    /// Nodes that believe they keep the rows.
    private func keepers(in cluster: ScriptedCluster) -> [ScriptedHub] {
        cluster.living.filter { $0.shard.lobby?.isToldOfRows == true }
    }

    @Test("the next keeper of the rows also sends what the last one wrote")
    func lastRowsAreTold() throws {
        let cluster = ScriptedCluster(count: 2)
        let keeper = try #require(keepers(in: cluster).first)
        let next = try #require(cluster.nodes.first { $0 !== keeper })
        let ann = next.player("Ann")
        let code = next.open(ann)
        let page = next.join(code, ann)
        // The keeper writes once a second, and the other node reads a while later.
        cluster.pass(3_800)
        let lobby = next.lobby()
        #expect(lobby.last("rooms")?["rooms"]?.list?.count == 1)
        page.command("close")
        for _ in 0..<4 { cluster.pass(100) }
        #expect(next.request("GET", "/api/rooms").fields["rooms"]?.list?.isEmpty == true)
        #expect(lobby.last("room-gone") == nil)
        cluster.kill(keeper)
        #expect(keepers(in: cluster).first === next)
        cluster.pass(5_000)
        #expect(lobby.last("room-gone")?["code"] == .string(code))
    }

    @Test("news of a room counts more than an older list that is being read")
    func toldWhileReading() throws {
        let hub = ScriptedHub()
        // The test speaks for the hub.
        hub.witness.isOn = false
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        _ = hub.join(code, ann)
        hub.pass(2_000)
        let (page, lobby) = (hub.lobby(), try #require(hub.shard.lobby))
        hub.write([RoomRow.test(code, version: 8, isOpen: false).change])
        lobby.rowsBegun()
        lobby.sendChanges()
        lobby.roomChanged(RoomRow.test(code, version: 9, summary: Array(#"{"code":"\#(code)"}"#.utf8)))
        hub.settle()
        hub.pass(2_000)
        #expect(page.last("room-gone") == nil)
        #expect(page.last("room")?["room"]?.object?["code"] == .string(code))
    }
}
