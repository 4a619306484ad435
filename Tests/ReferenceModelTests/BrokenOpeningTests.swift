import Cryptography
import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("rooms that are opened", arguments: openings)
    func findsInOpenings(_ row: Row) { finds(row) }

    static let openings = [
        Row("a room as requested", breaks: nil) { $0.open(#""turnTime":5,"seats":null"#, as: #""turnTime":5"#) },
        Row("a room that is unlisted as requested", breaks: nil) { $0.open(code: unlisted, visibility: "unlisted") },
        Row("a room without a request", breaks: asAsked) { $0.recordRoom(host: "ann") },
        Row("a room of another player", breaks: asAsked) { $0.open(host: "ben") },
        Row("a room with another host", breaks: "the opener of a room is its host") { $0.open(host: "ben", by: "ann") },
        Row("a room of another game", breaks: asAsked) { $0.open(game: "reversi") },
        Row("a room with other options", breaks: asAsked) { $0.open(#""turnTime":5"#, as: #""turnTime":10"#) },
        Row("a public room, asked for as unlisted", breaks: asAsked) { $0.open(visibility: "unlisted", as: "public") },
        Row("an unlisted room with a code that can be guessed", breaks: code) { $0.open(visibility: "unlisted") },
        Row("a code with letters that look like digits", breaks: code) {
            $0.open(code: "k3m7pl", visibility: "public")
        },
        Row("a code that is another room's", breaks: "the opener of a room gets its code") {
            $0.open(answer: 201, #"{"code":"k3m7pq"}"#)
        },
        Row("a room that was refused", breaks: "a refused command changes nothing") {
            $0.open(answer: 429, Scene.problem(429, "too-many-rooms"))
        },
        Row("impossible options", breaks: "impossible options are refused") {
            $0.open(#""turnTime":4"#, as: #""turnTime":4"#)
        },
        Row("options that are refused for another reason", breaks: "possible options are accepted") {
            $0.askForRoom(#""turnTime":4"#, answer: "unknown-option")
        },
        Row("options that are refused", breaks: nil) { $0.askForRoom(#""turnTime":4"#, answer: "out-of-range") },
        Row("possible options, refused", breaks: "possible options are accepted") {
            $0.askForRoom(#""turnTime":5"#, answer: "out-of-range")
        },
        Row("a room that the last hub was asked for", breaks: asAsked) {
            $0.requestRoom()
            $0.model.hubDied()
            $0.model.hubStarted(loops: 1, lastPlayed: nil, now: $0.time)
            $0.recordRoom(host: "ann")
        },
        Row("a room that the last hub has written", breaks: nil) {
            $0.requestRoom()
            $0.model.hubDied()
            $0.recordRoom(host: "ann")
        },
        Row("a room that is refused for a node that does not exist", breaks: noneOlder) {
            $0.askForRoom("", answer: "older-node")
        },
        Row("a room that is refused for a node without that game", breaks: nil) {
            $0.older("node-joined")
            $0.askForRoom("", answer: "older-node")
        },
        Row("a room that a node cannot read", breaks: "every serving node can read what is written") {
            $0.older("node-joined")
            $0.open()
        },
        Row("a room that a node which has left could not read", breaks: nil) {
            $0.older("node-joined")
            $0.older("node-left")
            $0.open()
        },
        Row("a room that is refused for a node that left long ago", breaks: noneOlder) {
            $0.older("node-joined")
            $0.older("node-left")
            $0.pass(60_000)
            $0.askForRoom("", answer: "older-node")
        },
    ]
    private static let noneOlder = "older-node is only said while one serves"
    private static let asAsked = "a room is opened as it was asked for"
    private static let code = "a room's code is long enough"
    private static let unlisted = "k3m7pqk3m7pqk3m7p"
}

extension Scene {
    private static let request = 99
    private static let code = "aaaaaa"

    /// Ann asks for a room of connect four; `options` are members of an object.
    fileprivate func requestRoom(_ options: String = "", visibility: String? = nil) {
        let seen = visibility.map { #","visibility":"\#($0)""# } ?? ""
        let body = #"{"game":"connect-four","options":{\#(options)}\#(seen)}"#
        model.requestArrived(Self.request, method: "POST", target: "/api/rooms", token: "A", body: Array(body.utf8))
    }

    /// A node without connect four has joined or left.
    fileprivate func older(_ change: String) {
        if change == "node-joined" {
            model.nodeStarted(node: "b", run: "1", lacking: NodeRelease(games: ["connect-four"]), now: time)
        }
        let shown = #"{"type":"\#(change)","run":"1","at":\#(time),"node":"b","address":""}"#
        model.eventsRecorded([
            LoggedEvent(stream: "hub", version: 1, commit: change, shown: Array(shown.utf8), sealed: nil, head: [])
        ])
    }

    /// She is refused.
    fileprivate func askForRoom(_ options: String, answer code: String) {
        requestRoom(options)
        model.responseSent(Self.request, status: 422, body: Array(Self.problem(422, code).utf8))
    }

    fileprivate func recordRoom(
        _ code: String = Scene.code, game: String = "connect-four", options: String = "", visibility: String = "public",
        host: String, by player: String? = nil
    ) {
        let shown = Array(
            (#"{"v":1,"t":\#(time),"type":"room-opened","game":"\#(game)","options":{\#(options)},"#
                + #""visibility":"\#(visibility)","host":"\#(host)"}"#).utf8)
        let head = SHA256.digest(of: SHA256.digest(of: "room/" + code).bytes + SHA256.digest(of: shown).bytes)
        model.eventsRecorded([
            LoggedEvent(
                stream: "room/" + code, version: 1, commit: "\(player ?? host)/open/\(code)", shown: shown, sealed: nil,
                head: head.bytes)
        ])
    }

    /// Ann asks for a room, which is opened, and gets its code.
    fileprivate func open(
        _ asked: String = "", as recorded: String = "", game: String = "connect-four", host: String = "ann",
        by player: String? = nil
    ) {
        requestRoom(asked)
        recordRoom(game: game, options: recorded, host: host, by: player)
        answer(Self.code)
    }

    fileprivate func open(code: String = Scene.code, visibility: String, as recorded: String? = nil) {
        requestRoom(visibility: visibility)
        recordRoom(code, visibility: recorded ?? visibility, host: "ann")
        answer(code)
    }

    fileprivate func open(answer status: Int, _ text: String) {
        requestRoom()
        recordRoom(host: "ann")
        model.responseSent(Self.request, status: status, body: Array(text.utf8))
    }

    private func answer(_ code: String) {
        model.responseSent(Self.request, status: 201, body: Array(#"{"code":"\#(code)"}"#.utf8))
    }
}
