import Threads
import Transport
import WebProtocols

/// Sends one request to a server, on a loop of its own, and waits for the answer.
struct OneRequest: Sendable {
    let endpoint: ClientEndpoint
    let method: String
    let target: String
    var headers: HeaderFields = [:]
    var limits = ClientLimits()

    /// Throws a `ClientError`, or a `TransportError` if there is no loop.
    func answer() throws -> HTTPResponse {
        // Only the first counts.
        let answers = Mailbox<Answer>(limit: 1)
        var options = TransportOptions(addresses: [])
        options.loops = 1
        options.shutdownTime = .milliseconds(1)
        let transport = try TransportServer(options, clock: ClientClock()) { Asker(self, $0, answers) }
        try transport.start()
        defer { transport.shutdown() }
        transport.loops[0].post(Asker.Begin())
        guard let answer = answers.takeAll()?.first else { preconditionFailure("the box is never closed") }
        return try answer.get()
    }
}

private typealias Answer = Result<HTTPResponse, ClientError>

/// The loop's half.
private final class Asker: ClientService, ClientConnectionDelegate {
    struct Begin: Sendable {}

    private let request: OneRequest
    private let context: LoopContext
    private let answers: Mailbox<Answer>

    init(_ request: OneRequest, _ context: LoopContext, _ answers: Mailbox<Answer>) {
        (self.request, self.context, self.answers) = (request, context, answers)
    }

    func postsArrived(_ posted: [any Sendable]) {
        let client = context.connect(to: request.endpoint, limits: request.limits, delegate: self)
        client.ask(request.method, request.target, headers: request.headers)
    }

    func responseArrived(_ response: HTTPResponse, to client: ClientConnection) {
        answers.post(.success(response))
        client.abort()
    }

    func clientEnded(_ client: ClientConnection, _ end: ClientEnd) {
        if case .failed(let error) = end { answers.post(.failure(error)) }
    }

    func clientUpgraded(_ client: ClientConnection, subprotocol: String?) {}
    func messageArrived(_ message: RawSpan, kind: MessageKind, on client: ClientConnection) {}
}
