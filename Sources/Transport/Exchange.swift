import Cryptography
import Threads
import WebProtocols

/// The HTTP of a connection: one request at a time, each after the previous answer (RFC 9112 section 9.3.2).
final class Exchange {
    /// The trusted proxy that sends the requests of a connection.
    struct Proxy {
        let peer: Peer
        /// The connection's first bytes, while they may still be a PROXY header.
        var header: [UInt8]? = []
    }

    private var decoder: RequestDecoder
    /// The current request: complete but not answered yet.
    private var head: RequestHead?
    private var framing: StreamFraming?
    /// Whether the connection continues after the current answer.
    var keepsAlive = true
    private var hasAnswered = false
    /// A TLS client has sent something.
    private var sawRecords = false
    /// Sent in reply to every request except those that are answered past limits too.
    private var refusal: Admission.Refusal?
    /// Nil if a client sends the requests.
    private(set) var proxy: Proxy?
    /// When the timed step began: a handshake, a wait for a request, the last bytes.
    var began: Milliseconds = 0
    /// When the connection was accepted, by the steady clock.
    private let accepted: Nanoseconds

    init(limits: HTTPLimits, accepted: Nanoseconds, refusal: Admission.Refusal?, proxy: Peer?) {
        decoder = RequestDecoder(limits: limits)
        self.accepted = accepted
        self.refusal = refusal
        self.proxy = proxy.map { Proxy(peer: $0) }
    }

    var isWaiting: Bool { head == nil }

    // MARK: Requests

    /// Takes the requests in `bytes`, until one has to be answered first.
    func takeRequests(_ bytes: RawSpan, _ offset: inout Int, on connection: Connection) {
        while offset < bytes.byteCount, connection.canUseInput {
            let wasIdle = decoder.isIdle
            let request: HTTPRequest?
            do throws(HTTPViolation) {
                request = try decoder.next(bytes, at: &offset)
            } catch {
                if let limit = error.limit { connection.loop.counters.limits.add(limit) }
                // Started and refused at once; the time before it does not count.
                if wasIdle { connection.startPhase(.request) }
                return refuse(error.response, on: connection)
            }
            guard let request else {
                if decoder.expectsContinue {
                    decoder.didContinue()
                    connection.enqueue(HTTPResponse.continueSending)
                }
                // Its time counts from its first byte.
                if wasIdle, !decoder.isIdle, connection.phase == .request { connection.startPhase(.request) }
                return
            }
            deliver(request, on: connection)
        }
    }

    private func deliver(_ request: HTTPRequest, on connection: Connection) {
        let loop = connection.loop
        head = request.head
        if let proxy { connection.peer = proxy.peer.client(of: request.head, trusting: loop.options.trustedProxies) }
        if let refusal, !loop.service.isAnsweredPastLimits(request.head) {
            return refuse(refusal.response, on: connection)
        }
        connection.isKnown = true
        loop.service.requestArrived(request, on: connection)
    }

    /// Answers bytes that are no request, or a request that will not be served. The connection ends, since the start of
    /// the next request is unknown.
    private func refuse(_ response: HTTPResponse, on connection: Connection) {
        let response = withCommonFields(response, on: connection)
        connection.enqueue(response.encode(for: head, keepsAlive: false))
        // On a proxy's connection the head names the client. Without one `peer` is still the previous request's.
        let asker = head == nil ? proxy?.peer ?? connection.peer : connection.peer
        connection.loop.service.inputRefused(
            head, by: response, from: asker, after: .milliseconds(connection.loop.now - began))
        connection.linger()
    }

    // MARK: Answers

    func respond(_ response: HTTPResponse, on connection: Connection) {
        let head = startAnswer(on: connection)
        let pieces = withCommonFields(response, on: connection).pieces(for: head, keepsAlive: keepsAlive)
        connection.enqueue(pieces.head)
        if connection.phase == .request { connection.enqueue(pieces.body) }
        finishAnswer(on: connection)
    }

