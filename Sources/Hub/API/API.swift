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

    var surroundings: RoomSurroundings { shard.surroundings }
    var readModels: ReadModels { surroundings.readModels }

    init(shard: Shard, files: StaticFiles, echoPath: String?, metrics: Metrics, operatorKey: OperatorKey) {
        self.shard = shard
        self.files = files
        self.echoPath = echoPath
        self.metrics = metrics
        self.operatorKey = operatorKey
    }

    func handle(_ request: HTTPRequest, _ writer: any ResponseWriter) {
        surroundings.counters.requests.add(1)
        let address = writer.address
        Future.value(request).then { [self] request throws(RequestError) in try route(request, from: address) }
            .begin { [self] answer in
                switch answer {
                case .success(.response(let response)): writer.respond(response)
                case .success(.upgrade(let acceptance, let limits, let shard, let purpose)):
                    writer.upgrade(acceptance, limits: limits, to: shard, for: purpose)
                case .success(.log(let code, let after)): send(logOf: code, after: after, for: request.head, writer)
                case .failure(let error): writer.respond(error.response)
                }
            }
    }

    private func route(_ request: HTTPRequest, from address: String) throws(RequestError) -> Future<Answer> {
        let head = request.head
        let path = head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if let echoPath, head.path == echoPath { return .value(try echo(head)) }
        switch (path.first, path.count) {
        case ("api", 4) where path[1] == "rooms" && path[3] == "log":
            return try download(path[2], head, from: address)
        case ("api", _): return try api(Array(path.dropFirst()), request, from: address).map { .response($0) }
        case ("ws", 2) where path[1] == "lobby": return .value(try enterLobby(head))
        case ("ws", 3) where path[1] == "rooms": return try enter(path[2], head, from: address)
        default: return .value(.response(try page(path, head)))
        }
    }

    private func api(
        _ path: [String], _ request: HTTPRequest, from address: String
    ) throws(RequestError) -> Future<HTTPResponse> {
        let head = request.head
        switch (path.first, path.count) {
        case ("rooms", 1):
            try allow("GET", "HEAD", "POST", head: head)
            return head.method == "POST" ? openRoom(request, from: address) : listRooms()
        case ("rooms", 2):
            try allow("GET", "HEAD", head: head)
            return describe(path[1], from: address)
        case ("leaderboard", 1):
            try allow("GET", "HEAD", head: head)
            return try leaderboard(head)
        case ("players", _): return try players(Array(path.dropFirst()), request, from: address)
        default: throw RequestError(404, Rejection("not-found", "There is nothing at this address."))
        }
    }

    /// What needs nothing but this loop: the client's files and the hub itself.
    private func page(_ path: [String], _ head: RequestHead) throws(RequestError) -> HTTPResponse {
        let answer: () throws(RequestError) -> HTTPResponse
        switch path {
        case ["healthz"]: answer = { .plain("ok\n") }
        case ["readyz"]: answer = readiness
        case ["metrics"]: answer = { [metrics] in .plain(metrics.text) }
        default:
            guard let response = files.response(head) else { return try nothing(at: head) }
            answer = { response }
        }
        try allow("GET", "HEAD", head: head)
        return try answer()
    }

    /// A page for who opened the address in a browser, a problem for a program.
    private func nothing(at head: RequestHead) throws(RequestError) -> HTTPResponse {
        let isRead = head.method == "GET" || head.method == "HEAD"
        if isRead, head.asksForPage, let page = files.nothingHere(head) { return page }
        throw RequestError(
            404, Rejection("not-found", "There is nothing at this address."), headers: ["Vary": "Accept"])
    }

    func allow(_ methods: String..., head: RequestHead) throws(RequestError) {
        guard !methods.contains(head.method) else { return }
        let list = methods.joined(separator: ", ")
        throw RequestError(
            405, Rejection("method-not-allowed", "Here only these methods can be used: \(list)."),
            headers: ["Allow": list])
    }

    private func readiness() throws(RequestError) -> HTTPResponse {
        if shard.isDraining { throw RequestError(503, Rejection("draining", "The hub is about to stop.")) }
        if surroundings.isLogDown { throw .logUnavailable }
        return .plain("ready\n")
    }

    // MARK: WebSockets

    private func enter(
        _ code: String, _ head: RequestHead, from address: String
    ) throws(RequestError) -> Future<Answer> {
        let acceptance = try accept(head)
        let owner = shardIndex(ofRoom: code, count: shard.shards.count)
        return ask(.exists, about: code, from: address)
            .map { _ in .upgrade(acceptance, MessageLimits(), to: owner, for: .room(code: code)) }
    }

    private func enterLobby(_ head: RequestHead) throws(RequestError) -> Answer {
        .upgrade(try accept(head), MessageLimits(), to: 0, for: .lobby)
    }

    private func echo(_ head: RequestHead) throws(RequestError) -> Answer {
        .upgrade(try accept(head, subprotocols: []), .echo, to: shard.index, for: .echo)
    }

    private func accept(
        _ head: RequestHead, subprotocols: [String] = [API.subprotocol]
    ) throws(RequestError) -> Acceptance {
        do throws(HandshakeRefusal) {
            return try OpeningHandshake.accept(head, subprotocols: subprotocols)
        } catch { throw RequestError(error.response) }
    }

    // MARK: What several routes share

    /// What the shard of room `code` answers, if the room can be had.
    func ask(_ question: RoomQuestion, about code: String, from address: String) -> Future<RoomReply> {
        Future { [shard] done in shard.calls.ask(question, about: code) { done(.success($0)) } }
            .map { [self] reply throws(RequestError) in
                switch reply {
                case .exists, .description, .row: return reply
                case .broken: throw RequestError(503, Rejection("room-broken", "The log of this room cannot be read."))
                case .unread: throw .logUnavailable
                case .tooMany:
                    throw RequestError(503, Rejection("busy", "The hub has too much to do just now: try again."))
                case .absent:
                    throw failure(404, Rejection("no-such-room", "There is no room with this code."), from: address)
                }
            }
    }

    /// A wrong code or token: past the limit of its address it is 429. What is right is never asked about that limit.
    func failure(
        _ status: Int, _ rejection: Rejection, from address: String, headers: HeaderFields = [:]
    ) -> RequestError {
        let count = surroundings.addressLimits.failures.count(address, now: surroundings.now)
        guard case .pastLimit(let wait) = count else { return RequestError(status, rejection, headers: headers) }
        return RequestError(
            429,
            Rejection("too-many-failures", "Too many wrong codes or tokens from your address: wait a minute."),
            headers: ["Retry-After": String(wait)])
    }

    /// The body as a JSON object.
    func object(_ request: HTTPRequest) throws(RequestError) -> Fields {
        do throws(JSONViolation) {
            if let fields = try JSONReader.read(request.body).object { return fields }
        } catch { throw RequestError(400, Rejection("bad-json", error.sentence)) }
        throw RequestError(400, Rejection("bad-json", "The body must be one JSON object."))
    }

    /// The account of whoever's token the request bears.
    func caller(_ request: HTTPRequest, from address: String) -> Future<Account> {
        let unknown = { [self] in unauthorized(from: address, as: "a player") }
        guard let token = token(of: request) else { return Future { $0(.failure(unknown())) } }
        return account(.token(hash: token.hash)).map { account throws(RequestError) in
            guard let account else { throw unknown() }
            return account
        }
    }

    func account(_ key: AccountReader.Key) -> Future<Account?> {
        Future.reading { [shard] in shard.accounts.find(key, then: $0) }
    }

    func isOperators(_ request: HTTPRequest) -> Bool { token(of: request).map { operatorKey.opens(for: $0) } ?? false }

    func token(of request: HTTPRequest) -> PlayerToken? {
        let words = request.head.headers["Authorization"]?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return PlayerToken(String(words[1]))
    }

    func unauthorized(from address: String, as bearer: String) -> RequestError {
        let rejection = Rejection(
            "unknown-token", "This needs `Authorization: Bearer <token>` with the token of \(bearer).")
        return failure(401, rejection, from: address, headers: ["WWW-Authenticate": "Bearer"])
    }
}

/// How a request is answered.
enum Answer {
    case response(HTTPResponse)
    case upgrade(Acceptance, MessageLimits, to: Int, for: WebSocketPurpose)
    /// The log of a room behind a version, in parts.
    case log(code: String, after: Int)
}

extension MessageLimits {
    /// As much as the largest case of the Autobahn suite, and some.
    static let echo = MessageLimits(frameBytes: 64 << 20, messageBytes: 64 << 20)
}
