import Games
import Testing

@testable import Hub

@Suite("Hosts' names in the lobby") struct LobbyHostNamesTests {
    private let hub = ScriptedHub()

    @Test("lists have the host's new name, and none once it is forgotten")
    func namesOfHosts() {
        let (page, ann) = (hub.lobby(), hub.player("Ann"))
        let code = hub.open(ann)
        _ = hub.join(code)
        func names() -> [String?] {
            hub.pass(2_000)
            let room = hub.request("GET", "/api/rooms").fields["rooms"]?.list?.first?.object
            return [room, page.last("room")?["room"]?.object].map { $0?["hostName"]?.string }
        }
        #expect(names() == ["Ann", "Ann"])
        #expect(hub.rename(ann, "Bea").status == 200)
        #expect(names() == ["Bea", "Bea"])
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 204)
        #expect(names() == [nil, nil])
    }

    @Test("a room is sent with its host's name, even if rows are late")
    func namesComeLate() {
        let (page, ann) = (hub.lobby(), hub.player("Ann"))
        let code = hub.open(ann)
        _ = hub.join(code, ann)
        hub.pass(3_000)
        let told = page.messages.filter { $0["type"] == "room" }
        #expect(told.map { $0["room"]?.object?["hostName"] } == ["Ann"])
    }
}
