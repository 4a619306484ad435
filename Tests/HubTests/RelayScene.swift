import Games
import JSON
import WebProtocols

@testable import Cluster
@testable import Hub
@testable import Rooms

/// A room whose host is at its home, and another node that relays its clients.
struct RelayScene {
    let cluster: ScriptedCluster
    let home: ScriptedHub
    let relay: ScriptedHub
    let code: String
    let ann: ScriptedPlayer
    let ben: ScriptedPlayer
    let annPage: ScriptedClient

    init(game: String = "memory", limits: HubLimits = HubLimits()) {
        cluster = ScriptedCluster(count: 2, serving: 2, limits: limits)
        (ann, ben) = (cluster.nodes[0].player("Ann"), cluster.nodes[1].player("Ben"))
        let options: Fields = game == "memory" ? ["columns": 2, "rows": 3, "theme": "numbers"] : [:]
        code = cluster.nodes[0].open(ann, options, game: game)
        let nodes = cluster.nodes(of: code)
        (home, relay) = (nodes[0], nodes[1])
        annPage = home.join(code, ann)
    }

    /// The members in the home's view.
    var members: [Member] { home.shard.rooms[code]?.edge.members ?? [] }
    var version: Int { home.room(code).version }

    /// The messages about the room's connections that crossed links.
    var relayed: [RelayMessage] { cluster.relayed(code) }

    func deliverToHome(settling: Bool = true) { cluster.deliver(from: relay, to: home, settling: settling) }
    func deliverToRelay() { cluster.deliver(from: home, to: relay) }

    /// Everything under way arrives, with all its consequences.
    func calm() {
        cluster.isSlow = false
        for node in cluster.nodes { node.settle() }
    }

    /// Something that everyone is shown: the host sits down, or gets up again.
    func showSomething(settling: Bool = true) {
        let isSeated = home.room(code).seat(of: ann.id) != nil
        annPage.command(isSeated ? "leave" : "sit", settling: settling)
    }
}

extension RelayMessage {
    /// The number of a greeting.
    var greeting: Int? { if case .greeting(_, let number, _) = self { number } else { nil } }
    var isBroadcast: Bool { connection == nil }

    /// The texts that it makes the node send to the client.
    var texts: [String] {
        let texts: [[UInt8]] =
            switch self {
            case .greeting(_, _, let texts): texts
            case .answer(_, let text), .replaceable(_, let text), .broadcast(let text): [text]
            default: []
            }
        return texts.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ScriptedClient {
    /// Its socket takes nothing, and more waits for it than is queued for a slow client.
    func fill() {
        isStuck = true
        let text = String(repeating: "x", count: Member.queueLimitBytes)
        send(.text(JSONWriter.bytes(["type": "filler", "text": .string(text)])))
    }

    /// Events and answers, each with its subject, and greetings.
    var story: [String] {
        messages.compactMap { message in
            guard let type = message["type"]?.string, !["filler", "presence"].contains(type) else { return nil }
            return type == "pong" ? "pong \(message["n"]?.integer ?? 0)" : type
        }
    }
}
