import Cryptography
import Games
import JSON
import TestSupport
import Testing
import WebProtocols

@testable import Cluster
@testable import Hub
@testable import RoomRules

@Suite("Links between nodes: faults") struct LinkFaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var name = "a"
        var key = LinkedNode.key
        /// The name by which this node knows the other one.
        var knownAs = "b"
        /// The other node's run.
        var run = "1"
        let fault: LinkFault.Kind
        /// Whether the other node reports it too.
        var isSeenByBoth = true
    }

    @Test(
        "incompatible nodes are not linked, and each reports the reason once and counts it",
        arguments: [
            Case(testDescription: "another key", key: "not the key of the cluster", fault: .wrongKey),
            Case(testDescription: "somebody else's address", knownAs: "c", fault: .wrongNode, isSeenByBoth: false),
            Case(testDescription: "another run of it", run: "2", fault: .wrongNode, isSeenByBoth: false),
        ])
    func refuses(_ one: Case) throws {
        let a = try LinkedNode(one.name, key: one.key)
        let b = try LinkedNode("b", run: one.run)
        // If this node has the name wrong, the other end knows nothing of it.
        if one.isSeenByBoth { b.keep([a]) }
        a.keep([], ports: [one.knownAs: b.port])
        #expect(a.notes.wait { _ in a.count(one.fault) > 2 })
        #expect(!one.isSeenByBoth || b.count(one.fault) > 0)
        #expect(a.linked == 0 && b.linked == 0)
        #expect(a.logged.of(.warning).count { $0.contains("cannot be linked (logged once)") } == 1)
        #expect(!a.notes.all.contains { $0.contains(": linked") })
    }

    @Test("of two nodes with one name the linked one stays linked, and the other is refused")
    func sameName() throws {
        let b = try LinkedNode("b") { $0.strangerTime = 20 }
        let (a, twin) = (try LinkedNode("a"), try LinkedNode("a", run: "2"))
        for node in [a, b] { node.keep([a, b]) }
        #expect(a.isLinked(to: "b") && b.isLinked(to: "a"))
        twin.keep([b])
        #expect(twin.notes.wait { _ in twin.count(.sameName) > 0 && b.count(.sameName) > 0 })
        a.say("still here", to: b)
        #expect(b.notes.wait(for: "a says still here"))
        #expect(b.warns("another run is called a, and has not ended"))
        #expect(b.linked == 1)
        // It may have the name once the other is known to have left, whether or not that one has ended.
        b.keep([twin])
        #expect(twin.isLinked(to: "b") && b.isLinked(to: "a", times: 2))
        #expect(a.notes.wait(for: "sees b down, 0 refusals", times: 2) && b.linked == 1)
    }

    @Test("both ends cut a silent link, whichever direction is dead", arguments: [0, 1])
    func halfOpen(way: Int) throws {
        let a = try LinkedNode("a") { ($0.silence, $0.pingPause) = (600, 100) }
        let b = try LinkedNode("b") { ($0.silence, $0.pingPause) = (600, 100) }
        let proxy = try FaultyProxy(to: b.port)
        b.keep([a])
        a.keep([], ports: ["b": proxy.port])
        #expect(a.isLinked(to: "b") && b.isLinked(to: "a"))
        proxy.set(there: way == 0 ? .loses : .passes, back: way == 1 ? .loses : .passes)
        #expect(a.notes.wait(for: "sees b down, 0 refusals", times: 2))
        #expect(b.notes.wait { $0.last { $0.hasPrefix("sees a") }?.contains("down") == true })
        #expect((way == 0 ? b : a).count(.silent) > 0)
        proxy.set(there: .passes, back: .passes)
        proxy.cutAll()
        #expect(a.isLinked(to: "b", times: 2) && b.isLinked(to: "a", times: 2))
    }

    @Test("a link with too much waiting is cut, and made again", arguments: [0, 1])
    func queue(way: Int) throws {
        let a = try LinkedNode("a") { $0.silence = 60_000 }
        let b = try LinkedNode("b") { $0.silence = 60_000 }
        let proxy = try FaultyProxy(to: b.port)
        b.keep([a])
        a.keep([], ports: ["b": proxy.port])
        #expect(a.isLinked(to: "b") && b.isLinked(to: "a"))
        let (from, to) = way == 0 ? (a, b) : (b, a)
        proxy.set(there: way == 0 ? .holds : .passes, back: way == 1 ? .holds : .passes)
        let piece = String(repeating: "x", count: 1 << 20)
        // More than the buffers of both systems hold.
        for _ in 0..<40 { from.say(piece, to: to, on: 1) }
        #expect(from.notes.wait { _ in from.count(.sendQueue) == 1 })
        proxy.set(there: .passes, back: .passes)
        #expect(a.isLinked(to: "b", times: 2) && b.isLinked(to: "a", times: 2))
        from.say("goes on", to: to, on: 1)
        #expect(to.notes.wait(for: "\(from.name.text) says goes on"))
    }

    // MARK: Who speaks as a node by hand

    private static let own = NodeHello(
        name: NodeName("a"), run: "1", eventTypes: ["flipped"], nonce: Array(repeating: 7, count: 32))

    private func greet(_ port: Int) throws -> (HTTPClient, NodeHello) {
        let client = try HTTPClient(port: port, timeout: .seconds(60))
        let answer = try client.ask("POST", "/hello", body: JSONWriter.bytes(Self.own.fields))
        return (client, try NodeHello(try JSONReader.read(answer.body).object ?? [:]))
    }

    private func proof(_ other: NodeHello, by end: LinkEnd = .asker) throws -> String {
        let key = try #require(ClusterKey(Array(LinkedNode.key.utf8)))
        return key.proof(by: end, asker: Self.own, answerer: other).hex
    }

    private func upgrade(_ client: HTTPClient, _ proof: String) throws -> Int {
        try client.upgrade(
            "/link",
            headers: ["Authorization: Flipside-Node \(proof)", "Sec-WebSocket-Protocol: flipside.node.v1"]
        ).status
    }

    @Test("a node with another protocol is of another release")
    func otherRelease() throws {
        let b = try LinkedNode("b")
        let fields = Self.own.fields.merging(["protocol": .string("flipside.node.v2")])
        let answer = try HTTPClient(port: b.port, timeout: .seconds(60))
            .ask("POST", "/hello", body: JSONWriter.bytes(fields))
        #expect(answer.status == 409)
        #expect(b.count(.otherRelease) == 1)
        #expect(b.logged.of(.warning).contains { $0.contains("it speaks flipside.node.v2, not flipside.node.v1") })
    }

    @Test("a proof is valid for one connection and one end")
    func replay() throws {
        let b = try LinkedNode("b")
        let (client, other) = try greet(b.port)
        let good = try proof(other)
        #expect(try upgrade(client, good) == 101)
        // The same hello and the same proof, on another connection.
        let (again, _) = try greet(b.port)
        #expect(try upgrade(again, good) == 401)
        // The attempt has used it up.
        #expect(try upgrade(again, good) == 400)
        let (mirror, third) = try greet(b.port)
        #expect(try upgrade(mirror, try proof(third, by: .answerer)) == 401)
        #expect(b.count(.wrongKey) == 2)
    }

    @Test("the nodes' port serves nothing else, and no other port accepts nodes")
    func doors() throws {
        let b = try LinkedNode("b")
        for path in ["/", "/metrics", "/ws/lobby", "/api/rooms", "/link"] {
            let client = try HTTPClient(port: b.port, timeout: .seconds(60))
            #expect(try client.ask("GET", path).status == (path == "/link" ? 400 : 404))
        }
        let client = try HTTPClient(port: b.publicPort, timeout: .seconds(60))
        #expect(try client.ask("POST", "/hello", body: JSONWriter.bytes(Self.own.fields)).body.isEmpty)
        // A hub does not offer it to clients.
        let hub = ScriptedHub()
        #expect(hub.request("POST", "/hello", body: Self.own.fields).status == 404)
        #expect(hub.request("GET", "/link").status == 404)
    }

    @Test("invalid messages cut the link, and do no other harm", arguments: 1...30 as ClosedRange<UInt64>)
    func garbage(seed: UInt64) throws {
        let random = SeededRandom(seed)
        let b = try LinkedNode("b", loops: 1)
        b.keep([], ports: ["a": b.port])
        let (client, other) = try greet(b.port)
        #expect(try upgrade(client, try proof(other)) == 101)
        #expect(b.isLinked(to: "a"))
        var bytes = random.bytes(random.number(below: 200))
        // Half of them are messages with some byte changed.
        if seed % 2 == 0 {
            bytes = NodeMessage.accountChanged("somebody").bytes
            bytes[0] = 200
        } else {
            bytes = [9] + bytes
        }
        try client.send(Frame.masked(.binary, payload: bytes, mask: 0x0102_0304))
        #expect(b.notes.wait { _ in b.count(.badMessage) == 1 })
        #expect(b.warns("a message between nodes"))
        // Something that is not even a frame ends it too.
        let (second, third) = try greet(b.port)
        #expect(try upgrade(second, try proof(third)) == 101)
        #expect(b.isLinked(to: "a", times: 2))
        try second.send([0xFF] + random.bytes(50))
        #expect(b.notes.wait { _ in b.count(.ended) == 1 && b.linked == 0 })
    }
}