    /// Sends the head of `response`; the body follows in pieces.
    func startBody(of response: HTTPResponse, on connection: Connection) {
        let framing = StreamFraming(for: startAnswer(on: connection))
        if framing == .untilEnd { keepsAlive = false }
        self.framing = framing
        let response = withCommonFields(response, on: connection)
        connection.enqueue(response.encodeHead(framing: framing, keepsAlive: keepsAlive))
    }

    func sendBody(_ bytes: [UInt8], on connection: Connection) {
        if let framing { connection.enqueue(framing.piece(bytes)) }
    }

    func endBody(on connection: Connection) {
        guard let framing else { return }
        connection.enqueue(framing.end)
        finishAnswer(on: connection)
    }

    /// Answers the current request with `response`, and has the connection leave its loop. If a proxy's client has too
    /// many connections, it is refused instead, and that answer is returned.
    func accept(_ departure: Departure, with response: [UInt8]) -> HTTPResponse? {
        let connection = departure.connection
        if let refusal = countClient(of: connection) {
            respond(refusal.response, on: connection)
            return refusal.response
        }
        _ = startAnswer(on: connection)
        head = nil
        // The time is meaningless for a connection that has answered a request before.
        if !hasAnswered { recordHandshake(.upgrade(isTLS: connection.stream.tls != nil), on: connection.loop) }
        connection.stream.enqueue(response, on: connection.loop)
        connection.isKnown = false
        connection.phase = .moved
        connection.loop.work.leaving.append(departure)
        return nil
    }

    private func withCommonFields(_ response: HTTPResponse, on connection: Connection) -> HTTPResponse {
        var response = response
        if response.headers["Date"] == nil { response.headers.append("Date", connection.loop.date) }
        // Not allowed over plain HTTP (RFC 6797 section 7.2), where anyone on the path could have written it.
        if connection.stream.tls != nil, let seconds = connection.loop.options.transportSecuritySeconds {
            response.headers.append("Strict-Transport-Security", "max-age=\(seconds)")
        }
        return response
    }

    private func startAnswer(on connection: Connection) -> RequestHead {
        guard let head, framing == nil else { preconditionFailure("a request is answered once") }
        // Requests that came before the peer ended its side are answered too.
        let isLast = connection.stream.inputEnded && !connection.hasUnread
        keepsAlive = head.keepsAlive && !connection.loop.isStopping && !isLast && refusal == nil
        return head
    }

    private func finishAnswer(on connection: Connection) {
        guard connection.phase == .request else { return }
        head = nil
        framing = nil
        hasAnswered = true
        guard keepsAlive, !connection.loop.isStopping else { return connection.linger() }
        connection.startPhase(.request)
        connection.loop.resumeIfPossible(connection)
    }

    // MARK: Time

    /// When the wait for a request is over.
    func deadline(_ times: TimeLimits) -> Milliseconds {
        guard isWaiting else { return .max }
        return began + (hasAnswered && decoder.isIdle ? times.keepAlive : times.head)
    }

    func timedOut(on connection: Connection) {
        // Silence between two requests breaks no limit.
        if !decoder.isIdle || !hasAnswered { connection.loop.counters.limits.add(.headTime) }
        guard !decoder.isIdle else { return connection.cut() }
        refuse(
            .problem(status: 408, code: "request-timeout", sentence: "The request took too long to arrive."),
            on: connection)
    }

    // MARK: Before requests

    /// Takes bytes as they came from the socket. The first may be a PROXY header, or HTTP on a TLS port.
    func takeInput(_ bytes: inout MutableRawSpan, on connection: Connection) {
        if proxy?.header != nil { return readProxyHeader(bytes.bytes, on: connection) }
        if connection.stream.isConnecting, !sawRecords {
            sawRecords = true
            if isLetter(bytes.bytes.byte(at: 0)) { return refusePlainHTTP(on: connection) }
        }
        connection.decryptInput(&bytes)
    }

