import Cryptography
import EventStore
import Games
import Testing

@testable import Hub

@Suite("Players") struct PlayerTests {
    @Test(
        "these names are taken as they are",
        arguments: ["Ann", "Ann B.", "Ünïcødé", "小明", "👩‍🚀 Zoë", "❤️", "x", String(repeating: "é", count: 24)])
    func good(_ name: String) throws { #expect(try PlayerName(name).text == name) }

    @Test(
        "these names are refused with the reason",
        arguments: [
            ("", "name-blank"), ("   ", "name-blank"), ("\t\n", "name-blank"),
            (String(repeating: "x", count: 25), "name-too-long"),
            ("a" + String(repeating: "\u{301}", count: 200), "name-too-long"), ("a\u{0}b", "name-invisible"),
            ("a\u{200B}b", "name-invisible"), ("\u{202E}abc", "name-invisible"), ("\u{3164}", "name-invisible"),
            ("\u{2800}", "name-invisible"), ("a\u{7}", "name-invisible"), ("\u{E000}", "name-invisible"),
            ("a\u{200D}b", "name-invisible"),
        ])
    func bad(_ name: String, code: String) {
        #expect { try PlayerName(name) } throws: { ($0 as? Rejection)?.code == code }
    }

    @Test(
        "these names are the same",
        arguments: [
            ("Ann", "ANN"), ("Straße", "STRASSE"), ("ﬁ", "fi"), ("Å", "A\u{30A}"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("Ａｎｎ", "ann"),
        ])
    func same(_ one: String, _ other: String) throws {
        #expect(try PlayerName(one).folded == PlayerName(other).folded)
    }

    @Test("a name is registered once; the same request again is answered 200; another token gets 409")
    func once() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        #expect(ann.id.count == 16)
        let again = hub.request("POST", "/api/players", body: ["name": "Ann", "token": .string(ann.token)])
        #expect(again.status == 200)
        #expect(again.fields["id"]?.string == ann.id)
        let other = String(repeating: "A", count: 43)
        #expect(hub.request("POST", "/api/players", body: ["name": "ANN", "token": .string(other)]).status == 409)
        #expect(hub.request("POST", "/api/players", body: ["name": "Bo", "token": .string(ann.token)]).status == 409)
    }

    struct Bad: CustomTestStringConvertible {
        let request: String
        let body: Fields?
        let status: Int
        let code: String

        init(_ request: String, _ status: Int, _ code: String, sending body: Fields? = nil) {
            (self.request, self.body, self.status, self.code) = (request, body, status, code)
        }
        var testDescription: String { "\(request) \(code)" }
    }

    @Test(
        "bad requests are answered with a problem and its code",
        arguments: [
            Bad("POST /api/players", 400, "bad-json"),
            Bad("POST /api/players", 422, "bad-field", sending: ["name": "", "token": "x"]),
            Bad("GET /api/players", 405, "method-not-allowed"),
            Bad("POST /api/rooms", 401, "unknown-token", sending: ["game": "memory"]),
            Bad("GET /api/rooms/nosuch", 404, "no-such-room"),
            Bad("GET /nothing", 404, "not-found"),
            Bad("GET /api/nothing", 404, "not-found"),
            Bad("DELETE /api/rooms", 405, "method-not-allowed"),
            Bad("GET /api/rooms/nosuch/log", 404, "no-such-room"),
        ])
    func problems(_ bad: Bad) {
        let words = bad.request.split(separator: " ").map(String.init)
        let answer = ScriptedHub().request(words[0], words[1], body: bad.body)
        #expect(answer.status == bad.status)
        #expect(answer.fields["code"]?.string == bad.code)
        #expect(answer.headers["Content-Type"] == "application/problem+json")
    }

    @Test(
        "a room is not opened with what does not fit, and the reason is said",
        arguments: [
            Bad("an unknown game", 422, "unknown-game", sending: ["game": "chess"]),
            Bad("an unknown visibility", 422, "bad-field", sending: ["game": "memory", "visibility": "secret"]),
            Bad(
                "too many columns", 422, "out-of-range",
                sending: ["game": "memory", "options": .object(["columns": .integer(99)])]),
            Bad("options that are a list", 422, "bad-field", sending: ["game": "memory", "options": .list([])]),
            Bad("no game", 422, "bad-field", sending: [:]),
        ])
    func opening(_ bad: Bad) {
        let hub = ScriptedHub()
        let answer = hub.request("POST", "/api/rooms", token: hub.player("Ann").token, body: bad.body)
        #expect(answer.status == bad.status)
        #expect(answer.fields["code"]?.string == bad.code)
    }

    @Test("an unlisted room has a code of at least 80 random bits and is in no list")
    func unlisted() throws {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let answer = hub.request(
            "POST", "/api/rooms", token: ann.token, body: ["game": "memory", "visibility": "unlisted"])
        #expect(try #require(answer.fields["code"]?.string).count >= 17)
        let listed = hub.open(ann)
        let rooms = hub.request("GET", "/api/rooms").fields["rooms"]?.list?.compactMap { $0.object?["code"]?.string }
        #expect(rooms == [listed])
    }

    @Test("a name that is given up is free again, and its player is someone who watches")
    func forgotten() throws {
        let table = Table()
        table.playOut()
        table.hub.pass(1_500)
        let answer = table.hub.request("DELETE", "/api/players/me", token: table.ben.token)
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(table.benPage.last("welcome")?["you"]?.object?["player"] == nil)
        #expect(table.benPage.command("here")?["code"] == "no-name")
        #expect(table.hub.request("DELETE", "/api/players/me", token: table.ben.token).status == 401)
        let room = table.hub.request("GET", "/api/rooms/\(table.code)").fields
        #expect(room["names"]?.object?.names == [table.ann.id])
        let results = table.hub.request("GET", "/api/leaderboard").fields["results"]?.list
        #expect(results?.compactMap { $0.object?["name"]?.string } == ["Ann"])
        #expect(results?.count == 2)
        // Somebody else may bear it now.
        let token = SHA256.digest(of: "another").bytes.base64URL
        let other = table.hub.request("POST", "/api/players", body: ["name": "BEN", "token": .string(token)])
        #expect(other.status == 201 && other.fields["id"]?.string != table.ben.id)
    }

    @Test("a name that is given up right after it was registered does not come back")
    func forgottenAtOnce() {
        let hub = ScriptedHub()
        let host = hub.player("Host")
        let code = hub.open(host)
        let ann = hub.player("Ann")
        hub.join(code, ann).command("sit")
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 204)
        // Long enough for whatever was to be written later.
        hub.pass(1_500)
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 401)
        #expect(hub.request("GET", "/api/rooms/\(code)").fields["names"]?.object?.names == [host.id])
        hub.crash(downtime: 1_000)
        #expect(hub.request("GET", "/api/rooms/\(code)").fields["names"]?.object?.names == [host.id])
    }

    @Test("a name whose erasure was the last thing that a process did is gone after the next start")
    func forgottenAtTheEnd() {
        let hub = ScriptedHub()
        let (ann, ben) = (hub.player("Ann"), hub.player("Ben"))
        hub.pass(1_500)
        eraseBehindItsBack(hub, "ann")
        hub.crash(downtime: 1_000)
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 401)
        #expect(hub.request("DELETE", "/api/players/me", token: ben.token).status == 204)
    }

    @Test("only the token's own player can be given up", arguments: ["GET", "POST"])
    func notAllowed(_ method: String) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        #expect(hub.request(method, "/api/players/me", token: ann.token).status == 405)
        #expect(hub.request("DELETE", "/api/players/me").status == 401)
    }

    /// What the log says when nobody was left to hear of it.
    private func eraseBehindItsBack(_ hub: ScriptedHub, _ folded: String) {
        InMemoryLog(storage: hub.storage).erase(.player(folded), endingAt: nil, ticket: 1, answer: DeafInbox())
    }
}

private final class DeafInbox: LogInbox {
    func deliver(_ messages: [LogMessage]) {}
}
