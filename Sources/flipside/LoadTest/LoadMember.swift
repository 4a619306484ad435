import Cryptography
import Foundation
import Transport
import WebProtocols

/// One connection of a load test; a player's starts with its registration.
final class LoadMember: ClientConnectionDelegate {
    enum Role: Equatable {
        /// With this seat; the first one opens the room.
        case player(Int)
        case watcher(Watching.Manner)
        case newcomer
    }

    enum Stage { case connecting, registering, opening, upgrading, greeting, sitting, there, gone }

    let role: Role
    private let service: LoadService
    /// A player's room; nil for a watcher.
    let room: LoadRoom?
    private var code: String
    /// Its number among all connections of its loop, from 0, which decides its node.
    private let number: Int
    /// The index of the node that it connects to.
    private var node: Int
    private let flips: FlipTimes
    private(set) var stage = Stage.connecting
    private(set) var client: ClientConnection?
    private var token = ""
    private var began = 0
    /// The version of the newest event, for resuming.
    private var version = 0
    private var isReturning = false
    private var attempts = 0
    /// When it arrived, in the loop's ms.
    private(set) var arrival = 0
    /// Whether it was told to leave.
    private var isLeaving = false
    /// Whether it has been counted as one that could not connect.
    private var hasFailed = false

    init(_ role: Role, of room: LoadRoom?, code: String, flips: FlipTimes, for service: LoadService) {
        (self.role, self.room, self.code, self.flips, self.service) = (role, room, code, flips, service)
        number = service.nextNumber()
        node = service.plan.nodes.index(ofRoom: code, number)
    }

    var isThere: Bool { stage == .there }

    /// Starts to connect.
    func come() {
        var limits = service.plan.limits
        if role == .watcher(.slowReader) { limits.receiveBufferBytes = 16_384 }
        (stage, began) = (.connecting, nanoseconds())
        let client = service.context.connect(to: service.plan.nodes.endpoints[node], limits: limits, delegate: self)
        self.client = client
    }

    func say(_ text: String) { client?.send(text) }

    /// Leaves for good, like a person who closes the page.
    func leave() {
        isLeaving = true
        client?.close(.normal, "")
    }

    /// Drops the connection and reconnects at once.
    func drop() {
        isReturning = true
        client?.abort()
    }

    /// Reads one more time, if it ever reads.
    func readOnce() {
        guard stage == .there, reads else { return }
        client?.isPaused = false
    }

    /// Only every other slow reader reads.
    private var reads: Bool { began & 1 == 0 }

    // MARK: Events

