import EventStore
import Games
import JSON
import Rooms
import Transport
import WebProtocols

/// The hub over HTTP/1.1: the client's files, rooms, players, the state of the hub, and the upgrades to WebSockets.
/// Each shard has one, on its loop.
final class API {
    static let listLimit = 200
    /// Names the log that a client's token belongs to.
    static let logField = "X-Flipside-Log"
    /// Carries the token when `Authorization` belongs to a proxy.
    static let tokenField = "X-Flipside-Token"

    let shard: Shard
    let files: StaticFiles
    let options: HubOptions
    private let metrics: Metrics
    private let operatorKey: OperatorKey
    /// False if this node has not joined the others yet, or has left them.
    var isServing = true

    /// The previews of pages that show no room, by language.
    var homes: [String: Preview] = [:]

    var surroundings: RoomSurroundings { shard.surroundings }
    var readModels: ReadModels { shard.readModels }

    init(shard: Shard, files: StaticFiles, options: HubOptions, metrics: Metrics, operatorKey: OperatorKey) {
        self.shard = shard
        self.files = files
        self.options = options
        self.metrics = metrics
        self.operatorKey = operatorKey
    }

    func handle(_ request: HTTPRequest, _ writer: any ResponseWriter) {
        surroundings.counters.requests.add(1)
        do throws(RequestError) {
            try route(request, from: writer.peer).begin { [self] in finish($0, request.head, writer) }
        } catch { finish(.failure(error), request.head, writer) }
    }

    func finish(_ answer: Result<Answer, RequestError>, _ head: RequestHead, _ writer: any ResponseWriter) {
        switch answer {
        case .success(.response(let response)): writer.respond(named(response, head))
        case .success(.upgrade(let acceptance, let limits, let shard, let purpose)):
            writer.upgrade(acceptance, limits: limits, to: shard, for: purpose)
        case .success(.log(let code, let after)): send(logOf: code, after: after, for: head, writer)
        case .failure(let error):
            surroundings.counters.refusals.add(error.code)
            writer.respond(named(error.response, head))
        }
    }

    private func named(_ response: HTTPResponse, _ head: RequestHead) -> HTTPResponse {
        guard Route.parts(of: head.path).first == "api" else { return response }
        var response = response
        setAPIFields(in: &response.headers, for: head)
        return response
    }

    /// Sets the headers that all answers under `/api/` have.
    func setAPIFields(in headers: inout HeaderFields, for head: RequestHead) {
        if let log = surroundings.history.log { headers.set(Self.logField, log.id) }
        options.admitSite(of: head, to: &headers)
    }

    private func route(_ request: HTTPRequest, from peer: Peer) throws(RequestError) -> Future<Answer> {
        let head = request.head
        let isOperators = peer.door == .operators
        if !options.hostNames.isEmpty, !isOperators { try options.checkHost(of: head) }
        if case .redirect(let port) = peer.door {
            return .value(.response(try options.redirect(head, toPort: Int(port))))
        }
        if let echoPath = options.echoPath, head.path == echoPath, !isOperators { return .value(try echo(head)) }
        guard Route.Method.known.contains(head.method) else { throw unknownMethod(head.method) }
        let path = Route.parts(of: head.path)
        if !isServing, ["api", "ws"].contains(path.first) { throw .nodeAway }
        if path.first == "api", !isOperators {
            if let preflight = options.preflight(head) { return .value(.response(preflight)) }
            // A form, or a script that cannot read the answer, may belong to any site.
            if !["GET", "HEAD"].contains(head.method) { try options.checkOrigin(of: head) }
        }
        let matching = Route.all.compactMap { route in
            route.doors.contains(peer.door) ? route.parameter(in: path).map { (route: route, parameter: $0) } : nil
        }
        guard !matching.isEmpty else {
            if isOperators { throw RequestError(404, .nothingHere) }
            return .value(.response(try file(head, isAPI: path.first == "api")))
        }
        guard let chosen = matching.first(where: { $0.route.takes(head.method) }) else {
            throw notAllowed(methods: matching.flatMap(\.route.method.names))
        }
        let routed = RoutedRequest(head: head, body: request.body, peer: peer, parameter: chosen.parameter)
        return try chosen.route.answer(self)(routed)
    }

    func notAllowed(methods: [String]) -> RequestError {
        let list = methods.enumerated().filter { !methods[..<$0].contains($1) }.map(\.element).joined(separator: ", ")
        return RequestError(
            405, Rejection("method-not-allowed", "Only these methods are allowed here: \(list)."),
            headers: ["Allow": list])
    }

    /// RFC 9110 section 9.1.
    private func unknownMethod(_ name: String) -> RequestError {
        RequestError(501, Rejection("unsupported-method", "\(name) is not supported here."))
    }

    // MARK: The hub itself

    /// `GET /healthz`.
    func showHealth(_ request: RoutedRequest) -> Future<HTTPResponse> { .value(.plain("ok\n")) }

