import Testing

@testable import Hub

@Suite("Several nodes: whose home a room has") struct MembershipTests {
    private static let codes = (0..<3_000).map { "room-\($0)" }

    private func homes(_ names: [String]) -> [NodeName] {
        let membership = Membership(epoch: 1, nodes: names.map { NodeName($0) })
        return Self.codes.map { membership.home(ofRoom: $0) }
    }

    @Test("the same on every machine, and whatever the order in which nodes are named")
    func isFixed() {
        let membership = Membership(epoch: 4, nodes: ["a:1", "b:1", "c:1"].map { NodeName($0) })
        let homes = ["abc234", "xyz789", "k2m4p6", "22222222222222222"].map { membership.home(ofRoom: $0).text }
        #expect(homes == ["c:1", "a:1", "c:1", "b:1"])
        #expect(self.homes(["a:1", "b:1", "c:1"]) == self.homes(["c:1", "a:1", "b:1", "a:1"]))
    }

    @Test("each node has its share", arguments: [1, 2, 3, 5, 8])
    func isFair(count: Int) {
        let homes = homes((0..<count).map { "10.0.0.\($0):8080" })
        let share = Self.codes.count / count
        let counts = Dictionary(grouping: homes) { $0 }.mapValues(\.count)
        #expect(counts.count == count)
        #expect(counts.values.allSatisfy { abs($0 - share) < share / 4 + 20 })
    }

    @Test("who comes takes rooms from all, who goes leaves rooms to all, and no other moves", arguments: [2, 3, 7])
    func movesFew(count: Int) {
        let names = (0..<count).map { "node-\($0)" }
        let (before, after) = (homes(names), homes(names + ["new"]))
        for (old, new) in zip(before, after) where old != new { #expect(new == NodeName("new")) }
        // Each of those before has lost some.
        #expect(Set(zip(before, after).filter { $0 != $1 }.map(\.0)).count == count)
    }
}
