import Testing
import Threads

@testable import Cluster
@testable import Hub
@testable import RoomRules
@testable import flipside

@Suite("flipside top, of a cluster") struct NodesTableTests {
    private func report(_ name: String, said wall: Int?, isServing: Bool = true, appends: [Nanoseconds]) -> NodeReport {
        var figures = NodeFigures()
        (figures.rooms, figures.connections, figures.relayed) = (12, 40, 5)
        figures.conflicts = 2
        let counter = HistogramCounter()
        for span in appends { counter.add(span) }
        figures.appends = counter.value
        let note = wall.map { wall in
            var note = NodeNote(node: NodeName(name), address: "", now: 0, wall: wall)
            (note.figures, note.links) = (figures.fields, 2)
            return note
        }
        let run = NodeRun(node: NodeName(name), run: "run \(name)", address: "")
        return NodeReport(run, isServing: isServing, note, at: 100_000)
    }

    @Test("each node has a row, and one that is silent says so instead of its earlier figures")
    func table() {
        let before = [report("a", said: 98_000, appends: [60_000, 3_000_000])]
        let after = [
            report("a", said: 99_900, appends: [60_000, 3_000_000, 60_000, 60_000]),
            report("b", said: 96_900, appends: []), report("c", said: nil, appends: []),
            report("d", said: 99_000, isServing: false, appends: []),
        ]
        let lines = NodesTable(before: before, after: after).lines.map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(
            lines == [
                "node heard of rooms connections relayed links conflicts write p50 p99",
                "a now 12 40 5 2 of 2 2 75 µs 100 µs", "b NOT FOR 3 s - - - - - - -",
                "c NOT AT ALL - - - - - - -", "d now, but waits 12 40 5 2 of 3 2 - -",
            ])
        #expect(Set(NodesTable(before: [], after: after).lines.map(\.count)).count == 1)
    }

    @Test("a node's own table shows its part of the cluster")
    func own() throws {
        let text = """
            flipside_rooms_awake 3
            flipside_nodes 3
            flipside_node_links 2
            flipside_node_relayed_connections 5
            flipside_node_rooms_given_up_total 4
            flipside_node_losses_total 1
            flipside_log_conflicts_total 9

            """
        let reading = try MetricsReading(text)
        let lines = TopTable(before: reading, after: reading, seconds: 2).lines
        #expect(lines.contains("cluster       nodes 3   linked 2   relayed 5"))
        #expect(lines.contains("homes         given up 4   nodes lost 1   conflicts a second 0"))
    }
}
