import Cryptography
import EventStore
import Games
import WebProtocols

/// The hub over HTTP/1.1: the client's files, rooms, players, the state of the hub, and the way to WebSockets.
/// One for each shard, on its loop.
final class API {
    /// The WebSocket subprotocol of rooms and of the lobby.
    static let subprotocol = "flipside.v1"
    /// Rooms in the list.
    static let listLimit = 200

    let shard: Shard
    private let files: StaticFiles
    /// Where the echo endpoint is; nil: there is none.
    private let echoPath: String?
    private let metrics: Metrics
    private let operatorKey: OperatorKey
    private var registrations: AddressLimit

    var surroundings: RoomSurroundings { shard.surroundings }

    init(shard: Shard, files: StaticFiles, echoPath: String?, metrics: Metrics, operatorKey: OperatorKey) {
        self.shard = shard
        self.files = files
        self.echoPath = echoPath
        self.metrics = metrics
        self.operatorKey = operatorKey
        registrations = AddressLimit(perMinute: shard.surroundings.limits.registrationsPerMinute)
    }

    func handle(_ request: HTTPRequest, _ exchange: any Exchange) {
        surroundings.counters.requests.add(1)
        let head = request.head
        let path = head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if let echoPath, head.path == echoPath { return echo(head, exchange) }
        switch (path.first, path.count) {
        case ("api", _): api(Array(path.dropFirst()), request, exchange)
        case ("ws", 2) where path[1] == "lobby": enterLobby(head, exchange)
        case ("ws", 3) where path[1] == "rooms": enter(path[2], head, exchange)
        case ("healthz", 1): get(head, exchange) { self.plain("ok\n", exchange) }
        case ("readyz", 1): get(head, exchange) { self.readiness(exchange) }
        case ("metrics", 1): get(head, exchange) { self.plain(self.metrics.text, exchange) }
        default:
            guard let response = files.response(head) else {
                return exchange.respond(.refused(404, Rejection("not-found", "There is nothing at this address.")))
            }
            get(head, exchange) { exchange.respond(response) }
        }
    }

    private func api(_ path: [String], _ request: HTTPRequest, _ exchange: any Exchange) {
        let head = request.head
        switch (path.first, path.count) {
        case ("rooms", 1):
            if head.method == "POST" { return openRoom(request, exchange) }
            guard head.method == "GET" || head.method == "HEAD" else { return notAllowed("GET, HEAD, POST", exchange) }
            listRooms(exchange)
        case ("rooms", 2): get(head, exchange) { self.describe(path[1], exchange) }
        case ("rooms", 3) where path[2] == "log": get(head, exchange) { self.download(path[1], head, exchange) }
        case ("leaderboard", 1): get(head, exchange) { self.leaderboard(head, exchange) }
        case ("players", 1):
            guard head.method == "POST" else { return notAllowed("POST", exchange) }
            register(request, exchange)
        case ("players", 2...):
            guard head.method == "DELETE" else { return notAllowed("DELETE", exchange) }
            // A name may have a slash in it.
            forget(path.dropFirst().joined(separator: "/"), request, exchange)
        default: exchange.respond(.refused(404, Rejection("not-found", "There is nothing at this address.")))
        }
    }

    private func get(_ head: RequestHead, _ exchange: any Exchange, _ answer: () -> Void) {
        guard head.method == "GET" || head.method == "HEAD" else { return notAllowed("GET, HEAD", exchange) }
        answer()
    }

    private func notAllowed(_ methods: String, _ exchange: any Exchange) {
        exchange.respond(
            .refused(
                405, Rejection("method-not-allowed", "Here only these methods can be used: \(methods)."),
                headers: ["Allow": methods]))
    }

    // MARK: The hub itself

    private func plain(_ text: String, _ exchange: any Exchange) {
        exchange.respond(
            HTTPResponse(
                status: 200, headers: HeaderFields().typed("text/plain; version=0.0.4; charset=utf-8"),
                body: Array(text.utf8)))
    }

    private func readiness(_ exchange: any Exchange) {
        if shard.isDraining {
            exchange.respond(.refused(503, Rejection("draining", "The hub is about to stop.")))
        } else if surroundings.isLogDown {
            exchange.respond(.refused(503, .logUnavailable))
        } else {
            plain("ready\n", exchange)
        }
    }

    // MARK: WebSockets

    private func enter(_ code: String, _ head: RequestHead, _ exchange: any Exchange) {
        let acceptance: Acceptance
        do throws(HandshakeRefusal) {
            acceptance = try OpeningHandshake.accept(head, subprotocols: [Self.subprotocol])
        } catch { return exchange.respond(error.response) }
        guard mayFail(exchange) else { return }
        shard.ask(.exists, about: code) { [self] reply in
            guard reply == .exists else { return missing(reply, exchange) }
            let owner = shardIndex(ofRoom: code, count: shard.shards.count)
            exchange.upgrade(acceptance, limits: MessageLimits(), to: owner, for: .room(code: code))
        }
    }

