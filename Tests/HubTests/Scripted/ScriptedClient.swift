import Games
import JSON
import Transport
import WebProtocols

@testable import Hub
@testable import RoomRules
@testable import Rooms

/// One connection, and everything that it got.
final class ScriptedClient: SocketChannel {
    let hub: ScriptedHub
    /// The witness's number of this connection.
    var number = 0
    var connection: (any HubConnection)?
    /// If the room has its home here.
    var member: Member? { connection as? Member }
    private(set) var messages: [Fields] = []
    /// From all greetings and `presence` messages so far.
    private(set) var present = PresentPlayers()
    private(set) var closed: CloseCode?
    /// While this is set, the socket takes nothing.
    var isStuck = false {
        didSet {
            hub.witness.reads(number, !isStuck)
            guard !isStuck, queuedBytes > 0 else { return }
            queuedBytes = 0
            connection?.drained()
        }
    }
    private(set) var queuedBytes = 0
    var isServedLast = false
    private var lastID = 0
    let peer: Peer
    /// The closed connection that this one continues.
    private(set) var before: ScriptedClient?

    init(hub: ScriptedHub, from peer: Peer = .at("192.0.2.2")) { (self.hub, self.peer) = (hub, peer) }

    func send(_ frame: Frame) {
        hub.note(frame)
        if isStuck { queuedBytes += frame.bytes.count }
        hub.witness.told(number, frame.bytes, from: frame.payloadStart)
        do {
            let message = try JSONReader.read(Array(frame.payload)).object ?? [:]
            messages.append(message)
            present.note(message)
        } catch { report("\(error)") }
    }

    func close(_ code: CloseCode, _ reason: String) {
        closed = code
        hub.witness.closed(number, code: Int(code.rawValue))
    }

    func say(_ fields: Fields, settling: Bool = true) { say(JSONWriter.bytes(fields), settling: settling) }

    func say(_ bytes: [UInt8], settling: Bool = true) {
        hub.shard.turnBegan(hub.turn, stoodStillSince: nil)
        if connection != nil { hub.witness.said(number, bytes) }
        connection?.messageArrived(bytes.span.bytes)
        if settling { hub.settle() } else { hub.shard.turnEnded() }
    }

    /// Sends a command with its own id. Returns the answer.
    @discardableResult
    func command(_ type: String, _ fields: Fields = [:], id: String? = nil, settling: Bool = true) -> Fields? {
        lastID += 1
        let id = id ?? "c\(lastID)"
        say((["type": .string(type), "id": .string(id)] as Fields).merging(fields), settling: settling)
        return messages.last { $0["id"]?.string == id }
    }

    func leave() {
        hub.witness.closed(number, code: nil)
        connection?.closed()
        connection = nil
        hub.settle()
    }

    /// Comes again, here or at another node, as a client does after its connection was closed: with what it has seen.
    func comeBack(to hub: ScriptedHub, _ code: String, as player: ScriptedPlayer?) -> ScriptedClient {
        if connection != nil { leave() }
        let page = hub.join(code, player, after: seen)
        page.before = self
        return page
    }

    /// The newest version that it has seen; nil without a greeting.
    var seen: Int? {
        var seen = before?.seen
        for message in messages {
            if message["type"] == "welcome" { seen = message["version"]?.integer }
            if message["t"] != nil, let version = message["v"]?.integer { seen = version }
        }
        return seen
    }

    /// All connections, the first one first.
    var all: [ScriptedClient] { (before?.all ?? []) + [self] }

    /// Nothing more is said on it, in either direction.
    func forget() { connection = nil }

    func last(_ type: String) -> Fields? { messages.last { $0["type"]?.string == type } }
    func clear() { messages = [] }

    /// The recorded events that arrived, in order.
    var events: [Fields] { messages.filter { $0["v"]?.integer != nil && $0["t"] != nil } }
    var versions: [Int] { events.compactMap { $0["v"]?.integer } }
}

/// The people in a room and their names, as a client folds them.
struct PresentPlayers {
    private(set) var players: Set<PlayerID> = []
    private(set) var spectators = 0
    private(set) var names: [PlayerID: String] = [:]

    fileprivate mutating func note(_ message: Fields) {
        switch message["type"]?.string {
        case "welcome", "resume":
            let presence = message["presence"]?.object ?? [:]
            (players, names) = (Set(presence["players"]?.strings ?? []), [:])
            spectators = presence["spectators"]?.integer ?? 0
        case "presence":
            players.formUnion(message["came"]?.strings ?? [])
            players.subtract(message["went"]?.strings ?? [])
            spectators = message["spectators"]?.integer ?? 0
        default: return
        }
        for (player, name) in message["names"]?.object?.elements ?? [] { names[player] = name.string }
    }
}
