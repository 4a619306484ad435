import Games
import Testing
import WebProtocols

@testable import Hub
@testable import Rooms

@Suite("Connections to the lobby") struct LobbyConnectionsTests {
    private let hub = ScriptedHub()

    @Test(
        "only pings are answered, and the rest is refused",
        arguments: [
            (#"{"type":"ping","n":7}"#, "pong", nil), (#"{"type":"hello"}"#, nil, nil),
            (#"{"type":"sit","id":"a"}"#, "error", "unknown-type"), ("[]", "error", "bad-json"),
        ] as [(String, String?, String?)])
    func messages(_ said: String, _ type: String?, _ code: String?) {
        let page = hub.lobby()
        page.clear()
        page.say(Array(said.utf8))
        #expect(page.messages.first?["type"]?.string == type)
        #expect(page.messages.first?["code"]?.string == code)
    }

    @Test("the lobby accepts a limited number of connections, and one more when one has left")
    func members() {
        let hub = ScriptedHub(limits: .with { $0.lobbyMembers = 2 })
        let pages = (0..<3).map { _ in hub.lobby() }
        #expect(pages.map(\.closed) == [nil, nil, .tryAgainLater])
        pages[0].leave()
        #expect(hub.lobby().closed == nil)
    }

    @Test("a plain request for the lobby is told to upgrade")
    func plain() { #expect(hub.request("GET", "/ws/lobby").status == 426) }
}
