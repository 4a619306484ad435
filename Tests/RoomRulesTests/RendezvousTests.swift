import Testing

@testable import RoomRules

@Suite("Several nodes: which one goes first") struct RendezvousTests {
    private static let codes = (0..<3_000).map { "room-\($0)" }

    private func firsts(_ names: [String]) -> [NodeName?] {
        let nodes = Set(names).map { NodeName($0) }.sorted()
        return Self.codes.map { Rendezvous.first(of: nodes, for: $0) }
    }

    @Test("the order is the same on every machine")
    func isFixed() {
        let nodes = ["a:1", "b:1", "c:1"].map { NodeName($0) }
        let firsts = ["abc234", "xyz789", "k2m4p6", "22222222222222222"].map { Rendezvous.first(of: nodes, for: $0) }
        #expect(firsts.map { $0?.text } == ["c:1", "a:1", "c:1", "b:1"])
        #expect(Rendezvous.first(of: [], for: "abc234") == nil)
    }

    @Test("each node has its share", arguments: [1, 2, 3, 5, 8])
    func isFair(count: Int) {
        let firsts = firsts((0..<count).map { "10.0.0.\($0):8080" })
        let share = Self.codes.count / count
        let counts = Dictionary(grouping: firsts) { $0 }.mapValues(\.count)
        #expect(counts.count == count)
        #expect(counts.values.allSatisfy { abs($0 - share) < share / 4 + 20 })
    }

    @Test("a node that joins takes a share from each, and one that leaves gives its own to all", arguments: [2, 3, 7])
    func movesFew(count: Int) {
        let names = (0..<count).map { "node-\($0)" }
        let (before, after) = (firsts(names), firsts(names + ["new"]))
        for (old, new) in zip(before, after) where old != new { #expect(new == NodeName("new")) }
        // Each of the earlier nodes has lost some.
        #expect(Set(zip(before, after).filter { $0 != $1 }.map(\.0)).count == count)
    }
}
