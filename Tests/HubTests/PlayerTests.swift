import Games
import JSON
import Testing

@testable import Hub

@Suite("Players") struct PlayerTests {
    @Test("a name is registered once; repeating the request gives 200, and another token 409")
    func once() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        #expect(ann.id.count == 16)
        let again = hub.register("Ann", ann.token)
        #expect(again.status == 200)
        #expect(again.fields["id"]?.string == ann.id)
        let other = String(repeating: "A", count: 43)
        #expect(hub.register("ANN", other).status == 409 && hub.register("Bo", ann.token).status == 409)
    }

    @Test(
        "of two simultaneous requests with one token the second is judged after the first",
        arguments: [
            (second: "Bo", status: 409, code: "token-has-name"), (second: "ann", status: 200, code: nil),
        ] as [(second: String, status: Int, code: String?)])
    func atOnce(_ race: (second: String, status: Int, code: String?)) {
        let hub = ScriptedHub()
        let token = String(repeating: "A", count: 43)
        let answers = ["Ann", race.second].map { hub.register($0, token, settling: false) }
        hub.settle()
        #expect(answers.map(\.status) == [201, race.status])
        #expect(answers[1].fields["code"]?.string == race.code)
        // A player whose request with this token was refused has not taken it from others.
        let other = String(repeating: "B", count: 42) + "A"
        #expect(hub.register(race.second, other).status == (race.second == "Bo" ? 201 : 409))
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
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
    }

    @Test("no browser mistakes an answer for another type")
    func isNotSniffed() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        for target in [
            "/api/rooms", "/api/rooms/" + code, "/api/rooms/\(code)/log", "/api/leaderboard", "/healthz", "/readyz",
            "/metrics",
        ] {
            let answer = hub.request("GET", target)
            #expect(answer.status == 200)
            #expect(answer.headers["X-Content-Type-Options"] == "nosniff", "\(target)")
        }
    }

    @Test(
        "a room is not opened with invalid options, and the reason is given",
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
        let (lobby, ann) = (hub.lobby(), hub.player("Ann"))
        let answer = hub.request(
            "POST", "/api/rooms", token: ann.token, body: ["game": "memory", "visibility": "unlisted"])
        #expect(try #require(answer.fields["code"]?.string).count >= 17)
        let listed = hub.open(ann)
        for code in [listed, try #require(answer.fields["code"]?.string)] { _ = hub.join(code, ann) }
        hub.pass(2_000)
        let rooms = hub.request("GET", "/api/rooms").fields["rooms"]?.list?.compactMap { $0.object?["code"]?.string }
        #expect(rooms == [listed])
        #expect(lobby.messages.compactMap { $0["room"]?.object?["code"]?.string } == [listed])
    }
}