    private func enterLobby(_ head: RequestHead, _ exchange: any Exchange) {
        do throws(HandshakeRefusal) {
            let acceptance = try OpeningHandshake.accept(head, subprotocols: [Self.subprotocol])
            exchange.upgrade(acceptance, limits: MessageLimits(), to: 0, for: .lobby)
        } catch { exchange.respond(error.response) }
    }

    private func echo(_ head: RequestHead, _ exchange: any Exchange) {
        do throws(HandshakeRefusal) {
            let acceptance = try OpeningHandshake.accept(head, subprotocols: [])
            exchange.upgrade(acceptance, limits: .echo, to: shard.index, for: .echo)
        } catch { exchange.respond(error.response) }
    }

    // MARK: What several routes share

    /// The answer where a room cannot be had.
    func missing(_ reply: RoomReply, _ exchange: any Exchange) {
        switch reply {
        case .broken:
            exchange.respond(.refused(503, Rejection("room-broken", "The log of this room cannot be read.")))
        case .unread: exchange.respond(.refused(503, .logUnavailable))
        case .tooMany:
            exchange.respond(.refused(503, Rejection("busy", "The hub has too much to do just now: try again.")))
        default:
            shard.failures.count(exchange.address, now: surroundings.now)
            exchange.respond(.refused(404, Rejection("no-such-room", "There is no room with this code.")))
        }
    }

    /// False, and answered, where this address has tried too many wrong codes or tokens.
    func mayFail(_ exchange: any Exchange) -> Bool {
        guard shard.failures.isOver(exchange.address, now: surroundings.now) else { return true }
        exchange.respond(
            .refused(
                429, Rejection("too-many-failures", "Too many wrong codes or tokens from your address: wait a minute."),
                headers: ["Retry-After": "60"]))
        return false
    }

    func mayRegister(_ exchange: any Exchange) -> Bool {
        guard registrations.isOver(exchange.address, now: surroundings.now) else {
            registrations.count(exchange.address, now: surroundings.now)
            return true
        }
        exchange.respond(
            .refused(
                429, Rejection("too-many-players", "Too many new players from your address: wait a minute."),
                headers: ["Retry-After": "60"]))
        return false
    }

    /// The body as a JSON object; nil, and answered, where it is none.
    func object(_ request: HTTPRequest, _ exchange: any Exchange) -> Fields? {
        do throws(JSONViolation) {
            if let fields = try JSONReader.read(request.body).object { return fields }
            exchange.respond(.refused(400, Rejection("bad-json", "The body must be one JSON object.")))
        } catch { exchange.respond(.refused(400, Rejection("bad-json", error.sentence))) }
        return nil
    }

    /// Calls `then` with the player whose token the request bears; answers 401 otherwise.
    func authenticated(_ request: HTTPRequest, _ exchange: any Exchange, then: @escaping (PlayerRow) -> Void) {
        guard mayFail(exchange) else { return }
        guard let token = token(of: request) else { return unauthorized(exchange) }
        let lookup = OneAnswer(surroundings) { [self] message in
            guard case .players(_, .success(let rows)) = message else {
                return exchange.respond(.refused(503, .logUnavailable))
            }
            guard let player = rows.first else { return unauthorized(exchange) }
            then(player)
        }
        surroundings.projections.player(tokenHash: token.hash, ticket: lookup.ticket, answer: surroundings.inbox)
    }

    /// Whoever runs the hub names anyone, a player called `me` too; players name themselves by their token alone.
    private func forget(_ name: String, _ request: HTTPRequest, _ exchange: any Exchange) {
        // Before what others have failed at from this address, a proxy's perhaps: nobody guesses this token.
        if let token = token(of: request), operatorKey.opens(for: token) { return forgetPlayer(named: name, exchange) }
        guard mayFail(exchange) else { return }
        if name == "me" {
            forgetCaller(request, exchange)
        } else {
            unauthorized(exchange, as: "the hub's operator")
        }
    }

    private func token(of request: HTTPRequest) -> PlayerToken? {
        let words = request.head.headers["Authorization"]?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return PlayerToken(String(words[1]))
    }

    private func unauthorized(_ exchange: any Exchange, as bearer: String = "a player") {
        shard.failures.count(exchange.address, now: surroundings.now)
        exchange.respond(
            .refused(
                401,
                Rejection("unknown-token", "This needs `Authorization: Bearer <token>` with the token of \(bearer)."),
                headers: ["WWW-Authenticate": "Bearer"]))
    }
}

extension MessageLimits {
    /// As much as the largest case of the Autobahn suite, and some.
    static let echo = MessageLimits(frameBytes: 64 << 20, messageBytes: 64 << 20)
}
