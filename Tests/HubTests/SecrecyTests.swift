import Cryptography
import EventStore
import Games
import JSON
import TestSupport
import Testing

@testable import Hub
@testable import RoomRules

@Suite("Nothing secret leaves the hub") struct SecrecyTests {
    @Test(
        "no seed before its reveal, no token and no face before its card was shown, by any rule",
        arguments: ["pairs", "memorize", "easy", "medium", "hard"])
    func drawsAndComputers(rule: String) throws {
        let hub = ScriptedHub(seed: 7)
        let players = ["Ann", "Ben"].map { hub.player($0) }
        let code = hub.open(
            players[0], ["columns": 3, "rows": 4, "theme": "numbers", "rule": .string(rule), "turnTime": 5])
        let pages = players.map { hub.join(code, $0) }
        var drawn = 0
        /// Promises the next nonce, and opens the one promised before if it is awaited.
        func nonce(_ number: Int) -> [UInt8] { Array(SHA256.digest(of: "nonce \(number)").bytes.prefix(16)) }
        for (seat, page) in pages.enumerated() {
            page.command("sit", ["commitment": .string(SHA256.digest(of: nonce(seat)).hex)])
        }
        pages[0].command("bot", ["seat": 2, "level": "perfect"])
        var leaks = Leaks(hub: hub, code: code, tokens: players.map(\.token))
        let choice = SeededRandom(7)
        for step in 0..<160 {
            switch hub.room(code).phase {
            case .waiting: pages[0].command("start")
            case .ended: for page in pages { page.command("propose", ["what": "rematch"]) }
            case .dealing:
                for (seat, page) in pages.enumerated() {
                    let own = nonce(2 * drawn + seat)
                    let next = nonce(2 * drawn + seat + 2)
                    page.command(
                        "ready", ["nonce": .string(own.hex), "commitment": .string(SHA256.digest(of: next).hex)])
                }
                #expect(hub.room(code).phase == .running)
                drawn += 1
            default: break
            }
            leaks.look()
            guard hub.room(code).phase == .running else { continue }
            pages[choice.number(below: 2)].command("flip", ["cell": .integer(choice.number(below: 12))])
            if step % 40 == 39 { for page in pages { page.command("propose", ["what": "restart"]) } }
            if step % 3 == 0 { for page in pages { page.command("shuffle") } }
            hub.pass(500)
            _ = hub.join(
                code, step % 2 == 0 ? players[0] : nil, after: choice.number(below: hub.room(code).version + 1))
            // A welcome, which has the view.
            if step % 7 == 0 { _ = hub.join(code) }
            if step % 4 == 0 {
                for path in ["/\(code)/log", "/\(code)", "", "/none"] { _ = hub.request("GET", "/api/rooms\(path)") }
            }
            for path in ["/api/leaderboard", "/metrics", "/readyz"] { _ = hub.request("GET", path) }
        }
        leaks.look()
        #expect(drawn > 2 && leaks.looked > 300, "the search saw too little to mean anything")
        let types = Set(hub.storage.records(of: .room(code)).map(\.event.type))
        #expect(
            types.isSuperset(of: ["dealing", "ready", "show-card", "cards-shuffled", "proposed", "game-ended"]))
    }
}

/// Searches everything that has left the hub since the last look.
private struct Leaks {
    private(set) var looked = 0
    private var frames = 0
    private var answers = 0
    private let hub: ScriptedHub
    private let code: String
    private let tokens: [String]

    init(hub: ScriptedHub, code: String, tokens: [String]) {
        (self.hub, self.code, self.tokens) = (hub, code, tokens)
    }

    mutating func look() {
        // Most are copies of one for all members.
        let sent = Set(hub.sent.frames[frames...] + hub.sent.http[answers...])
        (frames, answers) = (hub.sent.frames.count, hub.sent.http.count)
        let state = hub.room(code)
        let secrets =
            tokens
            + [state.seed?.bytes.map(\.hex), state.seedOfNewestGame?.hex].compactMap(\.self)
        for bytes in sent {
            looked += 1
            for secret in secrets { #expect(!bytes.containsBytes(Array(secret.utf8))) }
            lookForFaces(bytes)
        }
    }

    /// Anything that links a cell to a face, in a view or in an event, is about a card that has been shown.
    private func lookForFaces(_ bytes: [UInt8]) {
        guard let value = anyJSON(bytes) else { return }
        walk(value) { fields in
            if fields["type"] != nil { return }
            guard let side = fields["state"]?.string else { return }
            #expect((fields["face"] == nil) == (side == "down" || side == "gap"))
        }
    }

    private func anyJSON(_ bytes: [UInt8]) -> Value? {
        (0..<min(11, bytes.count)).lazy.compactMap { try? JSONReader.read(Array(bytes.dropFirst($0))) }.first
    }

    private func walk(_ value: Value, _ visit: (Fields) -> Void) {
        switch value {
        case .object(let fields):
            visit(fields)
            for value in fields.values { walk(value, visit) }
        case .list(let values): for value in values { walk(value, visit) }
        default: break
        }
    }
}
