import EventStore
import Games
import Records
import Testing

@testable import Cluster
@testable import Hub
@testable import RoomRules

private func outages(_ hub: ScriptedHub) -> [Outage] { hub.storage.records(of: .hub).compactMap { Outage($0) } }

private func expectRight(_ hub: ScriptedHub) {
    #expect(hub.shard.surroundings.canPlay)
    let (history, read) = (hub.shard.surroundings.history, HubHistory(hub.storage.records(of: .hub)))
    #expect(history.roll == read.roll && history.log == read.log)
    // A node keeps those of its loop.
    if hub.shard.node == nil { #expect(history.outages == read.outages) }
}

@Suite("A log that has lost the hubs' newest records") struct GoneBackHubTests {
    @Test("an outage of a node's loop costs no one, even if the log loses what was given back")
    func outage() throws {
        let cluster = ScriptedCluster(count: 1, serving: 1)
        let hub = cluster.nodes[0]
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 20], at: hub)
        let replica = InMemoryStorage(copying: hub.storage)
        let deadline = try #require(table.state.deadline)
        hub.standStill(25_000)
        #expect(table.state.deadline == deadline + 25_000 && outages(hub).isEmpty)
        hub.failOver(to: replica)
        hub.pass(8_000)
        #expect(table.watcher.messages.contains { $0["diverged"] == true })
        #expect(table.state.deadline == deadline + 28_000)
        #expect(table.mover.command("flip", ["cell": 0])?["type"] == "ok")
    }

    @Test("an acknowledged outage that is lost before it is seen blocks no one")
    func unseen() {
        let table = ClockTests.table
        let hub = table.hub
        hub.witness.isOn = false
        let replica = InMemoryStorage(copying: hub.storage)
        hub.failOver(to: replica, failedReadings: 1)
        #expect(outages(hub).count == 1)
        #expect(!hub.shard.surroundings.canPlay)
        hub.failOver(to: replica)
        hub.pass(10_000)
        #expect(outages(hub).count == 2)
        expectRight(hub)
        #expect(table.mover.command("flip", ["cell": 0])?["type"] == "ok")
    }

    /// `isSeen`: whether the hub loses its connection by that; nil if nothing is lost.
    @Test("opening a room that is lost before the answer is told to try again", arguments: [nil, false, true])
    func opened(isSeen: Bool?) throws {
        let hub = ScriptedHub()
        hub.witness.isOn = false
        let ann = hub.player("Ann")
        let replica = InMemoryStorage(copying: hub.storage)
        hub.log.pace = .stepped
        let answer = hub.request(
            "POST", "/api/rooms", token: ann.token, body: ["game": "connect-four"], settling: false)
        let count = hub.storage.records.count
        for _ in 0..<100 where hub.storage.records.count == count { hub.step() }
        let stream = try #require(hub.storage.records.last?.stream)
        #expect(hub.storage.records.count > count && stream.roomCode != nil && answer.status == 0)
        hub.log.pace = .automatic
        if isSeen == false { hub.storage.cutBack(stream, to: 0) }
        if isSeen == true { hub.failOver(to: replica) } else { hub.settle() }
        #expect(answer.status == (isSeen == nil ? 201 : 503))
        #expect(answer.fields["code"]?.string == "log-unavailable" || isSeen == nil)
    }

    @Test("a node whose record of joining is lost joins again, and keeps its clients")
    func joined() {
        let scene = KeeperScene()
        let replica = InMemoryStorage(copying: scene.hub.storage)
        scene.pass(3_000)
        #expect(scene.recorded == ["node-joined"])
        scene.hub.failOver(to: replica)
        scene.pass(8_000)
        #expect(scene.recorded.filter { $0 != "outage" } == ["node-joined"])
        #expect(scene.host.told == ["joined", "joined"])
        #expect(scene.hub.logged.of(.warning).contains { $0.contains("joins again") })
        expectRight(scene.hub)
    }

    @Test("a node that joins again hands on what it has, if it cannot be linked to one that serves")
    func unlinked() {
        let scene = KeeperScene(others: ["b"])
        func pass(_ seconds: Int) {
            for _ in 0..<seconds {
                scene.renew("b")
                scene.pass(1_000)
            }
        }
        let replica = InMemoryStorage(copying: scene.hub.storage)
        pass(3)
        #expect(scene.host.told == ["joined"])
        scene.link("b", isLinked: false)
        scene.hub.failOver(to: replica)
        pass(8)
        #expect(scene.host.told == ["joined", "leaves", "ended"])
    }

    @Test("a node whose earlier run is back, because its loss was lost, joins again after it")
    func runBefore() {
        let scene = KeeperScene(others: ["b"])
        let replica = InMemoryStorage(copying: scene.hub.storage)
        scene.pass(8_000)
        #expect(scene.recorded.filter { $0 != "outage" } == ["node-joined", "node-lost", "node-joined"])
        scene.hub.failOver(to: replica)
        scene.pass(10_000)
        #expect(scene.recorded.filter { $0 != "outage" } == ["node-joined", "node-lost", "node-joined"])
        #expect(scene.host.told == ["joined", "joined"])
        expectRight(scene.hub)
    }
}
