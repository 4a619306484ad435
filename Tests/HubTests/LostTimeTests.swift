import EventStore
import Games
import JSON
import Testing

@testable import Cluster
@testable import Hub
@testable import RoomRules

/// Three nodes with keepers, and a game at the last of them whose turn has begun and is long.
private final class LostTimeScene {
    let cluster: ScriptedCluster
    let table: Table
    var code: String { table.code }
    var victim: ScriptedHub { cluster.nodes[2] }

    init(hasKeepers: Bool = true, turn: Int = 86_400) {
        cluster = ScriptedCluster(hasKeepers: hasKeepers)
        table = Table(
            ["columns": 2, "rows": 3, "theme": "numbers", "turnTime": .integer(turn)], at: cluster.nodes[2])
        // Each case begins just after leases were renewed.
        cluster.pass(4_000)
    }

    /// The database is away for so long that leases are renewed that much later than before.
    func loseDatabase(for span: Milliseconds, meanwhile: () -> Void = {}) {
        cluster.setDatabase(away: true)
        cluster.pass(span / 2)
        meanwhile()
        cluster.pass(span - span / 2 - 500)
        cluster.setDatabase(away: false)
        cluster.pass(500)
    }

    /// A client comes to another node, which takes the room.
    func claim(at place: Int = 0) {
        let page = cluster.nodes[place].join(code)
        cluster.pass(500)
        #expect(page.last("welcome") != nil && cluster.holder(of: code) === cluster.nodes[place])
    }

    /// The total by which clocks were set back.
    var lost: Milliseconds {
        cluster.disk.log.records(of: .room(code)).reduce(0) { sum, record in
            guard record.event.type == ClockExtended.type,
                let fields = (try? JSONReader.read(record.event.shown))?.object
            else { return sum }
            return sum + (fields["ms"]?.integer ?? 0)
        }
    }
}

@Suite("Several nodes: the table of lost time in Cluster.md") struct LostTimeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seconds: Double
        fileprivate var hasKeepers = true
        fileprivate let play: @Sendable (LostTimeScene) -> Void
    }

    @Test(
        "each fault costs this much, to the second",
        arguments: [
            Case(testDescription: "the database is away for 300 s, in which the room's node dies", seconds: 310) {
                scene in
                scene.loseDatabase(for: 300_000) { scene.cluster.kill(scene.victim) }
                scene.cluster.pass(10_000)
                scene.claim()
            },
            Case(testDescription: "the database is away for 300 s, and the room is asleep", seconds: 300) { scene in
                for page in scene.table.pages { page.leave() }
                scene.cluster.pass(120_000)
                #expect(scene.cluster.claimant(of: scene.code) == nil)
                scene.loseDatabase(for: 300_000)
                scene.cluster.pass(20_000)
                scene.claim()
            },
            Case(testDescription: "a loop is blocked for 4.9 s, and its node dies", seconds: 6.2) { scene in
                scene.cluster.freeze(scene.victim)
                scene.cluster.pass(4_900)
                scene.cluster.kill(scene.victim)
                scene.cluster.pass(1_300)
                scene.claim()
            },
            Case(testDescription: "two nodes are lost one after the other", seconds: 12.5) { scene in
                scene.cluster.kill(scene.victim)
                scene.cluster.pass(6_500)
                // It claims the room, and dies before it has read it.
                let next = scene.cluster.nodes[1]
                next.shard.handle(.wake(codes: [scene.code]))
                #expect(scene.cluster.claimant(of: scene.code) == next.run)
                scene.cluster.kill(next)
                scene.cluster.pass(6_000)
                scene.claim()
            },
            Case(
                testDescription: "a node dies in a turn of seven days, and somebody comes after three", seconds: 6,
                hasKeepers: false
            ) { scene in
                let (died, found) = (scene.victim.now, scene.victim.now + 6_000)
                scene.cluster.kill(scene.victim, isKnown: false)
                scene.cluster.pass(6_000)
                scene.cluster.record(.lost(run: scene.victim.run, settled: died, at: found))
                scene.cluster.pass(500)
                for node in scene.cluster.living { node.skip(3 * 86_400_000) }
                scene.claim()
            },
            Case(testDescription: "a node is drained, and players are back after 4 s", seconds: 4) { scene in
                scene.cluster.stop(scene.victim)
                scene.cluster.pass(4_000)
                scene.claim()
            },
            Case(testDescription: "a node dies, and the next one can write nothing until it is drained", seconds: 16) {
                scene in
                scene.cluster.kill(scene.victim)
                scene.cluster.pass(6_500)
                let next = scene.cluster.nodes[1]
                for _ in 0..<100 { next.log.putIn(.refused(.cannotWrite(reason: "a test"))) }
                _ = next.join(scene.code)
                scene.cluster.pass(6_000)
                #expect(scene.cluster.claimant(of: scene.code) == next.run)
                scene.cluster.stop(next)
                scene.cluster.pass(3_500)
                scene.claim()
            },
            Case(testDescription: "a node dies, and the next to claim the room leaves just then", seconds: 8) { scene in
                scene.cluster.kill(scene.victim)
                scene.cluster.pass(6_500)
                let next = scene.cluster.nodes[1]
                next.log.pace = .stepped
                let page = next.connect(scene.code, settling: false)
                next.shard.keeper?.leave()
                next.log.pace = .automatic
                next.settle()
                #expect(page.closed == .serviceRestart && scene.cluster.claimant(of: scene.code) == nil)
                scene.cluster.pass(1_500)
                scene.claim()
            },
            Case(testDescription: "a power cut of everything for 8 h", seconds: 8 * 3_600) { scene in
                // Until someone is back, which takes until nodes serve.
                scene.cluster.cutPower(for: 8 * 3_600_000 - 10_000)
                scene.cluster.pass(10_000)
                scene.claim()
            },
        ])
    func costs(one: Case) {
        let scene = LostTimeScene(hasKeepers: one.hasKeepers, turn: 604_800)
        one.play(scene)
        #expect(abs(Double(scene.lost) / 1_000 - one.seconds) <= 1, "\(scene.lost) ms")
        // It is given back once.
        let before = scene.lost
        scene.cluster.pass(5_000)
        #expect(scene.lost == before)
    }

    @Test("a drain after which no one comes back within 10 s costs nothing")
    func drainedLongAgo() {
        let scene = LostTimeScene()
        scene.cluster.stop(scene.victim)
        scene.cluster.pass(11_000)
        scene.claim()
        #expect(scene.lost == 0)
    }

    @Test("a blocked loop of a node costs nothing to rooms that were elsewhere")
    func elsewhere() {
        let scene = LostTimeScene(hasKeepers: false)
        for node in scene.cluster.nodes {
            if node === scene.cluster.nodes[0] { node.standStill(20_000) } else { node.pass(20_000) }
        }
        scene.cluster.stop(scene.victim)
        scene.claim()
        #expect(scene.lost <= 1_000, "\(scene.lost) ms")
    }
}
