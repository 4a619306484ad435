import Games
import JSON
import TestSupport

@testable import Hub
@testable import RoomRules
@testable import Rooms

/// The broken rule for a room with players, for any messages to it; nil if all hold. Each command is answered once,
/// nothing secret is shown, each event follows the one before it, the log folds to the very state of play, and new
/// members are shown that state.
///
/// The first byte chooses the room, one of `FuzzedHub.logs`. Then one step on each line:
/// - `0 flip {"cell":1}`: client 0 to 3 says this, with its own id (0 and 1 sit, 2 has a name, 3 has none);
/// - `0{"type":...}`: the same, with these very bytes;
/// - `-0`: the client's connection breaks, and it comes again; `*0`: it stops reading, or starts again;
/// - `+900`: so many ms pass; `>86400000`: they pass in one step; `~3000`: the process is blocked for so long;
/// - `!`: the process dies and starts again.
func roomFault(_ input: [UInt8]) -> String? {
    let table = FuzzedTable(FuzzedHub.logs[Int(input.first ?? 0) % FuzzedHub.logs.count])
    defer { table.hub.stop() }
    for line in input.dropFirst().split(separator: UInt8(ascii: "\n")).prefix(60) {
        if let fault = table.take(Array(line)) { return "\(String(decoding: line, as: UTF8.self)): \(fault)" }
    }
    return table.faultAtEnd()
}

private final class FuzzedTable {
    let hub: ScriptedHub
    private let code: String
    private let players: [ScriptedPlayer]
    /// By number, from their first action on.
    private var clients: [Int: FuzzedClient] = [:]
    private var lookedAt = 0
    private var lastID = 0

    init(_ log: FuzzedHub.Log) {
        let fuzzed = FuzzedHub(log)
        (hub, code, players) = (fuzzed.hub, fuzzed.code, fuzzed.players)
    }

    private func client(_ number: Int) -> FuzzedClient {
        if let client = clients[number] { return client }
        let client = FuzzedClient(page(of: number))
        clients[number] = client
        return client
    }

    private func page(of client: Int, after: Int? = nil) -> ScriptedClient {
        hub.join(code, client < players.count ? players[client] : nil, after: after)
    }

    func take(_ line: [UInt8]) -> String? {
        let rest = line.dropFirst()
        let number = rest.reduce(0) { min($0 &* 10 &+ Int($1 &- 0x30), 1 << 40) }
        switch line.first ?? 0 {
        case let digit where (0x30...0x33).contains(digit): say(Array(rest), as: Int(digit - 0x30))
        case UInt8(ascii: "-"): comeAgain(number % 4)
        case UInt8(ascii: "*"): client(number % 4).page.isStuck.toggle()
        case UInt8(ascii: "+"): hub.pass(min(number, 10_000))
        case UInt8(ascii: ">"): hub.skip(min(number, 400 * 86_400_000))
        case UInt8(ascii: "~"): hub.standStill(min(number, 86_400_000))
        case UInt8(ascii: "!"):
            hub.crash(downtime: 1_000)
            for number in clients.keys.sorted() { clients[number] = FuzzedClient(page(of: number)) }
        default: return nil
        }
        return fault()
    }

    private func say(_ text: [UInt8], as number: Int) {
        let client = client(number)
        guard text.first != UInt8(ascii: "{") else {
            client.asks(text)
            return client.page.say(text)
        }
        let words = text.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard let type = words.first.flatMap({ String(validating: $0, as: UTF8.self) }) else { return }
        lastID += 1
        let fields = words.count == 2 ? (try? JSONReader.read(Array(words[1])))?.object ?? [:] : [:]
        let message = (["type": .string(type), "id": .string("f\(lastID)")] as Fields).merging(fields)
        client.asks(JSONWriter.bytes(message))
        client.page.say(message)
    }

    private func comeAgain(_ number: Int) {
        let page = client(number).page
        page.leave()
        clients[number] = FuzzedClient(self.page(of: number, after: page.versions.last))
    }

