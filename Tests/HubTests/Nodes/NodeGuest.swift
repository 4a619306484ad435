import Games
import JSON
import TestSupport
import Transport
import WebProtocols

@testable import Hub
@testable import Rooms

/// A member of a room, over a socket to one of the nodes.
final class NodeGuest {
    private var client: TestClient
    private let node: ServedNode
    private let code: String
    private let token: String?
    private var commandCount = 0
    /// The last request.
    private var asked: (id: String, bytes: [UInt8])?
    /// The newest version that it has seen.
    private var version: Int?
    /// Every event, in the bytes that arrived.
    private(set) var events: [String] = []
    /// How many answers each command has had.
    private(set) var answers: [String: Int] = [:]
    private(set) var hasEnded = false

    init(at node: ServedNode, in code: String, token: String? = nil) throws {
        (self.node, self.code, self.token) = (node, code, token)
        client = try Self.connect(to: node, in: code)
        try sayHello()
        _ = try until("welcome")
    }

    private static func connect(to node: ServedNode, in code: String) throws -> TestClient {
        var client = try TestClient(port: node.port)
        var head = ""
        // While a link is being made, clients get 503 and come again.
        let isAnswered = try ServedNode.wait {
            client = try TestClient(port: node.port)
            head = try client.upgrade("/ws/rooms/\(code)", headers: ["Sec-WebSocket-Protocol: flipside.v1"])
            return !head.hasPrefix("HTTP/1.1 503")
        }
        guard isAnswered, head.hasPrefix("HTTP/1.1 101") else { throw NotLetIn(code: code, head: head) }
        return client
    }

    private func sayHello() throws {
        var hello: Fields = ["type": "hello"]
        hello["token"] = token.map { .string($0) }
        hello["after"] = version.map { .integer($0) }
        try client.send(.text, JSONWriter.bytes(hello))
    }

    /// The room is served elsewhere: it comes back, and repeats what was not answered.
    private func comeBack() throws {
        client = try Self.connect(to: node, in: code)
        try sayHello()
        if let asked, answers[asked.id] == nil { try client.send(.text, asked.bytes) }
    }

    /// The next message.
    func next() throws -> Fields {
        while true {
            switch try client.receive() {
            case .message(_, .assembled(let bytes)):
                let message = try JSONReader.read(bytes).object ?? [:]
                if message["type"] == "welcome" { version = message["version"]?.integer }
                if message["v"] != nil, message["t"] != nil {
                    events.append(String(decoding: bytes, as: UTF8.self))
                    version = message["v"]?.integer
                }
                if let id = message["id"]?.string { answers[id, default: 0] += 1 }
                if message["type"]?.string == "game-ended" { hasEnded = true }
                return message
            case .ping(let payload): try client.send(.pong, payload)
            case .close(.serviceRestart, _): try comeBack()
            case .close(let code, let reason): throw Closed(code: code, reason: reason)
            default: break
            }
        }
    }

    /// The answer in place of a WebSocket.
    struct NotLetIn: Error {
        let code: String
        let head: String
    }

    struct Closed: Error {
        let code: CloseCode?
        let reason: String
    }

    /// The next message of one of these types.
    func until(_ types: String...) throws -> Fields {
        while true {
            let message = try next()
            if let type = message["type"]?.string, types.contains(type) { return message }
        }
    }

    /// Returns the answer to a command.
    @discardableResult
    func command(_ type: String, _ fields: Fields = [:]) throws -> Fields {
        commandCount += 1
        let id = "command-\(commandCount)"
        var command = fields
        (command["type"], command["id"]) = (.string(type), .string(id))
        asked = (id, JSONWriter.bytes(command))
        try client.send(.text, JSONWriter.bytes(command))
        while true {
            let message = try next()
            if message["id"]?.string == id { return message }
        }
    }
}

/// Two players and a spectator of a game of Memory, each at a node.
final class NodeTable {
    let code: String
    let players: [NodeGuest]
    let spectator: NodeGuest
    private var faces: [Int: String] = [:]
    private var taken: Set<Int> = []
    private static let cells = 0..<12

    /// At these nodes: the two players and the spectator. `home`: where someone comes first and leaves again.
    init(_ first: ServedNode, _ second: ServedNode, watched node: ServedNode, home: ServedNode? = nil) throws {
        let random = SystemRandom()
        let tokens = (0..<2).map { _ in random.bytes(32).base64URL }
        for token in tokens {
            let name = "P" + String(random.bytes(4).hex)
            _ = try first.fields("POST", "/api/players", ["name": .string(name), "token": .string(token)])
        }
        let options: Fields = [
            "columns": .integer(4), "rows": .integer(3), "theme": .string("numbers"), "reveal": .integer(200),
        ]
        let room = try first.fields(
            "POST", "/api/rooms", token: tokens[0], ["game": .string("memory"), "options": .object(options)])
        guard let code = room["code"]?.string else { throw NotOpened() }
        self.code = code
        let visitor = try home.map { try NodeGuest(at: $0, in: code) }
        defer { withExtendedLifetime(visitor) {} }
        spectator = try NodeGuest(at: node, in: code)
        players = try [
            NodeGuest(at: first, in: code, token: tokens[0]), NodeGuest(at: second, in: code, token: tokens[1]),
        ]
        for player in players { try player.command("sit") }
        try players[0].command("start")
        _ = try spectator.until("game-started")
    }

    /// Plays so many turns, or to the end. Returns whether it has ended.
    func play(turns: Int = .max) throws -> Bool {
        for _ in 0..<min(turns, 200) {
            let turn = try spectator.until("turn", "game-ended")
            guard turn["type"]?.string == "turn", let seat = turn["seat"]?.integer else { return true }
            var first: Int?
            for _ in 0..<2 {
                guard let cell = choice(beside: first) else { return false }
                let answer = try players[seat].command("flip", ["cell": .integer(cell)])
                guard answer["type"]?.string == "ok" else { throw Refused(answer: answer) }
                let shown = try spectator.until("show-card")
                faces[cell] = shown["face"].map { "\($0)" }
                first = cell
            }
            let outcome = try spectator.until("match", "hide-card")
            if outcome["type"]?.string == "match" {
                taken.formUnion(outcome["cells"]?.integers ?? [])
            }
        }
        return false
    }

    struct NotOpened: Error {}
    struct Refused: Error { let answer: Fields }

    /// The known mate, or else a card that no one has seen.
    private func choice(beside first: Int?) -> Int? {
        let down = Self.cells.filter { !taken.contains($0) && $0 != first }
        let unseen = down.first { faces[$0] == nil }
        if let first { return down.first { faces[$0] == faces[first] && faces[first] != nil } ?? unseen ?? down.first }
        let pair = down.first { one in down.contains { $0 != one && faces[$0] != nil && faces[$0] == faces[one] } }
        return pair ?? unseen ?? down.first
    }

    /// All members get the end.
    func hearEnd() throws { for player in players where !player.hasEnded { _ = try player.until("game-ended") } }

    var everybody: [NodeGuest] { players + [spectator] }
}
