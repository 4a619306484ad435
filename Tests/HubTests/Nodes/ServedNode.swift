import Cryptography
import Foundation
import Games
import JSON
import Logging
import TestSupport
import Transport

@testable import Cluster
@testable import Hub

/// A whole hub over sockets that is a node of a cluster.
final class ServedNode {
    /// Long enough for a busy machine. A passing test never waits so long.
    private static let patience = 60.0

    let name: String
    let server: HubServer
    let logged = LoggedLines()
    /// What happens to it: `lost`.
    let notes = Notes()
    private var hasStopped = false
    /// The address for others.
    private var door: FaultyProxy?

    /// `pair` is its certificate for other nodes. Links then use TLS, and `trust` says which certificates are accepted.
    init(
        _ name: String, on database: NodeDatabase, key: String = LinkedNode.key, pair: TLSFiles? = nil,
        trust: TLSTrust = .system
    ) throws {
        self.name = name
        guard let key = ClusterKey(Array(key.utf8)) else { preconditionFailure("a key is long enough") }
        // Others must know its address before it listens.
        let door = try FaultyProxy()
        guard let address = NodeAddress((pair == nil ? "http" : "https") + "://localhost:\(door.port)") else {
            preconditionFailure("an address is one")
        }
        var links = NodeLinkOptions(address: address, key: key)
        links.trust = trust
        var transport = TransportOptions(addresses: [ListenAddress(host: "127.0.0.1", port: 0)])
        transport.nodeAddresses = [ListenAddress(host: "127.0.0.1", port: 0)]
        transport.nodeTLS = pair.map { TLSOptions(pairs: [$0]) }
        (transport.loops, transport.shutdownTime) = (2, .milliseconds(200))
        var options = HubOptions(transport: transport)
        options.node = NodeOptions(name: name, links: links)
        let (logged, notes) = (logged, notes)
        server = try HubServer(options, storage: database, logger: Logger(label: "test") { _ in logged })
        door.lead(to: server.nodePorts[0])
        self.door = door
        try server.start { notes.add("lost") }
    }

    deinit { stop() }

    /// Hands its rooms on, or, without `leaving`, disappears like a process that has died.
    func stop(leaving: Bool = true) {
        guard !hasStopped else { return }
        hasStopped = true
        if leaving { server.stop() } else { server.stopWithoutLeaving() }
        door = nil
    }

    var port: Int { server.ports[0] }

    func ask(_ method: String, _ path: String, token: String? = nil, _ body: [UInt8] = []) throws -> HTTPAnswer {
        let client = try HTTPClient(port: port, timeout: .seconds(60))
        return try client.ask(method, path, headers: token.map { ["Authorization: Bearer \($0)"] } ?? [], body: body)
    }

    /// The answer's fields, empty for a refusal. Repeats the request after a 503, as while a link is being made.
    func fields(_ method: String, _ path: String, token: String? = nil, _ body: Fields = [:]) throws -> Fields {
        let bytes = body.count == 0 ? [] : JSONWriter.bytes(body)
        var answer = try ask(method, path, token: token, bytes)
        _ = try Self.wait {
            if answer.status == 503 { answer = try ask(method, path, token: token, bytes) }
            return answer.status != 503
        }
        guard answer.status < 300 else { return [:] }
        return try JSONReader.read(answer.body).object ?? [:]
    }

    var isReady: Bool { (try? ask("GET", "/readyz").status) == 200 }

    /// Waits until it serves rooms; false if it never does.
    func waitUntilReady() -> Bool { Self.wait { self.isReady } }

    func counts(_ metric: String, _ value: Int) -> Bool {
        metrics.contains { $0 == "flipside_\(metric) \(value)" }
    }

    /// Whether a link was not made, or was lost, for this reason.
    func hasFault(_ reason: String) -> Bool {
        let start = "flipside_node_link_faults_total{reason=\"\(reason)\"} "
        return metrics.contains { $0.hasPrefix(start) && $0 != start + "0" }
    }

    private var metrics: [Substring] {
        guard let answer = try? ask("GET", "/metrics") else { return [] }
        return String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
    }

    /// The codes in the list of open rooms.
    func listedRooms() throws -> Set<String> {
        let rooms = try fields("GET", "/api/rooms")["rooms"]?.list ?? []
        return Set(rooms.compactMap { $0.object?["code"]?.string })
    }

    /// Waits until `isDone` returns true; false if it never does.
    static func wait(_ isDone: () throws -> Bool) rethrows -> Bool {
        let end = Date().addingTimeInterval(patience)
        while try !isDone() {
            guard Date() < end else { return false }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return true
    }
}