    /// In what has been sent since the last step.
    private func fault() -> String? {
        let sent = hub.sent.frames[lookedAt...].reduce(into: [UInt8]()) { $0 += $1 }
        lookedAt = hub.sent.frames.count
        // A closed room has revealed its seed.
        let state = hub.shard.rooms[code].flatMap { $0.state.phase == .closed ? nil : $0.state }
        let secrets = players.map(\.token) + [state?.seed?.bytes?.hex].compactMap(\.self)
        for secret in secrets where sent.containsBytes(Array(secret.utf8)) { return "\(secret) is shown" }
        return clients.values.lazy.compactMap { $0.fault() }.first
    }

    /// After everything has had its time.
    func faultAtEnd() -> String? {
        for client in clients.values { client.page.isStuck = false }
        // A deal waits for nonces; absence is noticed.
        for _ in 0..<4 { hub.skip(6_000) }
        if let fault = fault() { return fault }
        if let fault = clients.values.lazy.compactMap({ $0.unanswered() }).first { return fault }
        let late = hub.join(code)
        let state = hub.room(code)
        var (folded, check) = (RoomState(code: code, games: hub.games), RoomCheck(code: code, games: hub.games))
        for record in hub.storage.records(of: .room(code)) {
            do throws(RoomState.FoldError) { try folded.apply(record) } catch { return "does not fold: \(error)" }
            do throws(RoomCheck.Fault) { try check.checkRecord(record) } catch { return "does not check: \(error)" }
        }
        guard folded.end == state.end, folded.roomView == state.roomView, folded.gameView == state.gameView,
            folded.summary == state.summary, folded.deadline == state.deadline
        else { return "folds to \(folded.roomView), and is \(state.roomView)" }
        guard let welcome = late.last("welcome") else { return "who comes later is not welcome" }
        guard welcome["room"]?.object == read(state.roomView), welcome["view"]?.object == state.gameView.flatMap(read)
        else { return "who comes later is shown \(welcome)" }
        return nil
    }
}

/// A connection, and what it is owed.
private final class FuzzedClient {
    let page: ScriptedClient
    private var asked: [String: Int] = [:]
    private var answered: [String: Int] = [:]
    private var lookedAt: Int
    private var version: Int?

    init(_ page: ScriptedClient) {
        self.page = page
        lookedAt = page.messages.count
    }

    func asks(_ message: [UInt8]) {
        guard page.closed == nil else { return }
        do throws(ClientMessage.Refusal) {
            if case .command(let id, _, _) = try ClientMessage.read(message.span.bytes) { asked[id, default: 0] += 1 }
        } catch { if let id = error.id { asked[id, default: 0] += 1 } }
    }

    /// In what has arrived since the last step.
    func fault() -> String? {
        defer { lookedAt = page.messages.count }
        for message in page.messages[lookedAt...] {
            let type = message["type"]?.string ?? ""
            if type == "ok" || type == "error", let id = message["id"]?.string { answered[id, default: 0] += 1 }
            if type == "welcome" || type == "resume" { version = nil }
            if let next = message["v"]?.integer, message["t"] != nil {
                if let version, next != version + 1 { return "version \(next) comes behind \(version)" }
                version = next
            }
            if hasHiddenFace(.object(message)) { return "a card that is down is shown: \(message)" }
        }
        for (id, count) in answered where count > asked[id] ?? 0 { return "\(id) is answered again" }
        return nil
    }

    func unanswered() -> String? {
        guard page.closed == nil else { return nil }
        return asked.first { $0.value > answered[$0.key] ?? 0 }.map { "\($0.key) is not answered" }
    }

    private func hasHiddenFace(_ value: Value) -> Bool {
        switch value {
        case .object(let fields):
            if let side = fields["state"]?.string, side == "down" || side == "gap", fields["face"] != nil {
                return true
            }
            return fields.values.contains { hasHiddenFace($0) }
        case .list(let values): return values.contains { hasHiddenFace($0) }
        default: return false
        }
    }
}
