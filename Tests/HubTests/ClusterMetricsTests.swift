import EventStore
import Games
import Testing
import Threads

@testable import Cluster
@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("Metrics of a cluster") struct ClusterMetricsTests {
    private func counts(_ hub: ScriptedHub) -> [Int] {
        [hub.counters.rooms.value, hub.counters.members.value, hub.counters.relayedConnections.value]
    }

    @Test("a room counts at its home until it sleeps, and a connection at its socket, also as relayed")
    func rooms() {
        let cluster = ScriptedCluster(count: 2, serving: 2)
        let (old, new) = (cluster.nodes[0], cluster.nodes[1])
        let ann = old.player("Ann")
        let code = old.open(ann)
        #expect(counts(old) == [0, 0, 0] && counts(new) == [0, 0, 0])
        var pages = [old.join(code, ann), new.join(code), new.join(code)]
        #expect(counts(old) == [1, 1, 0] && counts(new) == [0, 2, 2])
        pages.removeLast().leave()
        #expect(counts(old) == [1, 1, 0] && counts(new) == [0, 1, 1])
        cluster.stop(old)
        #expect(pages.allSatisfy { $0.closed == .serviceRestart })
        #expect(old.counters.roomsGivenUp.value == 1 && new.counters.roomsGivenUp.value == 0)
        for page in pages { page.leave() }
        #expect(counts(old) == [0, 0, 0])
        pages = [new.join(code), new.join(code, ann)]
        #expect(counts(new) == [1, 2, 0])
        for page in pages { page.leave() }
        cluster.pass(200_000)
        #expect(counts(new) == [0, 0, 0])
    }

    @Test("a node's report in its lease reads back, and another release's is left out")
    func figures() throws {
        var figures = NodeFigures()
        (figures.rooms, figures.connections, figures.relayed) = (1, 3, 2)
        figures.conflicts = 6
        let appends = HistogramCounter()
        for span in [60_000, 70_000, 20_000_000_000] { appends.add(span) }
        figures.appends = appends.value
        var note = NodeNote(node: NodeName("a"), address: "http://a", now: 7, wall: 8)
        note.figures = figures.fields
        #expect(NodeNote(note.bytes) == note)
        #expect(figures.appendBuckets.map(\.count).prefix(3) == [0, 2, 2])
        #expect(figures.appendBuckets.last?.bound == .infinity && figures.appendBuckets.last?.count == 3)
        var fields = figures.fields
        fields["appends"] = .integers([1, 2])
        #expect(NodeFigures(fields) == nil)
    }

    @Test("there is a report for each serving node, and for each live one that waits")
    func reports() {
        var roll = NodeRoll()
        for name in ["b", "a", "c"] {
            let run = NodeRun(node: NodeName(name), run: "run \(name)", address: "")
            _ = roll.apply(.joined(run, at: 1))
        }
        func lease(_ name: String, said wall: Int, isJoining: Bool = false) -> Lease {
            var note = NodeNote(node: NodeName(name), address: "", now: 0, wall: wall)
            (note.isJoining, note.links) = (isJoining, 2)
            return Lease(run: "run \(name)", note: note.bytes, renewals: 1)
        }
        let found = LeaseRenewal(
            time: 100_000, isFenced: false,
            leases: [
                lease("a", said: 99_500), lease("b", said: 96_000), lease("d", said: 99_000, isJoining: true),
                lease("e", said: 90_000, isJoining: true), lease("left", said: 99_900),
            ])
        let reports = NodeReport.all(of: roll, found)
        #expect(reports.map(\.name) == ["a", "b", "c", "d"])
        #expect(reports.map(\.silence) == [500, 4_000, nil, 1_000])
        #expect(reports.map(\.isHeard) == [true, false, false, true])
        #expect(reports.map(\.isServing) == [true, true, true, false])
    }
}
