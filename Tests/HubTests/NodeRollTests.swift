import EventStore
import Games
import Records
import Testing

@testable import Cluster
@testable import Hub
@testable import RoomRules

@Suite("Nodes that join and leave") struct NodeRollTests {
    private static func run(_ node: String, _ run: String) -> NodeRun {
        NodeRun(node: NodeName(node), run: run, address: "wss://\(node)")
    }

    @Test(
        "records about a node read back unchanged",
        arguments: [
            .joined(run("a", "1"), at: 5), .left(run: "1", at: 7), .lost(run: "1", settled: 6, at: 9),
        ] as [NodeRecord])
    func readBack(record: NodeRecord) throws {
        let commit = record.commit(expecting: StreamName.hub.start)
        let storage = InMemoryStorage()
        InMemoryLog(storage: storage).append(commit, ticket: 1, answer: AppendAnswers())
        #expect(try NodeRecord(#require(storage.records(of: .hub).first)) == record)
        // A node that joins continues.
        if case .joined = record { #expect(commit.fencing == nil) } else { #expect(commit.fencing?.run == "1") }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let records: [NodeRecord]
        let nodes: [String]

        init(_ name: String, _ records: [NodeRecord], _ nodes: [String]) {
            (testDescription, self.records, self.nodes) = (name, records, nodes)
        }
    }

    @Test(
        "nodes serve rooms from when they join until they leave or are lost",
        arguments: [
            Case("nobody", [], []),
            Case("two", [.joined(run("b", "1"), at: 1), .joined(run("a", "2"), at: 2)], ["a", "b"]),
            Case(
                "one of two left",
                [.joined(run("b", "1"), at: 1), .joined(run("a", "2"), at: 2), .left(run: "1", at: 3)], ["a"]),
            Case(
                "one of two lost",
                [.joined(run("b", "1"), at: 1), .joined(run("a", "2"), at: 2), .lost(run: "1", settled: 10, at: 15)],
                ["a"]),
            Case(
                "lost twice",
                [
                    .joined(run("b", "1"), at: 1), .lost(run: "1", settled: 3, at: 9),
                    .lost(run: "1", settled: 4, at: 12),
                ], []),
            Case(
                "the second of a name",
                [.joined(run("a", "1"), at: 1), .joined(run("a", "2"), at: 2), .left(run: "2", at: 3)], ["a"]),
            Case(
                "all were gone for a while",
                [.joined(run("a", "1"), at: 1), .left(run: "1", at: 20), .joined(run("a", "2"), at: 50)],
                ["a"]),
        ])
    func roll(row: Case) {
        var roll = NodeRoll()
        for record in row.records {
            let before = roll.runs
            let hasChanged = roll.apply(record)
            #expect(hasChanged == (roll.runs != before))
        }
        #expect(roll.nodes.map(\.text) == row.nodes)
        #expect(roll.hasServed == !row.records.isEmpty)
        for run in ["1", "2"] { #expect(roll.has(run: run) == (roll[run: run] != nil)) }
    }

    @Test("a node that does not renew its lease for five observed seconds is lost")
    func leases() {
        let other = Self.run("b", "2")
        func lease(_ renewals: Int, now: Int) -> [Lease] {
            [
                Lease(
                    run: "2", note: NodeNote(node: other.node, address: "", now: now, wall: now).bytes,
                    renewals: renewals)
            ]
        }
        var watch = LeaseWatch()
        for second in 1..<6 { #expect(watch.look(at: lease(7, now: 900), for: [other], now: second * 1_000).isEmpty) }
        #expect(watch.look(at: lease(7, now: 900), for: [other], now: 6_000).map(\.sight.settled) == [900])
        // By a clock that is ahead: the lease was seen before that.
        for second in 1..<6 { _ = watch.look(at: lease(8, now: 99_000), for: [other], now: 6_000 + second * 1_000) }
        #expect(watch.look(at: lease(8, now: 99_000), for: [other], now: 12_000).map(\.sight.settled) == [7_000])
        #expect(watch.look(at: lease(9, now: 13_000), for: [other], now: 13_000).isEmpty)
        // A database that was away for an hour says nothing about anyone.
        #expect(watch.look(at: lease(9, now: 13_000), for: [other], now: 3_600_000).isEmpty)
        for second in 1..<5 {
            #expect(watch.look(at: [], for: [other], now: 3_600_000 + second * 1_000).isEmpty)
        }
        #expect(watch.look(at: [], for: [other], now: 3_605_000).map(\.run) == [other])
    }
}
