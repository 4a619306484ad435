import EventStore
import Games
import Testing

@testable import Hub

@Suite("Several nodes: when a room is another node's") struct HandOverTests {
    private static let (a, b, c) = (NodeName("a"), NodeName("b"), NodeName("c"))

    /// As `a` knows it: `b` has left, or died, and `c` was there before and is.
    private static func begun() -> HandOver {
        var handOver = HandOver()
        handOver.begin(
            Membership(epoch: 9, nodes: [a, c]), after: Membership(epoch: 4, nodes: [a, b, c]), at: 1_000)
        return handOver
    }

    private static func note(
        _ epoch: Int, settled: Bool = true, read version: Int? = 7, _ loop: Int = 0, of loops: Int = 2
    ) -> HandOverNote {
        HandOverNote(epoch: epoch, isSettled: settled, hubVersion: version, loop: loop, loops: loops)
    }

    /// A room that was the home of one of them before.
    private static func room(of node: NodeName) -> String {
        let before = Membership(epoch: 4, nodes: [a, b, c])
        return (0...).lazy.map { "room\($0)" }.first { before.home(ofRoom: $0) == node } ?? ""
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var notes: [HandOverNote] = []
        var time = 1_000
        let isOver: Bool
    }

    @Test(
        "a room of another node's is read when all loops of all others are settled, or time is up",
        arguments: [
            Case(testDescription: "nothing was said", isOver: false),
            Case(testDescription: "one loop of two", notes: [note(9)], isOver: false),
            Case(testDescription: "both", notes: [note(9), note(9, 1)], isOver: true),
            Case(testDescription: "both, of a later change", notes: [note(12), note(10, 1)], isOver: true),
            Case(testDescription: "one knows of it only", notes: [note(9), note(9, settled: false, 1)], isOver: false),
            Case(testDescription: "one of an earlier change", notes: [note(9), note(8, 1)], isOver: false),
            Case(testDescription: "said in the wrong order", notes: [note(9), note(9, 1), note(4, 1)], isOver: true),
            Case(
                testDescription: "started again with more loops", notes: [note(9), note(9, 1), note(9, 2, of: 3)],
                isOver: false),
            Case(
                testDescription: "one's outages stand where this node has read", notes: [note(9), note(9, read: 6, 1)],
                isOver: true),
            Case(
                testDescription: "one's stand behind that", notes: [note(9), note(9, read: 8, 1)], isOver: false),
            Case(
                testDescription: "one's are not in the log", notes: [note(9), note(9, read: nil, 1)], isOver: false),
            Case(
                testDescription: "they are by now", notes: [note(9), note(9, read: nil, 1), note(9, read: 7, 1)],
                isOver: true),
            Case(
                testDescription: "the stream has gone back since", notes: [note(9), note(9, read: 8, 1), note(9, 1)],
                isOver: true),
            Case(testDescription: "just before time is up", time: 1_000 + HandOver.limit - 1, isOver: false),
            Case(testDescription: "time is up", time: 1_000 + HandOver.limit, isOver: true),
        ])
    func over(_ one: Case) {
        var handOver = Self.begun()
        for note in one.notes { handOver.note(note, of: Self.c) }
        let over = handOver.finish(among: [Self.c], at: one.time, hubVersion: 7)
        #expect(over == (one.isOver ? [one.time - 1_000] : []))
        #expect(handOver.isOver(for: Self.room(of: Self.b), at: Self.a) == one.isOver)
        #expect((handOver.deadline == nil) == one.isOver)
        // What was its own all the time it goes on with.
        #expect(handOver.isOver(for: Self.room(of: Self.a), at: Self.a))
    }

    @Test("since when a room had another home is known for as long as its members may be on their way back")
    func whenMoved() {
        var handOver = Self.begun()
        for loop in 0...1 { handOver.note(Self.note(9, loop), of: Self.c) }
        #expect(handOver.finish(among: [Self.c], at: 1_100, hubVersion: 7) == [100])
        #expect(handOver.whenMoved(Self.room(of: Self.b), to: Self.a, at: 10_999) == 1_000)
        #expect(handOver.whenMoved(Self.room(of: Self.a), to: Self.a, at: 10_999) == nil)
        #expect(handOver.whenMoved(Self.room(of: Self.b), to: Self.a, at: 11_000) == nil)
    }

    @Test("who was home before last, and is again, waits, too")
    func back() {
        var handOver = Self.begun()
        handOver.begin(
            Membership(epoch: 11, nodes: [Self.a, Self.b, Self.c]),
            after: Membership(epoch: 9, nodes: [Self.a, Self.c]), at: 1_500)
        // Of `b` again, which has heard of both: what `a` or `c` did with it meanwhile is not known yet.
        #expect(!handOver.isOver(for: Self.room(of: Self.b), at: Self.b))
        for loop in 0..<2 { handOver.note(Self.note(11, loop), of: Self.c) }
        let over = handOver.finish(among: [Self.c], at: 1_500, hubVersion: 7)
        #expect(over == [500, 0])
        #expect(handOver.isOver(for: Self.room(of: Self.b), at: Self.b))
    }

