import Games
import JSON
import Testing
import Transport

@testable import Hub
@testable import Rooms

@Suite("Several nodes: messages that relays read") struct RelaySecretsTests {
    /// `TOKEN` is replaced by a token. Hellos in many spellings, some invalid or unreadable.
    private static let spellings = [
        #"{"type":"hello","token":"TOKEN"}"#,
        #" { "token" : "TOKEN" , "type" : "hello" } "#,
        #"{"type":"\u0068ello","token":"TOKEN"}"#,
        #"{"type":"hel\u006C\u006f","token":"TOKEN","after":0}"#,
        #"{"\u0074ype":"hello","token":"TOKEN"}"#,
        #"{"type":"hello","\u0074oken":"TOKEN"}"#,
        #"{"type":"\u0068ello","\u0074\u006f\u006b\u0065\u006e":"TOKEN"}"#,
        #"{"type":"hello","token":"TOKEN","after":-1}"#,
        #"{"type":"hello","token":"TOKEN","after":"0"}"#,
        #"{"type":"hello","token":"TOKEN","head":"12"}"#,
        #"{"type":"hello","token":"TOKEN","token":5}"#,
        #"{"type":"hello","token":5,"token":"TOKEN"}"#,
        #"{"type":"hello","token":"TOKEN","token":null}"#,
        #"{"type":"hello","token":["TOKEN"]}"#,
        #"{"type":"hello","token":"TOKEN""#,
        #"{"type":"hello","token":"TOKEN"}}"#,
        #"{"type":"hello","token":"TOKEN",}"#,
        #"{"type":"hello","token":"TOKEN}"#,
        #"{"type":"hello","token":"TOKEN","x":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}"#,
        #"{"type":"hello","type":"sit","id":"a","token":"TOKEN"}"#,
        #"{"type":"hello","type":"ping","n":7,"token":"TOKEN"}"#,
        #"{"type":"ping","n":7,"token":"TOKEN"}"#,
        #"{"type":"ping","token":"TOKEN"}"#,
        #"{"type":"sit","type":"hello","token":"TOKEN"}"#,
        #"{"type":"sit","id":"a","token":"TOKEN","token":null}"#,
        #"{"type":"Hello","token":"TOKEN"}"#,
        #"{"type":"Hello","id":"a","\u0074oken":"TOKEN"}"#,
        #"{"type":"hell","token":"TOKEN"}"#,
        #"{"token":"TOKEN"}"#,
        #"{"token":"TOKEN","id":"a"}"#,
        #"{"token":"TOKEN","type":"hel"#,
        #"{"type":5,"token":"TOKEN"}"#,
        #"[{"type":"hello","token":"TOKEN"}]"#,
        #"token TOKEN"#,
        #"hello TOKEN"#,
    ]

    /// What the page got, without presence; and its close code.
    private func answers(_ page: ScriptedClient) -> [[Value?]] {
        page.messages.filter { $0["type"] != "presence" }.map { message in
            [message["type"], message["code"], message["id"], message["n"], message["field"], message["message"]]
        }
    }

