import Cryptography
import Foundation
import Games
import JSON
import Testing
import Transport

@testable import Hub
@testable import Rooms

@Suite("The client of a request") struct ProxiedTests {
    @Test("a preview's links begin with the client's own address, also through a proxy", arguments: [false, true])
    func scheme(isTLS: Bool) {
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web").standardized.path
        let hub = ScriptedHub(webFolder: web)
        let page = hub.request("GET", "/", from: .at("192.0.2.1", isTLS: isTLS))
        #expect(String(decoding: page.body, as: UTF8.self).contains("\"\(isTLS ? "https" : "http")://localhost/\""))
    }

    @Test("an exempt client is never told to wait, but the same address is otherwise")
    func limits() {
        let hub = ScriptedHub(limits: .with { ($0.failuresPerMinute, $0.registrationsPerMinute) = (1, 1) })
        func answers(_ names: [String], isLimited: Bool) -> [Int] {
            let peer = Peer.at("127.0.0.1", isLimited: isLimited)
            let failures = names.map { _ in hub.request("GET", "/api/rooms/wrong", from: peer).status }
            return failures + names.map { hub.register($0, ScriptedHub.token(of: $0), from: peer).status }
        }
        #expect(answers(["Ann", "Ben"], isLimited: false) == [404, 404, 201, 201])
        #expect(answers(["Cy", "Dan"], isLimited: true) == [404, 429, 201, 429])
        #expect(answers(["Eve", "Fay"], isLimited: false) == [404, 404, 201, 201])
    }
}
