import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test(
        "device codes, given-up names, secrets, answers to requests",
        arguments: codes + devices + names + secrets + forms)
    func findsInAccounts(_ row: Row) { finds(row) }

    static let codes = [
        Row("a code that adds a device", breaks: nil) {
            $0.makeCode()
            $0.addDevice("C", answer: 201, #"{"id":"ann","name":"Ann","by":"link"}"#)
            $0.addDevice("D", answer: 404)
        },
        Row("a code that adds two devices", breaks: "a code adds one device") {
            $0.makeCode()
            $0.addDevice("C", answer: 201, #"{"id":"ann","name":"Ann","by":"link"}"#)
            $0.addDevice("D", answer: 201, #"{"id":"ann","name":"Ann","by":"link"}"#)
        },
        Row("a code that was replaced", breaks: "a replaced or void code adds no device") {
            $0.makeCode()
            $0.makeCode("222")
            $0.addDevice("C", answer: 201, #"{"id":"ann","name":"Ann","by":"link"}"#)
        },
        Row("a code of a player who revoked a device", breaks: "a replaced or void code adds no device") {
            $0.makeCode()
            $0.http("DELETE", "/api/players/me/devices/x", token: "A", answer: 204)
            $0.addDevice("C", answer: 201, #"{"id":"ann","name":"Ann","by":"link"}"#)
        },
        Row("a late code", breaks: "a code adds a device in time") {
            $0.makeCode()
            $0.pass(603_000)
            $0.addDevice("C", answer: 201, #"{"id":"ann","name":"Ann","by":"link"}"#)
        },
        Row("a late code that adds none", breaks: nil) {
            $0.makeCode()
            $0.pass(603_000)
            $0.addDevice("C", answer: 404)
        },
        Row("a code that does not work", breaks: "a valid code adds a device") {
            $0.makeCode()
            $0.addDevice("C", answer: 404)
        },
        Row("a code that may have been used", breaks: nil) {
            $0.makeCode()
            $0.addDevice("C", answer: 503)
            $0.addDevice("D", answer: 404)
        },
        Row("a code of another player", breaks: "a device belongs to the code's player") {
            $0.makeCode()
            $0.addDevice("C", answer: 201, #"{"id":"ben","name":"Ben","by":"link"}"#)
        },
        Row("a code that works for an hour", breaks: "a link code works for 10 minutes") {
            $0.makeCode(for: 3_600_000)
        },
    ]

    static let devices = [
        Row("the devices of a player", breaks: nil) {
            $0.makeCode()
            $0.addDevice("C", answer: 201, #"{"id":"ann","name":"Ann","by":"link"}"#)
            $0.account([(1, true), (2, false)])
        },
        Row("a device that was never added", breaks: "an account has the devices that were added") {
            $0.account([(1, true), (2, false)])
        },
        Row("a device that was signed out", breaks: "a signed-out device is no longer a player's") {
            $0.http("DELETE", "/api/players/me/devices/d2", token: "A", answer: 204)
            $0.account([(1, true), (2, false)])
        },
        Row("too many devices", breaks: "a player has 20 devices at most") {
            $0.account((1...21).map { ($0, $0 == 1) })
        },
        Row("no asking device", breaks: "one device is the asking one") { $0.account([(1, false)]) },
        Row("devices in another order", breaks: "devices are in the order in which they came") {
            $0.account([(2, true), (1, false)])
        },
        Row("a recovery code that may have been made", breaks: nil) {
            $0.http("POST", "/api/players/me/recovery-code", token: "A", answer: 503)
            $0.account([(1, true)], hasCode: true)
        },
        Row("a recovery code of a device that was signed out", breaks: says) {
            $0.haveTwoDevices()
            $0.makeRecoveryCode("C")
            $0.http("DELETE", "/api/players/me/devices/d2", token: "A", answer: 204)
            $0.account([(1, true)], hasCode: true)
        },
        Row("a recovery code of the device that signs another out", breaks: nil) {
            $0.haveTwoDevices()
            $0.makeRecoveryCode("A")
            $0.http("DELETE", "/api/players/me/devices/d2", token: "A", answer: 204)
            $0.account([(1, true)], hasCode: true)
        },
        Row("a lost recovery code of the device that signs another out", breaks: says) {
            $0.haveTwoDevices()
            $0.makeRecoveryCode("A")
            $0.http("DELETE", "/api/players/me/devices/d2", token: "A", answer: 204)
            $0.account([(1, true)])
        },
        Row("a recovery code of a device that signs itself out", breaks: nil) {
            $0.haveTwoDevices()
            $0.makeRecoveryCode("C")
            $0.http("DELETE", "/api/players/me/devices/d2", token: "C", answer: 204)
            $0.account([(1, true)], hasCode: true)
        },
        Row("a recovery code without a request", breaks: says) {
            $0.account([(1, true)], hasCode: true)
        },
    ]
    private static let says = "an account says whether there is a recovery code"

    static let names = [
        Row("a given-up name, shown a moment later", breaks: nil) {
            $0.join()
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(1_000)
            $0.tell(Scene.ben, $0.presence(named: "Ann"))
        },
        Row("a given-up name, shown for too long", breaks: "no message has a forgotten name") {
            $0.join()
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(3_000)
            $0.tell(Scene.ben, $0.presence(named: "Ann"))
        },
        Row("a given-up name, shown for long because the hub was blocked", breaks: nil) {
            $0.join()
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(2_000)
            $0.model.hubHindered()
            $0.pass(1_000)
            $0.tell(Scene.ben, $0.presence(named: "Ann"))
        },
        Row("a name whose account is no longer in the log", breaks: "no message has a forgotten name") {
            $0.join()
            $0.model.streamErased("account/ann")
            $0.pass(3_000)
            $0.tell(Scene.ben, $0.presence(named: "Ann"))
        },
        Row("a change of name with an unknown outcome", breaks: nil) {
            $0.join()
            $0.http("PUT", "/api/players/me/name", token: "A", answer: 503)
            $0.pass(3_000)
            $0.tell(Scene.ben, $0.presence(named: "Anna"))
        },
        Row("a change of name that did not happen", breaks: "a player is shown by the present name") {
            $0.join()
            $0.http("PUT", "/api/players/me/name", token: "A", answer: 503)
            $0.account([(1, true)])
            $0.pass(3_000)
            $0.tell(Scene.ben, $0.presence(named: "Anna"))
        },
        Row("a given-up name in any answer", breaks: "no message has a forgotten name") {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(3_000)
            $0.http("GET", "/api/rooms/k3m7pq/x", answer: 404, #"{"before":["Ann"]}"#)
        },
    ]

    static let secrets = [
        Row("a seed in a log", breaks: secret) {
            $0.http("GET", "/api/rooms/k3m7pq/log", answer: 404, #"{"x":"\#(String(repeating: "01", count: 32))"}"#)
        },
        Row("a seed in a list", breaks: secret) {
            $0.http("GET", "/api/rooms", answer: 200, #"{"rooms":[],"x":"\#(String(repeating: "01", count: 32))"}"#)
        },
        Row("a seed in a header", breaks: secret) {
            $0.model.requestArrived(9, method: "GET", target: "/", token: nil, body: [])
            let fields = [(name: "X", value: String(repeating: "01", count: 32))]
            $0.model.responseSent(9, status: 200, fields: fields, body: [])
        },
        Row("a seed in a message", breaks: secret) {
            $0.join()
            $0.tell(Scene.ann, #"{"type":"notice","code":"\#(String(repeating: "01", count: 32))"}"#)
        },
        Row("a token", breaks: secret) {
            let token = String(repeating: "T", count: 43)
            $0.http("GET", "/api/players/me", token: token, answer: 401, #"{"detail":"\#(token)"}"#)
        },
        Row("a code that was issued", breaks: secret) {
            $0.makeCode()
            $0.http("GET", "/api/players/me", token: "A", answer: 200, #"{"id":"ann","link":"\#(Scene.code())"}"#)
        },
        Row("no secret", breaks: nil) {
            $0.http(
                "GET", "/api/rooms/xxxxxx", answer: 404,
                Scene.problem(404, "no-such-room", #","x":"\#(String(repeating: "ab", count: 32))""#))
        },
    ]

    static let forms = [
        Row("a status that the protocol does not name", breaks: named) { $0.http("GET", "/api/rooms", answer: 204) },
        Row("a problem of another request", breaks: named) {
            $0.http("GET", "/api/rooms", answer: 404, code: "no-such-room")
        },
        Row("a problem with another status", breaks: named) {
            $0.http("GET", "/api/rooms/xxxxxx", answer: 403, code: "no-such-room")
        },
        Row("an error that is not a problem", breaks: "an error over HTTP is a problem") {
            $0.http("GET", "/api/rooms/xxxxxx", answer: 404, #"{"code":"no-such-room"}"#)
        },
        Row("an empty answer to a request for an unknown log", breaks: "an error over HTTP is a problem") {
            $0.http("GET", "/api/rooms/k3m7pq/log", answer: 404, "{}")
        },
        Row("a hub that is down right after its start", breaks: nil) { $0.http("GET", "/api/rooms", answer: 503) },
        Row("a hub that is down for no reason", breaks: "a hub that nothing hinders answers requests") {
            $0.pass(20_000)
            $0.http("GET", "/api/rooms", answer: 503)
        },
        Row("a token without a player", breaks: "a token without a player does nothing") {
            $0.http("GET", "/api/players/me/games", token: "Z", answer: 200, #"{"rooms":[]}"#)
        },
        Row("a token that was forgotten", breaks: "a token without a player does nothing") {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.account([(1, true)])
        },
        Row("a token that was not forgotten", breaks: "a token is a player's until it is given up") {
            $0.http("GET", "/api/players/me", token: "A", answer: 401)
        },
        Row("a token that may have been forgotten", breaks: nil) {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 503)
            $0.http("GET", "/api/players/me", token: "A", answer: 401)
        },
    ]
    private static let named = "a request is answered with a status of the protocol"
    private static let secret = "no secret leaves the hub"
}

extension Scene {
    /// 32 letters in groups of four, starting with `start`.
    static func code(_ start: String = "111") -> String {
        start + "1-" + [String](repeating: "2222", count: 7).joined(separator: "-")
    }

    /// Ann gets a code for another device.
    func makeCode(_ start: String = "111", for span: Int = 600_000) {
        http(
            "POST", "/api/players/me/link-code", token: "A", answer: 201,
            #"{"code":"\#(Self.code(start))","until":\#(time + span)}"#)
    }

    func addDevice(_ token: String, answer status: Int, _ answer: String = "") {
        http(
            "POST", "/api/players/devices", #"{"code":"\#(Self.code().lowercased())","token":"\#(token)"}"#,
            answer: status, answer, code: status == 404 ? "unknown-code" : "")
    }

    /// Ann gets a recovery code on one of her devices.
    func makeRecoveryCode(_ token: String = "A") {
        http(
            "POST", "/api/players/me/recovery-code", token: token, answer: 201, #"{"code":"\#(Self.code("777"))"}"#)
    }

    /// Ann has two devices, with the ids `d1` and `d2`.
    func haveTwoDevices() {
        makeCode()
        addDevice("C", answer: 201, #"{"id":"ann","name":"Ann","by":"link"}"#)
        account([(1, true), (2, false)])
        account([(1, false), (2, true)], token: "C")
    }

    /// The answer about Ann's devices: since when she has each, and whether it is the asking one.
    func account(_ devices: [(since: Int, isCurrent: Bool)], hasCode: Bool = false, token: String = "A") {
        let list = devices.map { device in
            #"{"id":"d\#(device.since)","label":"","since":\#(device.since)"#
                + (device.isCurrent ? #","current":true}"# : "}")
        }
        http(
            "GET", "/api/players/me", token: token, answer: 200,
            #"{"id":"ann","name":"Ann","devices":[\#(list.joined(separator: ","))],"recoveryCode":\#(hasCode)}"#)
    }

    func presence(named name: String) -> String {
        #"{"type":"presence","came":[],"went":[],"names":{"ann":"\#(name)"},"spectators":0}"#
    }
}
