import Cryptography
import EventStore
import Games
import JSON
import Testing

@testable import Hub
@testable import Rooms

extension ScriptedHub {
    /// The token of a device, which follows from its name.
    static func token(of device: String) -> String { SHA256.digest(of: "device " + device).bytes.base64URL }

    /// The answer to adding this device.
    func addDevice(_ device: String, by code: String, settling: Bool = true) -> ScriptedResponse {
        let body: Fields = [
            "code": .string(code), "token": .string(Self.token(of: device)), "device": .string(device),
        ]
        return request("POST", "/api/players/devices", body: body, settling: settling)
    }

    func code(_ kind: String, of player: ScriptedPlayer) -> String {
        let answer = request("POST", "/api/players/me/" + kind, token: player.token)
        #expect(answer.status == 201)
        return answer.fields["code"]?.string ?? ""
    }

    /// The same player, with an added device.
    func linked(_ player: ScriptedPlayer, _ device: String) -> ScriptedPlayer {
        #expect(addDevice(device, by: code("link-code", of: player)).status == 201)
        return ScriptedPlayer(name: player.name, id: player.id, token: Self.token(of: device))
    }

    func rename(_ player: ScriptedPlayer, _ name: String, settling: Bool = true) -> ScriptedResponse {
        request(
            "PUT", "/api/players/me/name", token: player.token, body: ["name": .string(name)], settling: settling)
    }

    /// The id of the device with this token.
    func device(of player: ScriptedPlayer) -> String {
        let devices = request("GET", "/api/players/me", token: player.token).fields["devices"]?.list
        return devices?.first { $0.object?["current"] == true }?.object?["id"]?.string ?? ""
    }

    func revoke(_ device: String, by player: ScriptedPlayer, settling: Bool = true) -> ScriptedResponse {
        request("DELETE", "/api/players/me/devices/" + device, token: player.token, settling: settling)
    }

    func forget(_ player: ScriptedPlayer, settling: Bool = true) -> ScriptedResponse {
        request("DELETE", "/api/players/me", token: player.token, settling: settling)
    }
}

@Suite("Accounts over HTTP") struct AccountRoutesTests {
    private let hub = ScriptedHub()
    private let ann: ScriptedPlayer

    init() { ann = hub.player("Ann") }

    @Test("a player sees their own devices, and which of them asks")
    func describes() {
        let phone = hub.linked(ann, "Phone")
        let answer = hub.request("GET", "/api/players/me", token: phone.token)
        #expect(answer.status == 200)
        #expect(answer.fields["id"]?.string == ann.id && answer.fields["name"] == "Ann")
        #expect(answer.fields["recoveryCode"] == false)
        let devices = answer.fields["devices"]?.list?.compactMap(\.object) ?? []
        #expect(devices.map { $0["label"] } == ["", "Phone"])
        #expect(devices.map { $0["current"] } == [nil, true])
        #expect(devices.map { $0["since"]?.integer } == [hub.now, hub.now])
        _ = hub.code("recovery-code", of: ann)
        #expect(hub.request("GET", "/api/players/me", token: phone.token).fields["recoveryCode"] == true)
    }

    @Test("an added device is that player's, with the way of adding, and repeating it gives 200")
    func adds() {
        for (kind, way) in [("link-code", "link"), ("recovery-code", "recovery")] {
            let code = hub.code(kind, of: ann)
            let added = hub.addDevice(way, by: code)
            #expect(added.status == 201)
            #expect(added.fields == ["id": .string(ann.id), "name": "Ann", "by": .string(way)])
            let again = hub.addDevice(way, by: code)
            #expect(again.status == 200 && again.fields == added.fields)
            #expect(hub.addDevice("another", by: code).fields["code"] == "unknown-code")
        }
    }

    @Test("another player's device stays theirs, and the code is not used up")
    func keepsOthers() {
        let code = hub.code("link-code", of: ann)
        let ben = hub.player("Ben")
        let answer = hub.request(
            "POST", "/api/players/devices", body: ["code": .string(code), "token": .string(ben.token)])
        #expect(answer.status == 409 && answer.fields["code"] == "token-has-name")
        #expect(hub.addDevice("Phone", by: code).status == 201)
    }