    /// The client speaks HTTP on a TLS port. The answer is HTTP too, since an alert would mean nothing to it.
    private func refusePlainHTTP(on connection: Connection) {
        connection.stream.tls = nil
        connection.stream.isConnecting = false
        refuse(
            .problem(status: 400, code: "tls-required", sentence: "This port speaks TLS. Use https or wss."),
            on: connection)
    }

    func recordHandshake(of tls: TLSSession, on loop: Loop) {
        if let version = TLSVersion(rawValue: tls.version) { recordHandshake(.tls(version), on: loop) }
    }

    private func recordHandshake(_ kind: FinishedHandshake.Kind, on loop: Loop) {
        loop.handshakes.append(FinishedHandshake(kind: kind, began: accepted))
    }

    /// Reads the first bytes, which may be a PROXY header. Without one they belong to the current phase.
    private func readProxyHeader(_ bytes: RawSpan, on connection: Connection) {
        guard var first = proxy?.header else { return }
        first.append(bytes)
        do throws(ProxyHeaderViolation) {
            switch try ProxyHeader.read(first.span.bytes, limit: connection.loop.options.httpLimits.headBytes) {
            case .partial:
                proxy?.header = first
                return
            case .absent: break
            case .whole(let header):
                first.removeFirst(header.byteCount)
                if let client = header.client { attribute(connection, to: client) }
            }
        } catch {
            connection.loop.service.proxyRefused(error, from: connection.peer)
            return connection.cut()
        }
        proxy?.header = nil
        guard connection.phase != .ended, !first.isEmpty else { return }
        var span = first.mutableSpan
        var rest = span.mutableBytes
        takeInput(&rest, on: connection)
    }

    /// The connection belongs to `client`. If that is another proxy, its requests name their clients.
    private func attribute(_ connection: Connection, to client: IPAddress) {
        let isProxy = connection.loop.options.trustedProxies.contains(client)
        let peer = connection.peer
        connection.peer = Peer(address: client, isTLS: peer.isTLS, isLimited: !isProxy, door: peer.door)
        if isProxy { return proxy = Proxy(peer: connection.peer) }
        proxy = nil
        var answer = connection.loop.shared.admission.enter(clientOfProxy: connection.peer)
        if let exceeded = answer.refusal { connection.loop.count(exceeded, of: connection.peer) }
        guard let place = answer.place.take() else { return connection.cut() }
        connection.madeRare.place = Admission.ClientPlace(place)
        refusal = refusal ?? answer.refusal
    }

    /// From an upgrade on, a proxy's connection counts for one client. Returns the limit that refuses it, or nil.
    private func countClient(of connection: Connection) -> Admission.Refusal? {
        guard proxy != nil, connection.peer.isLimited else { return nil }
        var answer = connection.loop.shared.admission.enter(clientOfProxy: connection.peer)
        if let exceeded = answer.refusal {
            connection.loop.count(exceeded, of: connection.peer)
        } else if let place = answer.place.take() {
            connection.madeRare.place = Admission.ClientPlace(place)
        }
        return answer.refusal
    }
}

private func isLetter(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }

extension HTTPViolation {
    /// The limit that it counts for; nil if it exceeds none.
    fileprivate var limit: TransportLimit? {
        switch self {
        case .headTooLong, .tooManyFields, .methodTooLong, .targetTooLong: .headSize
        case .bodyTooLong: .bodySize
        default: nil
        }
    }
}

extension Admission.Refusal {
    /// The answer to every request of such a connection.
    var response: HTTPResponse {
        switch self {
        case .tooMany:
            .problem(
                status: 503, code: "too-many-connections",
                sentence: "The server has too many connections. Try again later.")
        case .tooManyFromAddress:
            .problem(
                status: 429, code: "too-many-connections-from-address",
                sentence: "Your address has too many connections open.")
        }
    }
}
