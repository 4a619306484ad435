import Games
import Testing

@testable import Cluster
@testable import RoomRules

@Suite("Nodes that cannot be linked") struct LinkWatchTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How many links this node, `m`, has to other serving nodes.
        var own = 0
        /// The node without a link to it, and how many links that one reports.
        var other = "z"
        var theirs = 0
        var since = 0
        var run = "1"
        /// Whether the log has that this node serves.
        var isServing = true
        let leaves: Bool
    }

    @Test(
        "of two unlinkable nodes the one with fewer links leaves, or the one with the greater name",
        arguments: [
            Case(testDescription: "as many, and the lesser name", leaves: false),
            Case(testDescription: "as many, and the greater name", other: "a", leaves: true),
            Case(testDescription: "fewer, and the lesser name", own: 1, theirs: 2, leaves: true),
            Case(testDescription: "more, and the greater name", own: 2, other: "a", theirs: 1, leaves: false),
            Case(testDescription: "the log has lost that it serves", own: 2, isServing: false, leaves: true),
            Case(testDescription: "not for long enough", other: "a", since: 1, leaves: false),
            Case(testDescription: "another run of it was seen", other: "a", run: "0", leaves: false),
        ])
    func leaves(one: Case) {
        var watch = LinkWatch()
        var others: [(run: NodeRun, note: NodeNote)] = []
        func add(_ name: String, links: Int, isLinked: Bool, run: String = "1", since: Milliseconds = 0) {
            let node = NodeName(name)
            var note = NodeNote(node: node, address: "http://\(name)", now: 0, wall: 0)
            note.links = links
            others.append((NodeRun(node: node, run: "1", address: note.address), note))
            watch.see(LinkSight(run: run, isLinked: isLinked, since: since), of: node)
        }
        for number in 0..<one.own { add("friend-\(number)", links: 1, isLinked: true) }
        add(one.other, links: one.theirs, isLinked: false, run: one.run, since: one.since)
        let winner = watch.winner(
            over: NodeName("m"), isServing: one.isServing, among: others, at: LinkWatch.limit)
        #expect((winner?.node == NodeName(one.other)) == one.leaves)
        #expect(watch.count(among: others.map(\.run)) == one.own)
    }
}