    @Test("a renamed player's earlier name is free")
    func renames() {
        let phone = hub.linked(ann, "Phone")
        let answer = hub.rename(phone, "Bea")
        #expect(answer.status == 200 && answer.fields == ["id": .string(ann.id), "name": "Bea"])
        #expect(hub.request("GET", "/api/players/me", token: ann.token).fields["name"] == "Bea")
        #expect(hub.register("Ann", ScriptedHub.token(of: "other")).status == 201)
        #expect(hub.rename(ann, "ANN").status == 409)
        #expect(hub.rename(ann, "BEA").fields["name"] == "BEA")
    }

    @Test(
        "bad requests get a problem with a code",
        arguments: [
            ("PUT", "me/name", ["name": ""], 422, "name-blank"), ("PUT", "me/name", [:], 422, "bad-field"),
            ("PUT", "me/name", nil, 400, "bad-json"), ("POST", "devices", ["code": "x"], 422, "bad-field"),
            ("POST", "devices", ["token": .string(ScriptedHub.token(of: "x"))], 422, "bad-field"),
            (
                "POST", "devices",
                ["code": "x", "token": .string(ScriptedHub.token(of: "x")), "device": 1], 422, "bad-field"
            ),
            ("POST", "devices", ["code": "x", "token": .string(ScriptedHub.token(of: "x"))], 404, "unknown-code"),
            ("DELETE", "me/devices/x", nil, 404, "no-such-device"),
        ] as [(String, String, Fields?, Int, String)])
    func problems(row: (method: String, path: String, body: Fields?, status: Int, code: String)) {
        let answer = hub.request(row.method, "/api/players/" + row.path, token: ann.token, body: row.body)
        #expect(answer.status == row.status && answer.fields["code"]?.string == row.code)
    }

    @Test(
        "nothing is done for a player without the token",
        arguments: [
            ("GET", "me"), ("GET", "me/games"), ("DELETE", "me"), ("PUT", "me/name"), ("DELETE", "me/devices/x"),
            ("POST", "me/link-code"), ("POST", "me/recovery-code"),
        ])
    func unauthorized(row: (method: String, path: String)) {
        for token in [nil, "x", ScriptedHub.token(of: "nobody's")] {
            let answer = hub.request(row.method, "/api/players/" + row.path, token: token, body: ["name": "Bea"])
            #expect(answer.status == 401 && answer.fields["code"] == "unknown-token")
        }
    }

    @Test("names that read like the routes of players can be forgotten", arguments: ["me/name", "devices"])
    func likeRoutes(name: String) {
        let player = hub.player(name)
        let path = "/api/players/" + name
        #expect(hub.request("DELETE", path, token: player.token).status == 405)
        #expect(hub.request("DELETE", path, token: ScriptedHub.operatorToken, from: .operators).status == 204)
        #expect(hub.request("GET", "/api/players/me", token: player.token).status == 401)
    }

    @Test("new names count like new players")
    func renamesCounted() {
        let hub = ScriptedHub(limits: .with { $0.registrationsPerMinute = 2 })
        let ann = hub.player("Ann")
        #expect(hub.rename(ann, "Bea").status == 200)
        let answer = hub.rename(ann, "Cleo")
        #expect(answer.status == 429 && answer.fields["code"] == "too-many-players")
        #expect(hub.request("GET", "/api/players/me", token: ann.token).fields["name"] == "Bea")
        hub.pass(60_000)
        #expect(hub.rename(ann, "Cleo").status == 200)
    }

    @Test("wrong codes count like wrong tokens, and new devices like new players")
    func counted() {
        let hub = ScriptedHub(limits: .with { ($0.failuresPerMinute, $0.registrationsPerMinute) = (2, 4) })
        let code = hub.code("link-code", of: hub.player("Ann"))
        let wrong = (1...3).map { _ in hub.addDevice("Phone", by: "0" + code.dropFirst()) }
        #expect(wrong.map(\.status) == [404, 404, 429])
        #expect(wrong.last?.fields["code"] == "too-many-failures")
        // The fifth new one.
        let answer = hub.addDevice("Phone", by: code)
        #expect(answer.status == 429 && answer.fields["code"] == "too-many-players")
    }
}
