import EventStore
import Games
import RoomRules
import Testing

@testable import Cluster
@testable import Hub

@Suite("Several nodes: relayed connections and links") struct RelayLinkTests {
    @Test("a client that has waited too long is closed, and unknown to the home later", arguments: [1, 3])
    func patience(count: Int) {
        let scene = RelayScene()
        scene.cluster.cutLinks()
        let pages = (0..<count).map { _ in scene.relay.join(scene.code) }
        scene.cluster.pass(ClaimDesk.patience)
        #expect(pages.allSatisfy { $0.closed == nil })
        scene.cluster.pass(Shard.sweepPause)
        #expect(pages.allSatisfy { $0.closed == .tryAgainLater && $0.messages.isEmpty })
        // The transport reports the close later.
        scene.cluster.mendLinks()
        for page in pages { page.leave() }
        #expect(scene.members.count == 1)
        #expect(scene.relay.counters.relayedConnections.value == 0)
    }

    @Test("a client that leaves while it waits is unknown to the home")
    func goesEarly() {
        let scene = RelayScene()
        scene.cluster.cutLinks()
        scene.relay.join(scene.code).leave()
        scene.cluster.mendLinks()
        #expect(scene.members.count == 1)
        #expect(scene.relayed.allSatisfy { if case .opened = $0 { false } else { true } })
    }

    @Test("a lost link closes its relayed clients, and the home forgets them", arguments: [true, false])
    func falls(isHomeFirst: Bool) {
        let scene = RelayScene()
        let pages = [scene.relay.join(scene.code, scene.ben), scene.relay.join(scene.code)]
        scene.cluster.isSlow = true
        let nodes = isHomeFirst ? [scene.home, scene.relay] : [scene.relay, scene.home]
        for node in nodes {
            let other = node === scene.home ? scene.relay : scene.home
            if let name = other.shard.node?.cluster.node { node.shard.handle(.linkIsDown(name)) }
            node.settle()
        }
        #expect(pages.allSatisfy { $0.closed == .serviceRestart })
        #expect(scene.members.count == 1)
        scene.cluster.pass(3_000)
        #expect(scene.annPage.present.players == [scene.ann.id] && scene.annPage.present.spectators == 1)
        // A returning member waits.
        let back = pages[0].comeBack(to: scene.relay, scene.code, as: scene.ben)
        scene.calm()
        #expect(back.messages.isEmpty && scene.members.count == 1)
        scene.cluster.mendLinks()
        #expect(back.story == ["resume"] && scene.members.count == 2)
    }

    @Test(
        "after a short loss of a link, no member remains at the home or is counted twice",
        arguments: [true, false], [true, false])
    func isBackAtOnce(isHomeFirst: Bool, comesMeanwhile: Bool) {
        let scene = RelayScene()
        let pages = [scene.relay.join(scene.code, scene.ben), scene.relay.join(scene.code)]
        scene.cluster.isSlow = true
        // Nothing arrives in either direction.
        pages[0].command("sit", id: "lost")
        scene.showSomething()
        var late: ScriptedClient?
        let (first, second) = isHomeFirst ? (scene.home, scene.relay) : (scene.relay, scene.home)
        scene.cluster.renewLink(of: first, to: second) {
            if comesMeanwhile { late = scene.relay.join(scene.code) }
        }
        scene.calm()
        #expect(pages.allSatisfy { $0.closed == .serviceRestart })
        // By the link before, or already by the new one.
        if let late { #expect(late.closed == (isHomeFirst ? .serviceRestart : nil)) }
        let isThere = comesMeanwhile && !isHomeFirst
        #expect(scene.members.count == (isThere ? 2 : 1))
        let back = pages.map { $0.comeBack(to: scene.relay, scene.code, as: $0 === pages[0] ? scene.ben : nil) }
        if let late, late.closed != nil { _ = late.comeBack(to: scene.relay, scene.code, as: nil) }
        #expect(scene.members.count == (comesMeanwhile ? 4 : 3))
        #expect(back[0].command("sit", id: "lost")?["type"] == "ok")
        for page in back { #expect(page.closed == nil && page.seen == scene.version) }
        #expect(back[1].all.flatMap(\.versions) == Array(2...scene.version))
        scene.cluster.pass(3_000)
        #expect(scene.annPage.present.players == [scene.ann.id, scene.ben.id])
        #expect(scene.relay.counters.relayedConnections.value == scene.members.count - 1)
    }

    @Test(
        "members at a node that has stopped serving are closed, whichever node learns of it first",
        arguments: [true, false])
    func servesNoMore(isHomeFirst: Bool) {
        let scene = RelayScene()
        let page = scene.relay.join(scene.code, scene.ben)
        scene.cluster.record(.lost(run: scene.relay.run, settled: scene.relay.now, at: scene.relay.now))
        for node in isHomeFirst ? [scene.home, scene.relay] : [scene.relay, scene.home] {
            scene.cluster.hear(node)
            #expect(page.closed == .serviceRestart)
            #expect(scene.members.count == 1)
        }
        #expect(scene.annPage.closed == nil)
    }

    @Test(
        "a message about a room is ignored unless its home or the member's node sends it",
        arguments: [
            .broadcast(Array("{}".utf8)), .close(1, .goingAway, ""), .said(1, Array(#"{"type":"ping","n":1}"#.utf8)),
            .closed(1),
        ] as [RelayMessage])
    func fromAnother(message: RelayMessage) {
        let scene = RelayScene()
        let page = scene.relay.join(scene.code)
        page.clear()
        let node = message.isForHome ? scene.home : scene.relay
        // Nodes number their connections alike, so its own first connection has this id too.
        node.deliver(.relay(scene.code, message), from: NodeName("another"))
        scene.calm()
        #expect(page.closed == nil && page.messages.isEmpty && scene.members.count == 2)
    }

    @Test("a node that was linked before it served is reached once it serves")
    func linkedBefore() throws {
        let cluster = ScriptedCluster(count: 3, serving: 2)
        let (node, gone, next) = (cluster.nodes[0], cluster.nodes[1], cluster.nodes[2])
        let ann = node.player("Ann")
        cluster.kill(gone)
        cluster.serveByAll()
        let code = node.open(ann)
        #expect(next.join(code).last("welcome") != nil)
        #expect(node.join(code, ann).last("welcome") != nil)
        #expect(cluster.holder(of: code) === next && cluster.relayed(code).contains { !$0.isForHome })
    }
}