    @Test("what a node says before one has heard that it serves counts, and what one said that is gone does not")
    func early() {
        let d = NodeName("d")
        var handOver = Self.begun()
        handOver.note(Self.note(11, 0, of: 1), of: d)
        handOver.begin(
            Membership(epoch: 10, nodes: [Self.a]), after: Membership(epoch: 9, nodes: [Self.a, Self.c]), at: 1_000)
        handOver.begin(
            Membership(epoch: 11, nodes: [Self.a, d]), after: Membership(epoch: 10, nodes: [Self.a]), at: 1_000)
        // It leaves, and another run of that name comes.
        handOver.begin(
            Membership(epoch: 12, nodes: [Self.a]), after: Membership(epoch: 11, nodes: [Self.a, d]), at: 1_000)
        handOver.begin(
            Membership(epoch: 13, nodes: [Self.a, d]), after: Membership(epoch: 12, nodes: [Self.a]), at: 1_000)
        let over = handOver.finish(among: [d], at: 1_000, hubVersion: 7)
        #expect(over.isEmpty)
    }

    @Test("the next home judges nothing before the last one has let go, and knows all that was written by then")
    func judgesBehind() {
        let cluster = ScriptedCluster(count: 2, serving: 1)
        let (old, new) = (cluster.nodes[0], cluster.nodes[1])
        // A room that moves to the second when it serves, too.
        let ann = old.player("Ann")
        var code = old.open(ann)
        while cluster.homeIfAllServe(of: code) === old { code = old.open(ann) }
        let (ownPage, otherPage) = (old.join(code, ann), new.join(code))
        cluster.serveByAll(telling: [new])
        #expect(otherPage.closed == .serviceRestart)
        let early = new.join(code, ann)
        // The one before has not heard of it.
        ownPage.command("sit", id: "c1")
        early.command("leave", id: "c2")
        #expect(ownPage.messages.contains { $0["id"] == "c1" && $0["type"] == "ok" })
        #expect(early.messages.isEmpty)
        cluster.serveByAll(telling: [old])
        #expect(early.messages.last { $0["id"] == "c2" }?["type"] == "ok")
        #expect(ownPage.closed == .serviceRestart)
        for page in [ownPage.comeBack(to: old, code, as: ann), otherPage.comeBack(to: new, code, as: nil)] {
            let types = page.all.flatMap(\.events).map { $0["type"] }
            #expect(types.suffix(2) == ["seat-taken", "seat-freed"])
        }
    }

    @Test("the next home goes on once it has read when the last one could not play")
    func outageFirst() throws {
        let cluster = ScriptedCluster(count: 2, serving: 1)
        let (old, new) = (cluster.nodes[0], cluster.nodes[1])
        let ann = old.player("Ann")
        var code = old.open(ann)
        while cluster.homeIfAllServe(of: code) === old { code = old.open(ann) }
        let relayed = new.join(code, ann)
        old.log.stopWrites(.cannotWrite(reason: "disk full"))
        old.settle()
        cluster.serveByAll(telling: [new])
        let page = relayed.comeBack(to: new, code, as: ann)
        cluster.serveByAll(telling: [old])
        page.command("sit", id: "c1")
        cluster.pass(1_000)
        #expect(!page.messages.contains { $0["id"] == "c1" })
        old.log.resumeWrites()
        old.settle()
        #expect(page.messages.last { $0["id"] == "c1" }?["type"] == "ok")
        let said = cluster.messages.compactMap {
            if case .handOver(let note) = $0, note.isSettled { note } else { nil }
        }
        #expect(said.contains { $0.hubVersion == nil } && said.last?.hubVersion == 2)
    }

    @Test("an outage is that of the rooms that the node had when it began, whoever has joined meanwhile")
    func namesThoseBefore() throws {
        let cluster = ScriptedCluster(count: 2, serving: 1)
        let old = cluster.nodes[0]
        func join(_ node: String, _ run: String) {
            let record = NodeRecord.joined(NodeRun(node: NodeName(node), run: run, address: ""), at: old.now)
            _ = BlockingLog(InMemoryLog(storage: old.storage)).append(
                record.commit(expecting: old.storage.end(of: .hub)))
            old.log.poll()
            old.settle()
        }
        join("node-0", old.shard.surroundings.run)
        old.log.stopWrites(.cannotWrite(reason: "disk full"))
        old.settle()
        cluster.pass(1_000)
        join("node-1", "another")
        old.log.resumeWrites()
        old.settle()
        let outage = try #require(old.storage.records(of: .hub).compactMap { Outage($0) }.last)
        #expect(outage.node == Outage.Node(name: NodeName("node-0"), serving: [NodeName("node-0")]))
    }

    @Test("nobody has been gone for longer than the next home knows of the room")
    func absence() throws {
        let cluster = ScriptedCluster(count: 2, serving: 1)
        let (old, new) = (cluster.nodes[0], cluster.nodes[1])
        let (ann, ben) = (old.player("Ann"), old.player("Ben"))
        var code = old.open(ann)
        while cluster.homeIfAllServe(of: code) === old { code = old.open(ann) }
        let pages = [old.join(code, ann), old.join(code, ben)]
        for page in pages { page.command("sit") }
        for page in pages { page.leave() }
        cluster.serveByAll(telling: [new])
        let page = new.join(code, ben)
        cluster.pass(4_000)
        #expect(page.messages.isEmpty)
        let begun = new.now
        cluster.serveByAll(telling: [old])
        cluster.pass(70_000)
        let change = try #require(page.last("host-changed"))
        #expect(change["player"] == .string(ben.id))
        #expect((60_000...61_000).contains((change["t"]?.integer ?? 0) - begun))
    }
}
