import EventStore
import Games
import Testing

@testable import Cluster
@testable import Hub
@testable import Rooms

@Suite("Several nodes: greetings to a relay") struct GreetingWindowTests {
    @Test("they are sent up to a limit, the longest waiting first, and larger ones alone")
    func window() {
        let window = GreetingWindow(loops: GreetingWindow.limit / 100)
        #expect(window.reserve(60, for: 1, isWaiting: false) && window.reserve(40, for: 2, isWaiting: false))
        #expect(!window.reserve(1, for: 3, isWaiting: false) && !window.reserve(200, for: 4, isWaiting: false))
        window.acknowledge(60)
        #expect(!window.reserve(1, for: 5, isWaiting: false))
        #expect(window.first == 3 && !window.reserve(61, for: 3, isWaiting: true))
        #expect(window.reserve(60, for: 3, isWaiting: true))
        window.acknowledge(40)
        #expect(window.first == 4 && !window.reserve(200, for: 4, isWaiting: true))
        window.acknowledge(60)
        #expect(window.reserve(200, for: 4, isWaiting: true))
        #expect(window.first == 5 && !window.reserve(1, for: 5, isWaiting: true))
        window.acknowledge(1_000)
        #expect(window.reserve(1, for: 5, isWaiting: true) && window.first == nil)
    }

    /// So many members at the relay, each with a greeting of some 60 KB.
    private func crowd(_ count: Int) -> (scene: RelayScene, pages: [ScriptedClient]) {
        let scene = RelayScene(limits: .with { ($0.linesPerSecond, $0.messagesPerSecond) = (1_000, 1_000) })
        for _ in 0..<Chat.lineLimit {
            scene.annPage.command("say", ["text": .string(String(repeating: "🂡", count: Chat.textLimit))])
        }
        scene.cluster.isSlow = true
        let pages = (0..<count).map { _ in scene.relay.join(scene.code) }
        scene.deliverToHome()
        return (scene, pages)
    }

    @Test("each member of a crowd is greeted once, and then gets later events") func greetsAll() {
        let (scene, pages) = crowd(40)
        #expect(scene.members.count { $0.behindSince != nil } > 10)
        scene.showSomething()
        scene.calm()
        for page in pages {
            #expect(page.messages.count { $0["type"] == "welcome" } == 1 && page.closed == nil)
            #expect(page.last("welcome")?["version"]?.integer == scene.version || page.versions.last == scene.version)
        }
        scene.showSomething()
        #expect(pages.allSatisfy { $0.versions.last == scene.version })
    }

    @Test("a member who leaves, or says hello again, does not delay those who wait") func goes() {
        let (scene, pages) = crowd(40)
        for page in pages[30..<35] { page.leave() }
        for page in pages[35...] { page.say(["type": "hello"]) }
        scene.deliverToHome()
        scene.calm()
        for page in pages[..<30] { #expect(page.messages.count { $0["type"] == "welcome" } == 1) }
        for page in pages[35...] { #expect(page.last("welcome")?["version"]?.integer == scene.version) }
        #expect(scene.members.count == 36 && scene.members.allSatisfy { $0.behindSince == nil })
    }

    @Test("a waiting crowd is told that its log has gone back") func diverges() {
        let (scene, pages) = crowd(40)
        scene.calm()
        scene.showSomething()
        for page in pages { page.clear() }
        scene.cluster.isSlow = true
        scene.home.storage.cutBack(.room(scene.code), to: scene.version - 1)
        scene.home.shard.rooms[scene.code]?.streamHasGoneBack()
        scene.home.settle()
        // Members that wait for their greeting see later events with it.
        scene.showSomething()
        scene.calm()
        for page in pages {
            let told = page.messages.filter { $0["type"] != "presence" }
            #expect(told.first?["diverged"] == .bool(true))
            #expect(told.compactMap { $0["diverged"] } == [.bool(true)])
        }
    }

    @Test("a hello waits for the answer to the one before, wherever the socket is", arguments: [true, false])
    func hellosInOrder(isRelayed: Bool) {
        let scene = RelayScene()
        let page = (isRelayed ? scene.relay : scene.home).connect(scene.code)
        scene.home.log.pace = .stepped
        page.say(["type": "hello", "token": .string(scene.ben.token)], settling: false)
        page.say(["type": "hello"], settling: false)
        scene.relay.settle()
        scene.home.settle()
        scene.calm()
        let greeted = page.messages.filter { $0["type"] == "welcome" }.map { $0["you"]?.object?["player"]?.string }
        #expect(greeted == [scene.ben.id, nil])
        #expect(scene.members.map(\.player?.id) == [scene.ann.id, nil])
    }
}