    /// `GET /readyz`.
    func showReadiness(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        if shard.isDraining { throw RequestError(503, Rejection("draining", "The hub is about to stop.")) }
        if !isServing { throw .nodeAway }
        if !surroundings.isReadyToPlay { throw .logUnavailable }
        let note =
            metrics.areReadModelsWhole ? "" : "the read models are being built from the log, so lists are incomplete\n"
        return .value(.plain("ready\n" + note))
    }

    /// `GET /metrics`.
    func showMetrics(_ request: RoutedRequest) -> Future<HTTPResponse> { .value(.plain(metrics.text)) }

    // MARK: Shared by several routes

    /// Asks about room `code`. Fails if there is no such room or it cannot be read.
    func ask(_ question: RoomQuestion, about code: String, from peer: Peer) -> Future<RoomReply> {
        Future { [shard] done in shard.calls.ask(question, about: code) { done(.success($0)) } }
            .map { [self] reply throws(RequestError) in
                switch reply {
                case .exists, .description, .row: return reply
                case .broken: throw .roomBroken
                case .unread: throw .logUnavailable
                case .busy: throw RequestError(503, .hubBusy)
                case .absent:
                    throw failure(404, Rejection("no-such-room", "There is no room with this code."), from: peer)
                }
            }
    }

    /// The answer to a wrong code or token: 429 once its address is past the limit. Right ones are not counted.
    func failure(
        _ status: Int, _ rejection: Rejection, from peer: Peer, headers: HeaderFields = [:]
    ) -> RequestError {
        let count = surroundings.addressLimits.failures.count(peer, now: surroundings.now)
        guard case .pastLimit(let wait) = count else { return RequestError(status, rejection, headers: headers) }
        surroundings.hit(.failuresPerMinute, by: peer)
        return RequestError(
            429,
            Rejection("too-many-failures", "Too many wrong codes or tokens from your address. Wait a minute."),
            headers: ["Retry-After": String(wait)])
    }

    /// Types that a body may have. Programs that are not given a type, such as curl, send it as a form.
    private static let bodyTypes: Set = ["application/json", "application/x-www-form-urlencoded"]

    /// The body as a JSON object, for routes that need no token. A page of another site could only send it with another
    /// type, unless its browser asks first.
    func claimedObject(_ request: RoutedRequest) throws(RequestError) -> Fields {
        let type = request.head.headers["Content-Type"]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        guard type.map(Self.bodyTypes.contains) ?? true else {
            throw RequestError(
                415, Rejection("unsupported-media-type", "The body must be JSON: `Content-Type: application/json`."))
        }
        return try object(request)
    }

    /// The body as a JSON object.
    func object(_ request: RoutedRequest) throws(RequestError) -> Fields {
        do throws(JSONViolation) {
            let value = try JSONReader.read(request.body, valueLimit: JSONReader.clientValueLimit)
            if let fields = value.object { return fields }
        } catch {
            if error.isTooMuch { surroundings.counters.hit(.values) }
            throw RequestError(400, Rejection("bad-json", error.sentence))
        }
        throw RequestError(400, Rejection("bad-json", "The body must be one JSON object."))
    }

    /// The account of the request's token.
    func caller(_ request: RoutedRequest) -> Future<Account> {
        let unknown = { [self] in unauthorized(request, as: "a player") }
        guard let token = token(of: request.head) else { return Future { $0(.failure(unknown())) } }
        return account(.token(hash: token.hash)).map { account throws(RequestError) in
            guard let account else { throw unknown() }
            return account
        }
    }

    func account(_ key: AccountReader.Key) -> Future<Account?> {
        Future.reading { [shard] in shard.accounts.find(key, then: $0) }
    }

    func isOperators(_ head: RequestHead) -> Bool { token(of: head).map { operatorKey.opens(for: $0) } ?? false }

    /// The hub's own header has priority, since a proxy may have put its own `Bearer` into `Authorization`.
    func token(of head: RequestHead) -> PlayerToken? {
        if let own = head.headers[Self.tokenField] { return PlayerToken(own) }
        guard let credentials = Credentials(head), credentials.isBearer else { return nil }
        return credentials.words.count == 2 ? PlayerToken(String(credentials.words[1])) : nil
    }

    /// 403 if `Authorization` may belong to a proxy. After any 401 Chromium forgets the password that its user gave to
    /// the proxy.
    func unauthorized(_ request: RoutedRequest, as bearer: String) -> RequestError {
        let rejection = Rejection(
            "unknown-token",
            "This needs the token of \(bearer), in `Authorization: Bearer <token>` or `\(Self.tokenField): <token>`.")
        let head = request.head
        let isProxys = head.headers[Self.tokenField] != nil || Credentials(head)?.isBearer == false
        if isProxys { return failure(403, rejection, from: request.peer) }
        return failure(401, rejection, from: request.peer, headers: ["WWW-Authenticate": "Bearer"])
    }
}

/// The value of `Authorization`.
private struct Credentials {
    let words: [Substring]

    /// Nil if the request has no such header.
    init?(_ head: RequestHead) {
        guard let value = head.headers["Authorization"] else { return nil }
        words = value.split(separator: " ")
    }

    var isBearer: Bool { words.first?.lowercased() == "bearer" }
}
