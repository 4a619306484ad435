import Games
import Testing

@testable import Hub

@Suite("Several nodes: since when one is not heard") struct UnheardNodesTests {
    private static let node = NodeName("a")

    enum Step: Sendable {
        /// Nothing comes from the node any more since then.
        case fell(Milliseconds)
        /// One of so many loops of it has said who is there.
        case heard(Int, of: Int)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        /// Of a room of the node's first loop, of two or more, and of one of its second loop.
        let since: [Milliseconds?]
    }

    /// A room of this loop, of two as of four.
    private static func room(of loop: Int) -> String {
        (0...).lazy.map { "room\($0)" }.first { room in
            [2, 4].allSatisfy { shardIndex(ofRoom: room, count: $0) == loop }
        } ?? ""
    }

    @Test(
        "a room's players are not heard until the loop of their node that has the room has said who is there",
        arguments: [
            Case(testDescription: "the link never fell", steps: [.heard(0, of: 2)], since: [nil, nil]),
            Case(testDescription: "it fell", steps: [.fell(100)], since: [100, 100]),
            Case(testDescription: "it fell again", steps: [.fell(100), .fell(200)], since: [100, 100]),
            Case(testDescription: "an earlier time came later", steps: [.fell(200), .fell(100)], since: [100, 100]),
            Case(testDescription: "one loop was heard", steps: [.fell(100), .heard(0, of: 2)], since: [nil, 100]),
            Case(
                testDescription: "both were", steps: [.fell(100), .heard(0, of: 2), .heard(1, of: 2)],
                since: [nil, nil]),
            Case(
                testDescription: "one was heard before it fell again",
                steps: [.fell(100), .heard(0, of: 2), .fell(300)], since: [300, 100]),
            Case(
                testDescription: "the other one has been since",
                steps: [.fell(100), .heard(0, of: 2), .fell(300), .heard(1, of: 2)], since: [300, nil]),
            Case(
                testDescription: "both have been since",
                steps: [.fell(100), .heard(0, of: 2), .fell(300), .heard(1, of: 2), .heard(0, of: 2)],
                since: [nil, nil]),
            Case(
                testDescription: "it was started again with more loops",
                steps: [.fell(100), .heard(1, of: 2), .heard(0, of: 4)], since: [nil, 100]),
            Case(
                testDescription: "it was started again with one loop",
                steps: [.fell(100), .heard(1, of: 2), .heard(0, of: 1)], since: [nil, nil]),
        ])
    func since(_ one: Case) {
        var unheard = UnheardNodes()
        for step in one.steps {
            switch step {
            case .fell(let since): unheard.fell(Self.node, since: since)
            case .heard(let loop, let count):
                unheard.heard(
                    HandOverNote(epoch: 1, isSettled: true, hubVersion: 1, loop: loop, loops: count), of: Self.node)
            }
        }
        let since = [0, 1].map { loop in unheard.all(of: Self.room(of: loop)).first?.since }
        #expect(since == one.since)
    }

    @Test("all nodes that are not heard are given, by their names, but those that are none any more")
    func several() {
        var unheard = UnheardNodes()
        for (node, since) in [("c", 3), ("a", 1), ("b", 2)] { unheard.fell(NodeName(node), since: since) }
        unheard.forget { $0 == NodeName("b") }
        let all = unheard.all(of: "room")
        #expect(all.map(\.node.text) == ["a", "c"] && all.map(\.since) == [1, 3])
    }
}
