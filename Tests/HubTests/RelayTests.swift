import EventStore
import Games
import Testing
import Transport

@testable import Cluster
@testable import Hub
@testable import Rooms

@Suite("Several nodes: relayed connections") struct RelayTests {
    @Test("a message for all crosses a link once, for any number of relayed clients", arguments: [1, 3, 20])
    func broadcasts(count: Int) {
        let scene = RelayScene()
        let gone = scene.relay.join(scene.code)
        var pages = [scene.relay.join(scene.code)]
        gone.leave()
        for _ in 1..<count { pages.append(scene.relay.join(scene.code)) }
        scene.cluster.pass(2_000)
        scene.cluster.forgetMessages()
        for page in pages { page.clear() }
        scene.annPage.command("sit")
        scene.annPage.command("say", ["text": "hello"])
        scene.cluster.pass(2_000)
        for type in ["seat-taken", "chat", "presence"] {
            let told = scene.relayed.filter { $0.texts.contains { $0.contains(#""type":"\#(type)""#) } }
            #expect(told.count == 1 && told.allSatisfy(\.isBroadcast), "\(type)")
            for page in pages { #expect(page.messages.count { $0["type"] == .string(type) } == 1) }
        }
    }

    @Test("an answer only goes to the client that asked")
    func answers() {
        let scene = RelayScene()
        let (page, other) = (scene.relay.join(scene.code, scene.ben), scene.relay.join(scene.code, scene.ben))
        scene.cluster.forgetMessages()
        #expect(page.command("sit", id: "mine")?["type"] == "ok")
        #expect(page.command("fly", id: "no")?["code"] == "unknown-type")
        let told = scene.relayed.filter { if case .answer = $0 { true } else { false } }
        #expect(told.count == 2 && Set(told.map(\.connection)).count == 1)
        #expect(other.messages.allSatisfy { $0["id"] == nil } && scene.annPage.messages.allSatisfy { $0["id"] == nil })
        #expect(other.events.map { $0["type"] } == ["seat-taken"])
    }

    @Test("a room sleeps once the last member has left, on any node")
    func sleeps() {
        let scene = RelayScene()
        let page = scene.relay.join(scene.code, scene.ben)
        scene.annPage.leave()
        scene.cluster.pass(200_000)
        #expect(scene.members.count == 1)
        page.leave()
        #expect(scene.members.isEmpty)
        scene.cluster.pass(50_000)
        #expect(scene.home.shard.rooms[scene.code] != nil)
        scene.cluster.pass(20_000)
        #expect(scene.home.shard.rooms[scene.code] == nil)
        #expect(scene.relay.shard.rooms[scene.code] == nil)
        // It wakes for a client.
        #expect(scene.relay.join(scene.code, scene.ben).last("welcome") != nil)
    }

    @Test("a change of seats changes the order of serving at the member's own node")
    func service() {
        let scene = RelayScene()
        let page = scene.relay.join(scene.code, scene.ben)
        #expect(page.isServedLast)
        page.command("sit")
        #expect(!page.isServedLast)
        page.command("leave")
        #expect(page.isServedLast)
        page.command("sit")
        let watcher = scene.relay.join(scene.code)
        #expect(watcher.isServedLast && !page.isServedLast)
        // It is told when it has changed.
        scene.cluster.forgetMessages()
        scene.annPage.command("sit")
        #expect(!scene.relayed.contains { if case .servedLast = $0 { true } else { false } })
    }

    @Test("all connections of a node have different names")
    func names() throws {
        let scene = RelayScene()
        let (surroundings, node) = (scene.relay.shard.surroundings, try #require(scene.home.shard.node?.cluster))
        let cluster = try #require(scene.relay.shard.node?.cluster)
        let ids = [0, 1, Int(UInt16.max)].map { loop in
            let desk = RelayDesk(surroundings, cluster, loop: loop)
            return (0..<3).map { _ in
                desk.enter(ScriptedClient(hub: scene.relay), room: scene.code, at: node.node).id
            }
        }
        #expect(Set(ids.joined()).count == 9)
        for list in ids { #expect(list == list.sorted() && list[2] - list[0] == 2) }
    }

    @Test("a member that its home closes is closed at its own node, with the same reason")
    func closes() {
        let scene = RelayScene()
        let silent = scene.relay.connect(scene.code)
        scene.cluster.pass(Member.helloLimit + 2 * Shard.sweepPause)
        #expect(silent.closed == .policyViolation)
        silent.leave()
        #expect(scene.members.count == 1)
    }

    @Test("a member beyond the room's limit is closed, at any node", arguments: [2, 3])
    func full(count: Int) {
        let scene = RelayScene(limits: .with { $0.membersPerRoom = 3 })
        let pages = (0..<count).map { _ in scene.relay.join(scene.code) }
        #expect(pages.map(\.closed) == Array([nil, nil, .tryAgainLater].prefix(count)))
        #expect(scene.members.count == 3)
        scene.annPage.command("sit")
        for page in pages where page.closed == nil { #expect(page.events.count == 1) }
    }

    @Test("both the home and the socket's node announce a restart")
    func draining() {
        let scene = RelayScene()
        let page = scene.relay.join(scene.code)
        scene.home.shard.handle(.draining)
        scene.home.settle()
        #expect(page.last("notice")?["code"] == "restart")
        page.clear()
        scene.relay.shard.handle(.draining)
        #expect(page.last("notice")?["code"] == "restart")
        #expect(scene.annPage.messages.count { $0["type"] == "notice" } == 1)
    }
}
