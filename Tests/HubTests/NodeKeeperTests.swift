import EventStore
import Games
import Synchronization
import Testing

@testable import Cluster
@testable import Hub
@testable import RoomRules

@Suite("A node that starts, alone or with others") struct NodeKeeperTests {
    @Test("a single node serves at once") func alone() {
        let scene = KeeperScene()
        scene.pass(1_000)
        #expect(scene.host.told == ["joined"])
        #expect(scene.recorded == ["node-joined"])
    }

    /// `ahead`: how far the time of the serving node is ahead.
    @Test(
        "a node that comes after another serves only by that one's time", arguments: [0, 2_000, -2_000, 3_000, -3_000])
    func others(ahead: Milliseconds) {
        let scene = KeeperScene(others: ["b"])
        for _ in 0..<5 {
            scene.renew("b", ahead: ahead)
            scene.pass(1_000)
        }
        let isRight = abs(ahead) <= LeaseWatch.gap
        #expect(scene.host.told == (isRight ? ["joined"] : ["ended"]))
        #expect(scene.recorded == (isRight ? ["node-joined", "node-joined"] : ["node-joined"]))
        #expect(scene.hub.logged.of(.error).contains { $0.contains("time differs from the others") } != isRight)
    }

    @Test("a node whose clock turns out to be wrong hands on what it serves") func laterWrong() {
        let scene = KeeperScene(others: ["b"])
        for ahead in [0, 0, 0, 3_000, 3_000] {
            scene.renew("b", ahead: ahead)
            scene.pass(1_000)
        }
        #expect(scene.recorded == ["node-joined", "node-joined", "node-left"])
        #expect(scene.host.told == ["joined", "leaves", "ended"])
    }

    @Test("a node serves only when it is linked to all serving ones") func unlinked() {
        let scene = KeeperScene(others: ["b", "c"], areLinked: false)
        func pass() {
            for other in ["b", "c"] { scene.renew(other) }
            scene.pass(1_000)
        }
        for _ in 0..<5 { pass() }
        scene.link("b")
        pass()
        #expect(scene.host.told == [])
        #expect(scene.hub.logged.of(.warning).contains { $0.contains("it is not linked to c yet") })
        scene.link("c")
        pass()
        #expect(scene.host.told == ["joined"])
    }

    @Test("a node whose port refuses is declared lost, unless it has left", arguments: [false, true])
    func portRefuses(hasLeft: Bool) {
        let scene = KeeperScene(others: ["b"])
        for _ in 0..<3 {
            scene.renew("b")
            scene.pass(1_000)
        }
        scene.hub.log.pace = .stepped
        if hasLeft { scene.record(.left(run: "b", at: scene.hub.now)) }
        scene.hub.shard.keeper?.nobodyListens(at: "b")
        scene.hub.log.pace = .automatic
        scene.pass(1_000)
        #expect(scene.recorded.last == (hasLeft ? "node-left" : "node-lost"))
        #expect(scene.hub.logged.of(.error).contains { $0.contains("a node is lost") } != hasLeft)
        #expect(scene.hub.shard.keeper?.losing.isEmpty == true)
    }

    @Test("a node without a link for long hands on what it serves, if the other has as many links and the lower name")
    func makesWay() {
        // Its name is `a`, so it stays.
        let scene = KeeperScene(others: ["b"])
        func pass(links: Int) {
            scene.renew("b", links: links)
            scene.pass(1_000)
        }
        for _ in 0..<3 { pass(links: 1) }
        scene.link("b", isLinked: false)
        for _ in 0..<5 { pass(links: 0) }
        #expect(scene.host.told == ["joined"])
        for _ in 0..<2 { pass(links: 1) }
        #expect(scene.host.told == ["joined", "leaves", "ended"])
        #expect(scene.recorded.last == "node-left")
    }

    @Test("a node is linked before it serves") func candidates() {
        let scene = KeeperScene()
        scene.pass(1_000)
        scene.renew("b", joins: true)
        scene.renew("gone")
        scene.pass(1_000)
        #expect(scene.host.links == ["b"])
        // It has died before it served.
        scene.pass(4_000)
        #expect(scene.host.links == [])
    }