    func clientConnected(_ client: ClientConnection) {
        service.tally.connect.record(nanoseconds() - began)
        guard case .player = role, token.isEmpty else { return upgrade(client) }
        stage = .registering
        token = randomBytes(32).base64URL
        ask(client, "/api/players", #"{"name":"\#(service.newName())","token":"\#(token)"}"#)
    }

    func responseArrived(_ response: HTTPResponse, to client: ClientConnection) {
        guard (200..<300).contains(response.status) else {
            let problem = Problem(response)
            if problem.name == "name-taken" { return register(client) }
            return refused(problem, client)
        }
        guard stage == .registering, case .player(0) = role else {
            if stage == .opening { room?.opened(Self.member("code", of: response.body)) }
            return isWhereItBelongs ? upgrade(client) : move(from: client)
        }
        stage = .opening
        ask(client, "/api/rooms", LoadRoom.request(seats: service.plan.members))
    }

    /// The room's own node is known once the room has a code.
    private var isWhereItBelongs: Bool {
        guard let room else { return true }
        return service.plan.nodes.index(ofRoom: room.code, number) == node
    }

    private func move(from client: ClientConnection) {
        if let room { node = service.plan.nodes.index(ofRoom: room.code, number) }
        // The ending connection is no longer its own.
        self.client = nil
        client.abort()
        come()
    }

    private func register(_ client: ClientConnection) {
        guard case .player = role else { return }
        ask(client, "/api/players", #"{"name":"\#(service.newName())","token":"\#(token)"}"#)
    }

    private func ask(_ client: ClientConnection, _ target: String, _ body: String) {
        var headers: HeaderFields = ["Content-Type": "application/json"]
        if stage == .opening { headers.append("Authorization", "Bearer \(token)") }
        client.ask("POST", target, headers: headers, body: Array(body.utf8))
    }

    private func upgrade(_ client: ClientConnection) {
        if let room { code = room.code }
        (stage, began) = (.upgrading, nanoseconds())
        client.upgrade("/ws/rooms/\(code)", subprotocols: ["flipside.v1"])
    }

    func clientUpgraded(_ client: ClientConnection, subprotocol: String?) {
        let now = nanoseconds()
        service.tally.handshake.record(now - began)
        (stage, began) = (.greeting, now)
        let name = token.isEmpty ? "" : #","token":"\#(token)""#
        let after = isReturning && version > 0 ? #","after":\#(version)"# : ""
        say(#"{"type":"hello"\#(name)\#(after)}"#)
    }

    func messageArrived(_ message: RawSpan, kind: MessageKind, on client: ClientConnection) {
        messageScanned(MessageScan(message), client)
    }

    private func messageScanned(_ scan: MessageScan, _ client: ClientConnection) {
        if let version = scan.version { self.version = max(self.version, version) }
        if stage == .there, role == .watcher(.slowReader) { client.isPaused = true }
        switch scan.kind {
        case .showCard:
            // A slow reader waits through its own fault.
            if role != .watcher(.slowReader), let version = scan.version, let due = flips.due(version) {
                service.tally.deliveries += 1
                service.tally.delivery.record(nanoseconds() - due)
            }
        case .welcome, .resume: if stage == .greeting { greeted(scan) }
        case .ok:
            if stage == .sitting {
                arrive()
            } else if let id = scan.number(#""id":"f"#) {
                room?.answered(id)
            }
        case .error: refused(scan, client)
        case .proposed:
            if let version = scan.version { room?.proposed(version, to: self) }
        case .match, .hideCard, .turn, .gameEnded, .other: break
        }
        if role == .player(0), scan.version != nil { room?.see(scan) }
    }

    private func greeted(_ scan: MessageScan) {
        service.tally.welcome.record(nanoseconds() - began)
        version = scan.number(#""version":"#) ?? version
        if case .player(let seat) = role {
            room?.greeted(seat, version: version)
            stage = .sitting
            return say(#"{"type":"sit","id":"sit\#(seat)","seat":\#(seat)}"#)
        }
        if isReturning, scan.kind == .resume { service.tally.resumed += 1 }
        arrive()
    }

    private func arrive() {
        (stage, arrival, attempts) = (.there, service.context.now, 0)
        if role == .watcher(.slowReader) { client?.isPaused = true }
        if isReturning {
            isReturning = false
            service.returned()
        } else {
            service.arrived(self)
        }
        room?.playerSat()
    }

    // MARK: Errors

    private func refused(_ scan: MessageScan, _ client: ClientConnection) {
        service.tally.fault(scan.text(#""code":""#) ?? "error")
        guard stage == .there else {
            hasFailed = true
            return client.abort()
        }
        if let id = scan.number(#""id":"f"#) { room?.refused(id) }
    }

    private func refused(_ problem: Problem, _ client: ClientConnection) {
        service.tally.fault(problem.name)
        client.abort()
        // The problem has been counted by its own name.
        hasFailed = true
    }

    func clientEnded(_ client: ClientConnection, _ end: ClientEnd) {
        guard client === self.client else { return }
        self.client = nil
        if isLeaving { return stage = .gone }
        if !hasFailed { recordEnd(end) }
        if isReturning { return comeBack() }
        let wasThere = stage == .there
        stage = .gone
        service.gone(self, wasThere: wasThere)
        room?.playerLost()
    }

    private func recordEnd(_ end: ClientEnd) {
        if isReturning, case .aborted = end { return }
        if role == .watcher(.slowReader), stage == .there { return }
        service.tally.fault(Problem(end).name)
    }

    /// Retries at once; after a failure a little later, and again, as a page does.
    private func comeBack() {
        hasFailed = false
        attempts += 1
        guard attempts > 1 else { return come() }
        service.tally.retries += 1
        service.later(self, in: Int.random(in: 100...1_000))
    }

    /// The text of a member of a JSON object.
    private static func member(_ name: String, of body: [UInt8]) -> String? {
        // A body that is not a JSON object has no such member.
        let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return object?[name] as? String
    }
}