    @Test("no token crosses a link in any spelling, and answers are the same as at the home", arguments: spellings)
    func tokens(spelling: String) {
        let scene = RelayScene()
        let text = Array(spelling.replacing("TOKEN", with: scene.ben.token).utf8)
        scene.cluster.forgetMessages()
        let pages = [scene.relay.connect(scene.code), scene.home.connect(scene.code)]
        for page in pages { page.say(text) }
        #expect(answers(pages[0]) == answers(pages[1]))
        #expect(!answers(pages[0]).isEmpty)
        #expect(pages.map(\.closed) == [nil, nil])
        let you = pages.map { $0.last("welcome")?["you"] }
        #expect(you[0] == you[1])
        let token = Array(scene.ben.token.utf8)
        for message in scene.cluster.messages { #expect(!message.bytes.contains(token)) }
        // Both continue.
        for page in pages {
            page.say(["type": "hello"])
            #expect(page.messages.last { $0["type"] != "presence" }?["type"] == "welcome")
        }
    }

    @Test("a hello crosses with its token's hash, and other messages unchanged")
    func forwards() throws {
        let scene = RelayScene()
        let page = scene.relay.join(scene.code, scene.ben, after: 1)
        let hellos = scene.relayed.compactMap { if case .hello(_, let hello) = $0 { hello } else { nil } }
        #expect(
            hellos == [
                ClientMessage.Hello(tokenHash: try #require(PlayerToken(scene.ben.token)).hash, after: 1, head: nil)
            ])
        for text in [#"{"type":"say","id":"a","text":"hello \"token\" \u0041"}"#, #"{ "type":"say","id" : 1 }"#, "x"] {
            scene.cluster.forgetMessages()
            page.say(Array(text.utf8))
            let said = scene.relayed.compactMap { if case .said(_, let text) = $0 { text } else { nil } }
            #expect(said == [Array(text.utf8)])
        }
        #expect(scene.annPage.last("chat")?["text"] == "hello \"token\" A")
    }

    @Test("messages beyond the rate are refused at the socket's node", arguments: [6, 7, 10, 11])
    func tooFast(count: Int) {
        let scene = RelayScene(limits: .with { ($0.messagesPerSecond, $0.refusalsPerSecond) = (3, 2) })
        let page = scene.relay.connect(scene.code)
        scene.cluster.forgetMessages()
        for number in 0..<count { page.say(["type": "ping", "n": .integer(number)]) }
        let said = scene.relayed.count { if case .said = $0 { true } else { false } }
        #expect(said == 6)
        #expect(page.messages.count { $0["type"] == "pong" } == 6)
        #expect(page.messages.count { $0["code"] == "too-fast" } == min(count - 6, 4))
        #expect(page.closed == (count > 10 ? .policyViolation : nil))
        page.leave()
        #expect(scene.members.count == 1)
    }

    @Test("messages are kept at the home while a relayed hello is looked up, up to the same limit", arguments: [4, 5])
    func earlyAtHome(count: Int) {
        let scene = RelayScene(limits: .with { $0.earlyMessages = 4 })
        let page = scene.relay.connect(scene.code)
        scene.cluster.isSlow = true
        scene.home.log.pace = .stepped
        page.say(["type": "hello", "token": .string(scene.ben.token)])
        for number in 0..<count { page.command("fly", id: "c\(number)") }
        scene.deliverToHome(settling: false)
        // It gets all of it before the log has answered.
        scene.home.step()
        #expect(scene.members.last?.stage == (count > 4 ? .closed : .identifying))
        scene.home.log.pace = .automatic
        scene.calm()
        #expect(page.closed == (count > 4 ? .policyViolation : nil))
        let answered = page.messages.compactMap { $0["id"]?.string }
        #expect(answered == (count > 4 ? [] : (0..<count).map { "c\($0)" }))
        #expect((page.last("welcome") == nil) == (count > 4))
        page.leave()
        #expect(scene.members.count == 1)
    }

    @Test("wrong tokens count for the client's address, not for the node that relays it")
    func wrongTokens() {
        let scene = RelayScene()
        let (peer, limit) = (Peer.at("192.0.2.77"), HubLimits().failuresPerMinute)
        func wrong(from peer: Peer, at node: ScriptedHub) -> ScriptedClient {
            let page = node.connect(scene.code, from: peer)
            page.say(["type": "hello", "token": "wrong"])
            return page
        }
        let pages = (0..<limit).map { _ in wrong(from: peer, at: scene.relay) }
        #expect(pages.allSatisfy { $0.closed == nil && $0.last("error")?["code"] == "unknown-token" })
        #expect(wrong(from: peer, at: scene.relay).closed == .policyViolation)
        #expect(wrong(from: peer, at: scene.home).closed == .policyViolation)
        #expect(wrong(from: .at("192.0.2.78"), at: scene.relay).closed == nil)
        // The right token succeeds.
        let page = scene.relay.connect(scene.code, from: peer)
        page.say(["type": "hello", "token": .string(scene.ben.token)])
        #expect(page.last("welcome")?["you"]?.object?["player"] == .string(scene.ben.id))
    }
}
