import EventStore
import Games
import Testing

@testable import Cluster
@testable import Hub
@testable import Rooms

@Suite("Several nodes: a node that leaves gives up its rooms") struct RoomDrainTests {
    @Test("pending work is done, then the claim is released, and then members are sent away")
    func order() {
        let scene = RelayScene()
        let (home, code) = (scene.home, scene.code)
        let page = scene.relay.join(code, scene.ben)
        home.log.pace = .stepped
        scene.annPage.command("sit", id: "under way", settling: false)
        home.shard.handle(.leaves)
        var story: [String] = []
        func look() {
            var now = scene.annPage.last("ok") == nil ? "asked" : "answered"
            if scene.cluster.claimant(of: code) == nil { now += ", released" }
            if scene.annPage.closed != nil { now += ", sent away" }
            if story.last != now { story.append(now) }
        }
        look()
        for _ in 0..<10 {
            _ = home.log.step()
            look()
            home.wait(0)
            look()
        }
        #expect(story == ["asked", "answered", "answered, released", "answered, released, sent away"])
        home.log.pace = .automatic
        home.settle()
        for page in [scene.annPage, page] {
            #expect(page.closed == .serviceRestart && page.events.map { $0["type"] } == ["seat-taken"])
        }
        #expect(home.shard.rooms.all.isEmpty && home.counters.roomsGivenUp.value == 1)
    }

    @Test("a limited number of members is sent away each second, whole rooms at a time")
    func rate() {
        let cluster = ScriptedCluster(count: 1, serving: 1)
        let hub = cluster.nodes[0]
        var pages: [[ScriptedClient]] = []
        for name in ["Ann", "Ben", "Cem"] {
            let host = hub.player(name)
            for _ in 0..<60 {
                let code = hub.open(host)
                pages.append([hub.join(code)])
                // One room has many members.
                if pages.count == 100 { for _ in 0..<69 { pages[99].append(hub.join(code)) } }
            }
        }
        func gone() -> Int { pages.count { $0.allSatisfy { $0.closed == .serviceRestart } } }
        hub.shard.handle(.leaves)
        hub.settle()
        var counts = [gone()]
        for _ in 0..<6 {
            hub.pass(50)
            counts.append(gone())
        }
        // With 1,000 members a second, one step sends 50. The room of 70 uses up the next step and a part of one more.
        #expect(counts == [50, 100, 100, 131, 180, 180, 180])
        #expect(hub.shard.rooms.all.isEmpty && hub.counters.roomsGivenUp.value == 180)
    }

    @Test("a limited number of relayed connections is sent away each second, after the rooms' members")
    func relayed() {
        let scene = RelayScene()
        let pages = (0..<119).map { _ in scene.relay.join(scene.code) }
        let own = scene.relay.join(scene.relay.open(scene.relay.player("Dora")))
        scene.relay.shard.handle(.leaves)
        func gone() -> Int { pages.count { $0.closed == .serviceRestart } }
        scene.relay.settle()
        #expect(own.closed == .serviceRestart)
        var counts = [gone()]
        for _ in 0..<4 {
            scene.relay.pass(50)
            counts.append(gone())
        }
        #expect(counts == [49, 99, 119, 119, 119])
        #expect(scene.annPage.closed == nil)
    }

    @Test("without the log the claim stays, and members are sent away")
    func logAway() {
        let scene = RelayScene()
        scene.home.log.stopWrites(.cannotWrite(reason: "a test"))
        scene.home.settle()
        scene.home.shard.handle(.leaves)
        scene.home.settle()
        #expect(scene.annPage.closed == .serviceRestart && scene.home.shard.rooms.all.isEmpty)
        #expect(scene.cluster.claimant(of: scene.code) == scene.home.run)
    }

    @Test("clients that come to a leaving node, or wait there, are sent away")
    func comes() {
        let scene = RelayScene()
        let code = scene.home.open(scene.ann)
        scene.cluster.claim(code, by: "another run")
        let waiting = scene.home.join(code, scene.ann)
        scene.home.shard.handle(.leaves)
        scene.home.settle()
        let late = scene.home.join(scene.code, scene.ben)
        #expect([waiting, late].allSatisfy { $0.closed == .serviceRestart && $0.messages.isEmpty })
    }

    @Test("its leaving is recorded once it has no rooms, so that none is lost")
    func records() {
        let cluster = ScriptedCluster(count: 2, hasKeepers: true)
        let (node, other) = (cluster.nodes[0], cluster.nodes[1])
        let ann = node.player("Ann")
        let codes = (0..<80).map { _ in other.open(ann) }
        let pages = codes.map { node.join($0) }
        node.shard.keeper?.leave()
        node.settle()
        #expect(!cluster.recorded.contains("node-left") && cluster.hosts?[0].told == ["joined", "leaves"])
        cluster.pass(500)
        #expect(pages.allSatisfy { $0.closed == .serviceRestart })
        #expect(cluster.recorded.contains("node-left") && cluster.hosts?[0].told == ["joined", "leaves", "ended"])
        #expect(codes.allSatisfy { cluster.claimant(of: $0) == nil })
        #expect(codes.allSatisfy { other.join($0).last("welcome") != nil })
    }
}
