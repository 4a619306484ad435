import EventStore
import Games
import Testing

@testable import Hub
@testable import Rooms

@Suite("Several nodes: lost claims") struct LostClaimTests {
    /// A room with one member at its home, and one at another node.
    private let scene = RelayScene()
    private var cluster: ScriptedCluster { scene.cluster }
    private static let other = "another run"

    @Test("if the database has lost a claim, and another run has it, members are sent away")
    func failsOver() {
        let page = scene.relay.join(scene.code, scene.ben)
        let replica = InMemoryStorage(copying: cluster.disk.log)
        cluster.release(scene.code, by: scene.home.run)
        cluster.claim(scene.code, by: Self.other)
        let taken = InMemoryStorage(copying: cluster.disk.log)
        #expect(replica.claims(since: -1)?.holders[.room(scene.code)] == scene.home.run)
        cluster.disk.log.failOver(to: taken)
        for node in cluster.nodes {
            node.log.poll()
            node.log.reconnect()
            node.settle()
        }
        #expect([scene.annPage, page].allSatisfy { $0.closed == .serviceRestart })
        #expect(scene.home.shard.rooms[scene.code] == nil && scene.home.counters.roomsGivenUp.value == 1)
        #expect(cluster.claimant(of: scene.code) == Self.other)
    }

    @Test("a claim that is only lost is made again, and no one notices")
    func claimsAgain() {
        let before = InMemoryStorage(copying: cluster.disk.log)
        let code = scene.home.open(scene.ann)
        let after = InMemoryStorage(copying: cluster.disk.log)
        #expect(before.records.count < after.records.count)
        let page = scene.home.join(code)
        cluster.disk.log.failOver(to: after)
        #expect(cluster.claimant(of: code) == nil)
        scene.home.log.poll()
        scene.home.log.reconnect()
        scene.home.settle()
        #expect(page.closed == nil && cluster.claimant(of: code) == scene.home.run)
    }

    @Test("a command for a room that another run has claimed is not answered, and members come back")
    func finds() {
        let page = scene.relay.join(scene.code, scene.ben)
        cluster.release(scene.code, by: scene.home.run)
        cluster.claim(scene.code, by: Self.other)
        scene.annPage.command("sit", id: "sits")
        #expect([scene.annPage, page].allSatisfy { $0.closed == .serviceRestart && $0.events.isEmpty })
        #expect(scene.annPage.messages.allSatisfy { $0["id"] != "sits" })
        #expect(scene.home.shard.rooms[scene.code] == nil && scene.home.counters.roomsGivenUp.value == 1)
        #expect(cluster.claimant(of: scene.code) == Self.other)
        cluster.release(scene.code, by: Self.other)
        page.leave()
        let back = scene.annPage.comeBack(to: scene.relay, scene.code, as: scene.ann)
        #expect(back.command("sit", id: "sits")?["type"] == "ok" && back.events.count == 1)
        #expect(cluster.claimant(of: scene.code) == scene.relay.run)
    }
}