    @Test("after a node that has gone, it serves once that is recorded") func behindLost() {
        let scene = KeeperScene(others: ["b"])
        scene.renew("b", ahead: 0)
        scene.database.pass(4_000)
        scene.pass(4_000)
        #expect(scene.recorded == ["node-joined"])
        scene.pass(3_000)
        // In that time no node has served.
        #expect(scene.recorded == ["node-joined", "node-lost", "node-joined", "outage"])
        #expect(scene.host.told == ["joined"])
    }

    @Test("a node that renews its lease in time is not lost, until it is silent again")
    func renewsInTime() {
        let scene = KeeperScene(others: ["b"])
        func pass(renewing: Bool) {
            if renewing { scene.renew("b") }
            scene.pass(1_000)
        }
        for _ in 0..<3 { pass(renewing: true) }
        scene.hub.log.stopWrites(.cannotWrite(reason: "the database is slow"))
        for _ in 0..<6 { pass(renewing: false) }
        scene.renew("b")
        scene.hub.log.resumeWrites()
        for _ in 0..<3 { pass(renewing: true) }
        func isTold() -> Bool { scene.hub.logged.of(.error).contains { $0.contains("a node is lost") } }
        #expect(!scene.recorded.contains("node-lost") && !scene.hub.storage.isFenced("b") && !isTold())
        for _ in 0..<7 { pass(renewing: false) }
        #expect(scene.recorded.last == "node-lost" && scene.hub.storage.isFenced("b") && isTold())
    }

    @Test("its lease gives the time up to which its rooms are owed nothing") func settled() {
        let scene = KeeperScene()
        scene.pass(3_000)
        #expect(scene.note.map { $0.settled == $0.now } == true)
        let since = scene.hub.now
        scene.loops.owesSince = since
        scene.pass(3_000)
        #expect(scene.note.map { $0.settled == since && $0.now > since } == true)
    }

    @Test("a loss gives the time up to which nothing was owed, from the node's last report") func settledBefore() {
        let scene = KeeperScene(others: ["b"])
        let since = scene.hub.now - 700
        for _ in 0..<3 {
            scene.renew("b", settled: since)
            scene.pass(1_000)
        }
        scene.pass(7_000)
        let lost = scene.hub.storage.records(of: .hub).compactMap { NodeRecord($0) }.last
        guard case .lost("b", since, _, _) = lost else {
            Issue.record("\(String(describing: lost))")
            return
        }
    }

    @Test("no lease is renewed while a loop is blocked, even if another node comes", arguments: [false, true])
    func standsStill(stands: Bool) {
        let scene = KeeperScene()
        scene.pass(1_000)
        scene.loops.standSince = stands ? scene.hub.now : nil
        scene.pass(3_000)
        let before = scene.renewals
        scene.record(.joined(NodeRun(node: NodeName("b"), run: "b", address: "http://b"), at: scene.hub.now))
        #expect(scene.renewals == (stands ? before : before + 1))
        scene.loops.standSince = nil
        scene.pass(1_000)
        #expect(scene.renewals > before)
    }

    @Test("a node that was recorded too late does not serve") func late() {
        let scene = KeeperScene()
        scene.begin { scene.hub.wait(3_000) }
        scene.pass(1_000)
        #expect(scene.recorded.filter { $0 != "outage" } == ["node-joined", "node-left"])
        #expect(scene.host.told == ["leaves", "ended"])
        #expect(scene.hub.logged.of(.error).contains { $0.contains("took too long to join") })
    }

    @Test("members of a lost node are not counted, whatever it says") func countsGo() {
        let scene = KeeperScene(others: ["b"])
        func count(_ room: String) -> Int { scene.hub.shard.surroundings.presence.count(in: room).present }
        func pass(_ room: String) {
            scene.renew("b", presence: PresenceReport(rooms: [RoomPresence(room: room, present: 2, spectators: 0)]))
            scene.pass(1_000)
        }
        for room in ["red", "blue"] { pass(room) }
        #expect(count("red") == 2 && count("blue") == 2)
        scene.record(.lost(run: "b", settled: scene.hub.now, at: scene.hub.now))
        #expect(count("red") == 0 && count("blue") == 0)
        pass("red")
        #expect(count("red") == 0)
    }

    @Test("a node whose time is before the newest record does not join") func behindLog() {
        let scene = KeeperScene()
        scene.begin { scene.record(.left(run: "gone", at: scene.hub.now + 3_000)) }
        scene.pass(2_000)
        #expect(scene.recorded == ["node-left", "node-joined", "node-left"])
        #expect(scene.host.told == ["leaves", "ended"])
    }
}
