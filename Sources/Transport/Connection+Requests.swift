import Threads
import WebProtocols

/// The state of a connection while it speaks HTTP.
final class Exchange {
    var decoder: RequestDecoder
    /// The current request: complete but not answered yet.
    var head: RequestHead?
    /// Set while an answer is sent in pieces.
    var framing: StreamFraming?
    /// Whether the connection continues after the current answer.
    var keepsAlive = true
    var hasAnswered = false
    /// Sent in reply to every request except those that are answered past limits too.
    var refusal: Admission.Refusal?
    /// The trusted proxy that sends the requests; nil if a client does.
    var proxy: Peer?
    /// A trusted proxy's first bytes, while they may still be a PROXY header.
    var proxyHeaderBytes: [UInt8]?
    /// When the connection was accepted, by the steady clock.
    let accepted: Nanoseconds

    init(limits: HTTPLimits, accepted: Nanoseconds, refusal: Admission.Refusal?, proxy: Peer?) {
        decoder = RequestDecoder(limits: limits)
        self.accepted = accepted
        self.refusal = refusal
        self.proxy = proxy
        proxyHeaderBytes = proxy.map { _ in [] }
    }

    /// Whether the next request may be taken.
    var isWaiting: Bool { head == nil }
}

extension Connection {
    /// Answers the current request. Dropped if the client is gone.
    public func respond(_ response: HTTPResponse) {
        guard let (exchange, head) = beginAnswer() else { return }
        var response = response
        addCommonFields(to: &response.headers)
        let pieces = response.pieces(for: head, keepsAlive: exchange.keepsAlive)
        enqueue(pieces.head)
        if phase == .request { enqueue(pieces.body) }
        endAnswer(exchange)
    }

    /// Starts an answer whose body is sent in pieces with `sendBody`. Dropped if the client is gone.
    public func beginResponse(status: Int, headers: HeaderFields) {
        guard let (exchange, head) = beginAnswer() else { return }
        let framing = StreamFraming(for: head)
        if framing == .untilEnd { exchange.keepsAlive = false }
        exchange.framing = framing
        var response = HTTPResponse(status: status, headers: headers)
        addCommonFields(to: &response.headers)
        enqueue(response.encodeHead(framing: framing, keepsAlive: exchange.keepsAlive))
    }

    /// Sends the next piece. `queuedBytes` says how much still waits, and `drained` when to continue.
    public func sendBody(_ bytes: [UInt8]) {
        guard phase == .request, let framing = exchange?.framing else { return }
        enqueue(framing.piece(bytes))
    }

    /// Ends the body after its last piece.
    public func endResponse() {
        guard phase == .request, let exchange, let framing = exchange.framing else { return }
        enqueue(framing.end)
        endAnswer(exchange)
    }

    /// Answers the current request with `acceptance` and moves the connection to `loop`, this one or another, whose
    /// service gets `opened`. Descriptor, TLS session, bytes after the request and unsent bytes move along; after a
    /// move to another loop this object is done. If a proxy's client has too many connections, it is refused instead,
    /// and that answer is returned.
    @discardableResult
    public func upgrade(
        _ acceptance: Acceptance, limits: MessageLimits, to loop: LoopHandle, for purpose: any Sendable
    ) -> HTTPResponse? {
        if let refusal = countClient() {
            respond(refusal.response)
            return refusal.response
        }
        guard let (exchange, _) = beginAnswer() else { return nil }
        exchange.head = nil
        // The time is meaningless for a connection that has answered a request before.
        if !exchange.hasAnswered {
            self.loop.handshakes.append(
                FinishedHandshake(kind: .upgrade(isTLS: tls != nil), began: exchange.accepted))
        }
        flags.remove(.isKnown)
        queue = self.loop.pool.append(acceptance.response, to: queue)
        phase = .moved
        self.loop.leaving.append(
            Departure(
                connection: self, target: loop,
                upgrade: Upgrade(compression: acceptance.compression, limits: limits, purpose: purpose)))
        return nil
    }

    /// Adds the fields that every answer has.
    private func addCommonFields(to headers: inout HeaderFields) {
        if headers["Date"] == nil { headers.append("Date", loop.date) }
        // Not allowed over plain HTTP (RFC 6797 section 7.2), where anyone on the path could have written it.
        if tls != nil, let seconds = loop.options.transportSecuritySeconds {
            headers.append("Strict-Transport-Security", "max-age=\(seconds)")
        }
    }

    private func beginAnswer() -> (Exchange, RequestHead)? {
        guard phase == .request, let exchange else { return nil }
        guard let head = exchange.head, exchange.framing == nil else {
            preconditionFailure("a request is answered once")
        }
        // Requests that came before the peer ended its side are answered too.
        let isLast = flags.contains(.inputEnded) && !hasUnread
        exchange.keepsAlive = head.keepsAlive && !loop.isStopping && !isLast && exchange.refusal == nil
        return (exchange, head)
    }

    private func endAnswer(_ exchange: Exchange) {
        guard phase == .request else { return }
        exchange.head = nil
        exchange.framing = nil
        exchange.hasAnswered = true
        guard exchange.keepsAlive, !loop.isStopping else { return linger() }
        startPhase(.request)
        resumeIfPossible()
    }

    /// Takes one request at a time, each after the previous answer (RFC 9112 section 9.3.2).
    func takeRequests(_ bytes: RawSpan, _ offset: inout Int) {
        guard let exchange else { return }
        while offset < bytes.byteCount, canTake {
            let wasIdle = exchange.decoder.isIdle
            let request: HTTPRequest?
            do throws(HTTPViolation) {
                request = try exchange.decoder.next(bytes, at: &offset)
            } catch {
                if let limit = error.limit { loop.counters.limits.add(limit) }
                // Started and refused at once; the time before it does not count.
                if wasIdle { startPhase(.request) }
                return refuse(error.response)
            }
            guard let request else {
                if exchange.decoder.expectsContinue {
                    exchange.decoder.didContinue()
                    enqueue(HTTPResponse.continueSending)
                }
                // Its time counts from its first byte.
                if wasIdle, !exchange.decoder.isIdle, phase == .request { startPhase(.request) }
                return
            }
            exchange.head = request.head
            if let proxy = exchange.proxy {
                peer = proxy.client(of: request.head, trusting: loop.options.trustedProxies)
            }
            if let refusal = exchange.refusal, !loop.service.isAnsweredPastLimits(request.head) {
                return refuse(refusal.response)
            }
            flags.insert(.isKnown)
            loop.service.received(request, on: self)
        }
    }

    /// Answers bytes that are no request, or a request that will not be served. The connection ends, since the start of
    /// the next request is unknown.
    func refuse(_ response: HTTPResponse) {
        var response = response
        addCommonFields(to: &response.headers)
        enqueue(response.encode(for: exchange?.head, keepsAlive: false))
        // On a proxy's connection the head names the client. Without one `peer` is still the previous request's.
        let asker = exchange?.head == nil ? exchange?.proxy ?? peer : peer
        loop.service.refused(
            exchange?.head, by: response, from: asker, after: .milliseconds(loop.now - phaseBegan))
        if phase != .ended { linger() }
    }

    /// The client speaks HTTP on a TLS port. The answer is HTTP too, since an alert would mean nothing to it.
    func refusePlainHTTP() {
        tls = nil
        refuse(
            .problem(
                status: 400, code: "tls-required",
                sentence: "This port speaks TLS. Use https or wss."))
    }
}

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
