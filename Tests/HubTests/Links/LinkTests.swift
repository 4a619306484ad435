import Games
import Testing

@testable import Cluster
@testable import Hub

@Suite("Links between nodes") struct LinkTests {
    /// Nodes that know each other.
    private func cluster(_ names: [String]) throws -> [LinkedNode] {
        let nodes = try names.map { try LinkedNode($0) }
        for node in nodes { node.keep(nodes) }
        return nodes
    }

    @Test("every two nodes are linked once, and all loops learn of it")
    func links() throws {
        let nodes = try cluster(["a", "b", "c"])
        for node in nodes {
            for other in nodes where other !== node {
                #expect(node.isLinked(to: other.name.text))
                #expect(node.notes.wait(for: "sees \(other.name.text) linked"))
            }
        }
        #expect(nodes.map(\.linked) == [2, 2, 2])
        #expect(nodes.allSatisfy { $0.counters.reduce(0) { $0 + $1.linksMade.value } == 2 })
    }

    @Test("messages of each loop reach the other node in order")
    func messages() throws {
        let nodes = try cluster(["a", "b"])
        for (from, to) in [(nodes[0], nodes[1]), (nodes[1], nodes[0])] {
            #expect(from.isLinked(to: to.name.text) && to.isLinked(to: from.name.text))
            for loop in 0..<2 {
                for number in 0..<500 { from.say("\(loop) \(number)", to: to, on: loop) }
                #expect(to.notes.wait(for: "\(from.name.text) says \(loop) 499"))
                let said = to.notes.all.filter { $0.hasPrefix("\(from.name.text) says \(loop) ") }
                #expect(said == (0..<500).map { "\(from.name.text) says \(loop) \($0)" })
            }
        }
    }

    @Test("nodes of two releases are linked, and know which events the other reads")
    func releases() throws {
        let (a, b) = (try LinkedNode("a"), try LinkedNode("b", types: ["ended", "flipped"]))
        for node in [a, b] { node.keep([a, b]) }
        #expect(a.isLinked(to: "b") && b.isLinked(to: "a"))
        #expect(a.notes.all.contains("b reads ended, flipped") && b.notes.all.contains("a reads flipped"))
    }

    @Test("a cut link is made again, and all loops learn of it again", arguments: ["a", "b"])
    func anew(early: String) throws {
        let (a, b) = (try LinkedNode("a"), try LinkedNode("b"))
        let proxy = try FaultyProxy(to: b.port)
        b.keep([a])
        a.keep([], ports: ["b": proxy.port])
        for times in 1...4 {
            #expect(a.isLinked(to: "b", times: times) && b.isLinked(to: "a", times: times))
            a.say("\(times)", to: b, on: 1)
            #expect(b.notes.wait(for: "a says \(times)"))
            proxy.cutAll()
        }
        #expect(a.logged.of(.warning).contains { $0.contains("the link to a node is lost node=b") })
    }

    @Test("a restarted node is linked at once, with its new run")
    func restart() throws {
        let b = try LinkedNode("b")
        for run in 1...3 {
            let a = try LinkedNode("a", run: "run \(run)")
            a.keep([b])
            b.keep([a])
            #expect(a.isLinked(to: "b") && b.isLinked(to: "a", times: run))
            a.stop()
        }
        #expect(b.count(.sameName) == 0)
    }

    @Test("a refusing port is noticed by the node that connects and by the one that knocks")
    func refusals() throws {
        var nodes = try cluster(["a", "b", "c"])
        for node in nodes { for other in nodes where other !== node { #expect(node.isLinked(to: other.name.text)) } }
        // Its listener goes with it.
        nodes.remove(at: 1)
        for node in nodes {
            #expect(node.notes.wait(for: "sees b down, 2 refusals"))
            #expect(node.linked == 1)
        }
        #expect(nodes[0].notes.all.contains("sees c linked"))
    }

    @Test("a node that has left the cluster is not contacted, and may not knock")
    func leaves() throws {
        let nodes = try cluster(["a", "b", "c"])
        for node in nodes { for other in nodes where other !== node { #expect(node.isLinked(to: other.name.text)) } }
        for node in nodes { node.keep([nodes[0], nodes[2]]) }
        #expect(nodes[0].notes.wait { $0.contains("sees b down, 0 refusals") })
        nodes[0].say("after", to: nodes[1])
        nodes[0].say("after", to: nodes[2])
        #expect(nodes[2].notes.wait(for: "a says after"))
        #expect(!nodes[1].notes.all.contains("a says after"))
        for node in nodes { node.keep(nodes) }
        #expect(nodes[0].isLinked(to: "b", times: 2) && nodes[1].isLinked(to: "a", times: 2))
    }

    @Test("a node that comes before it is known waits, and is then linked at once")
    func stranger() throws {
        let (a, b) = (try LinkedNode("a"), try LinkedNode("b") { $0.strangerTime = 60_000 })
        a.keep([b])
        // It has asked, and waits.
        #expect(a.notes.wait(for: "sees b down, 0 refusals"))
        b.keep([a])
        #expect(a.isLinked(to: "b") && b.isLinked(to: "a"))
        #expect(b.count(.unknownNode) == 0)
    }

    @Test("a node that stays unknown is told so, and is linked once it is known")
    func unknown() throws {
        let (a, b) = (try LinkedNode("a"), try LinkedNode("b") { $0.strangerTime = 1 })
        a.keep([b])
        #expect(a.notes.wait { _ in a.count(.unknownNode) > 0 && b.count(.unknownNode) > 0 })
        #expect(a.linked == 0)
        b.keep([a])
        #expect(a.isLinked(to: "b") && b.isLinked(to: "a"))
        #expect(b.logged.of(.warning).count { $0.contains("refused a link from") } == 1)
    }
}
