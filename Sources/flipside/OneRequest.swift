import Foundation
import Synchronization
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
        let answers = AnswerBox()
        var options = TransportOptions(addresses: [])
        options.loops = 1
        options.shutdownTime = .milliseconds(1)
        let transport = try TransportServer(options, clock: ClientClock()) { Asker(self, $0, answers) }
        try transport.start()
        defer { transport.shutdown() }
        transport.loops[0].post(Asker.Begin())
        return try answers.wait().get()
    }
}

/// The loop's half.
private final class Asker: ClientService, ClientConnectionDelegate {
    struct Begin: Sendable {}

    private let request: OneRequest
    private let context: LoopContext
    private let answers: AnswerBox

    init(_ request: OneRequest, _ context: LoopContext, _ answers: AnswerBox) {
        (self.request, self.context, self.answers) = (request, context, answers)
    }

    func received(_ posted: [any Sendable]) {
        let client = context.connect(to: request.endpoint, limits: request.limits, delegate: self)
        client.ask(request.method, request.target, headers: request.headers)
    }

    func answered(_ response: HTTPResponse, to client: ClientConnection) {
        answers.put(.success(response))
        client.abort()
    }

    func ended(_ client: ClientConnection, _ end: ClientEnd) {
        if case .failed(let error) = end { answers.put(.failure(error)) }
    }

    func upgraded(_ client: ClientConnection, subprotocol: String?) {}
    func received(_ message: RawSpan, kind: MessageKind, on client: ClientConnection) {}
}

/// Where one thread waits for another's result; only the first one counts.
private final class AnswerBox: Sendable {
    private let answer = Mutex<Result<HTTPResponse, ClientError>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func put(_ result: Result<HTTPResponse, ClientError>) {
        let isFirst = answer.withLock { answer in
            guard answer == nil else { return false }
            answer = result
            return true
        }
        if isFirst { isThere.signal() }
    }

    func wait() -> Result<HTTPResponse, ClientError> {
        isThere.wait()
        guard let answer = answer.withLock({ $0 }) else { preconditionFailure("it is signalled only after it is set") }
        return answer
    }
}
