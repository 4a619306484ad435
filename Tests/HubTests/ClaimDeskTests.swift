import EventStore
import Games
import Testing
import WebProtocols

@testable import Cluster
@testable import Hub
@testable import Rooms

@Suite("Several nodes: claiming rooms") struct ClaimDeskTests {
    /// The run that has the room when a client comes to the first of two nodes, and what happens to it 5 s later.
    enum Holder: Sendable { case nobody, own, linked, unlinked, fenced, fencedLater, releasedLater, linkedLater }
    /// What is wrong with the node itself.
    enum Fault: Sendable { case none, logAway, logAwayAtFirst, leaving }
    enum Outcome: Equatable, Sendable { case here, relayed, waits, closed(CloseCode) }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holder: Holder
        let fault: Fault
        let time: Milliseconds
        let outcome: Outcome

        init(
            _ name: String, _ holder: Holder, _ fault: Fault = .none, after time: Milliseconds = 0,
            is outcome: Outcome
        ) {
            (testDescription, self.holder, self.fault, self.time, self.outcome) = (name, holder, fault, time, outcome)
        }
    }

    private static let other = "another run"
    private static let patience = ClaimDesk.patience
    /// By then a client that waits too long is closed.
    private static let late = patience + ClaimDesk.retryPause

    @Test(
        "a client is served where the room is claimed, or waits for the claim",
        arguments: [
            Case("nobody has it", .nobody, is: .here), Case("this run has it", .own, is: .here),
            Case("a fenced run has it", .fenced, is: .here), Case("a linked node has it", .linked, is: .relayed),
            Case("a node without a link has it", .unlinked, after: patience, is: .waits),
            Case("it has it for too long", .unlinked, after: late, is: .closed(.tryAgainLater)),
            Case("it is fenced before that", .fencedLater, after: 6_000, is: .here),
            Case("it releases it before that", .releasedLater, after: 6_000, is: .here),
            Case("it is linked before that", .linkedLater, after: 5_000, is: .relayed),
            Case("the log is away", .nobody, .logAway, after: patience, is: .waits),
            Case("the log is away for too long", .nobody, .logAway, after: late, is: .closed(.tryAgainLater)),
            Case("the log is back before that", .nobody, .logAwayAtFirst, after: 6_000, is: .here),
            Case("this node leaves", .nobody, .leaving, is: .closed(.serviceRestart)),
            Case("this node leaves, a linked one has it", .linked, .leaving, is: .closed(.serviceRestart)),
        ])
    func finds(one: Case) throws {
        let scene = Scene(one.holder)
        let (cluster, node) = (scene.cluster, scene.node)
        switch one.fault {
        case .none: break
        case .logAway, .logAwayAtFirst: node.log.stopWrites(.cannotWrite(reason: "a test"))
        case .leaving: node.shard.handle(.leaves)
        }
        node.settle()
        let page = node.join(scene.code, scene.ann)
        page.command("say", ["text": "early"], id: "early")
        if one.time > 0 { cluster.pass(5_000) }
        switch one.holder {
        case .fencedLater: cluster.record(.lost(run: Self.other, settled: node.now, at: node.now))
        case .releasedLater: cluster.release(scene.code, by: Self.other)
        case .linkedLater: cluster.mendLinks()
        default: break
        }
        if one.fault == .logAwayAtFirst { node.log.resumeWrites() }
        cluster.pass(max(0, one.time - 5_000))
        #expect(scene.outcome(of: page) == one.outcome)
        let isServed = one.outcome == .here || one.outcome == .relayed
        #expect(page.story == (isServed ? ["welcome", "chat", "ok"] : []))
        if one.outcome == .here { #expect(cluster.claimant(of: scene.code) == node.run) }
    }

    /// A sleeping room, and two serving nodes.
    private struct Scene {
        let cluster = ScriptedCluster(count: 2, serving: 2)
        var node: ScriptedHub { cluster.nodes[0] }
        var home: ScriptedHub { cluster.nodes[1] }
        let ann: ScriptedPlayer
        let code: String

        init(_ holder: Holder = .nobody) {
            ann = cluster.nodes[0].player("Ann")
            code = cluster.nodes[0].open(ann)
            switch holder {
            case .nobody: break
            case .own: cluster.claim(code, by: cluster.nodes[0].run)
            case .linked: _ = cluster.nodes[1].join(code)
            case .linkedLater:
                _ = cluster.nodes[1].join(code)
                cluster.cutLinks()
            case .unlinked, .fenced, .fencedLater, .releasedLater: cluster.claim(code, by: other)
            }
            if holder == .fenced { cluster.record(.lost(run: other, settled: node.now, at: node.now)) }
        }

        func outcome(of page: ScriptedClient) -> Outcome {
            if let code = page.closed { return .closed(code) }
            if node.shard.rooms[code]?.edge.members.count == 1 { return .here }
            return home.shard.rooms[code]?.edge.members.contains { $0.player?.id == ann.id } == true ? .relayed : .waits
        }
    }

    @Test("a client that comes while the log does not answer waits no longer than others")
    func logSilent() {
        let scene = Scene()
        scene.node.log.pace = .stepped
        let page = scene.node.connect(scene.code, settling: false)
        for _ in 0..<10 { scene.node.wait(1_000) }
        #expect(page.closed == nil)
        scene.node.wait(1_000)
        #expect(page.closed == .tryAgainLater)
    }

    @Test("a client that says too much before the home is known is closed", arguments: [0, 1])
    func early(more: Int) {
        let scene = Scene(.unlinked)
        let page = scene.node.join(scene.code, scene.ann)
        for _ in 0..<scene.node.shard.surroundings.limits.earlyMessages + more { page.say(["type": "ping", "n": 1]) }
        if more > 0 { page.say(["type": "ping", "n": 2]) }
        #expect(page.closed == (more == 0 ? nil : .policyViolation))
        #expect(scene.node.counters.limits[HubLimit.earlyMessages.rawValue] == more)
        scene.cluster.release(scene.code, by: Self.other)
        scene.cluster.pass(2_000)
        #expect((page.last("welcome") != nil) == (more == 0))
    }

    @Test("a room of an unrecorded run is served once that run has not renewed its lease for 5 s")
    func forgotten() {
        let cluster = ScriptedCluster(count: 2, hasKeepers: true)
        let node = cluster.nodes[0]
        let code = node.open(node.player("Ann"))
        cluster.claim(code, by: Self.other)
        let page = node.join(code)
        cluster.pass(4_000)
        #expect(page.last("welcome") == nil)
        cluster.pass(4_000)
        #expect(page.last("welcome") != nil && cluster.claimant(of: code) == node.run)
    }

    @Test("nothing is claimed or kept for a code without a room", arguments: [0, 1])
    func absent(place: Int) {
        let scene = Scene()
        let page = scene.cluster.nodes[place].connect("nowhere")
        page.say(["type": "hello"])
        #expect(page.closed == .policyViolation)
        page.leave()
        for node in scene.cluster.nodes { #expect(node.shard.rooms.all.isEmpty) }
        #expect(scene.cluster.claimant(of: "nowhere") == nil)
    }

    @Test("a sleeping room has no home, and the next node with a client becomes it")
    func released() {
        let scene = Scene()
        scene.node.join(scene.code, scene.ann).leave()
        #expect(scene.cluster.claimant(of: scene.code) == scene.node.run)
        scene.cluster.pass(120_000)
        #expect(scene.node.shard.rooms.all.isEmpty && scene.cluster.claimant(of: scene.code) == nil)
        #expect(scene.home.join(scene.code).last("welcome") != nil)
        #expect(scene.cluster.claimant(of: scene.code) == scene.home.run)
    }

    @Test(
        "a room that is due is claimed and woken, unless another run has it",
        arguments: [(.nobody, true), (.own, true), (.fenced, true), (.linked, false), (.unlinked, false)]
            as [(Holder, Bool)])
    func due(holder: Holder, isWoken: Bool) {
        let scene = Scene(holder)
        let holder = scene.cluster.claimant(of: scene.code)
        scene.cluster.forgetMessages()
        scene.node.shard.handle(.wake(codes: [scene.code]))
        scene.node.settle()
        #expect((scene.node.shard.rooms[scene.code] != nil) == isWoken)
        #expect(scene.cluster.claimant(of: scene.code) == (isWoken ? scene.node.run : holder))
        // No client waits for it, so it is not asked for again.
        if !isWoken { scene.cluster.release(scene.code, by: holder ?? "") }
        scene.cluster.pass(3_000)
        #expect((scene.node.shard.rooms[scene.code] != nil) == isWoken)
        #expect(scene.cluster.relayed(scene.code).isEmpty)
    }

    /// What happens before a home that has lost a room has claimed it again.
    enum Interruption: CaseIterable, Sendable { case none, taken, linkLost }

    @Test(
        "a home that has lost a room, and is still asked for it, claims it again unless another run has it",
        arguments: Interruption.allCases)
    func stale(interruption: Interruption) {
        let scene = Scene(.linked)
        let page = scene.node.join(scene.code, scene.ann)
        #expect(scene.outcome(of: page) == .relayed)
        // The third broadcast shows its presence.
        scene.cluster.pass(1_000)
        scene.cluster.loses = { if case .relay(_, let message) = $0 { !message.isForHome } else { false } }
        scene.home.shard.surroundings.homeLost?(scene.code)
        scene.home.settle()
        // It does not release what it has lost.
        #expect(scene.cluster.claimant(of: scene.code) == scene.home.run)
        scene.cluster.release(scene.code, by: scene.home.run)
        if interruption == .taken { scene.cluster.claim(scene.code, by: Self.other) }
        scene.cluster.loses = { _ in false }
        scene.cluster.isSlow = true
        let late = scene.node.join(scene.code, scene.ann)
        // All that its client has said arrives before the claim is answered.
        scene.cluster.deliver(from: scene.node, to: scene.home, settling: false)
        scene.home.step()
        if interruption == .linkLost, let relay = scene.node.shard.node {
            scene.home.shard.handle(.linkIsDown(relay.cluster.node))
        }
        scene.cluster.isSlow = false
        scene.home.settle()
        #expect(late.closed == (interruption == .taken ? .serviceRestart : nil))
        #expect((late.last("welcome") != nil) == (interruption == .none))
        #expect(scene.home.shard.rooms[scene.code]?.edge.members.count == [.none: 1, .linkLost: 0][interruption])
        #expect(scene.cluster.claimant(of: scene.code) == (interruption == .taken ? Self.other : scene.home.run))
        if interruption == .none {
            // The third broadcast since the room has woken again, which is not the one of before.
            late.command("say", ["text": "after"])
            // The end of the old connection does not concern the new one.
            page.leave()
            _ = scene.node.join(scene.code)
            late.command("say", ["text": "again"])
            #expect(late.messages.filter { $0["type"] == "chat" }.map { $0["text"] } == ["after", "again"])
        }
        for page in [page, late] { page.leave() }
        scene.cluster.release(scene.code, by: Self.other)
        #expect(scene.node.join(scene.code).last("welcome") != nil)
    }

    @Test("a client that comes to a relay while its members are being closed waits for the room")
    func closing() {
        let scene = Scene(.linked)
        let page = scene.node.join(scene.code, scene.ann)
        scene.cluster.release(scene.code, by: scene.home.run)
        scene.cluster.claim(scene.code, by: Self.other)
        scene.home.shard.surroundings.homeLost?(scene.code)
        scene.home.settle()
        // Its transport has not reported the close yet.
        #expect(page.closed == .serviceRestart)
        let late = scene.node.join(scene.code)
        #expect(scene.outcome(of: late) == .waits)
        scene.cluster.release(scene.code, by: Self.other)
        scene.cluster.pass(2_000)
        #expect(late.last("welcome") != nil && scene.cluster.claimant(of: scene.code) == scene.node.run)
        scene.cluster.forgetMessages()
        page.leave()
        #expect(scene.cluster.relayed(scene.code).map { $0.connection != nil } == [true])
        #expect(scene.node.counters.relayedConnections.value == 0 && scene.node.counters.members.value == 1)
    }
}
