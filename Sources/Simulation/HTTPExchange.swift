import Hub
import Transport
import WebProtocols

/// A request of a client, and its answer.
final class HTTPExchange: ResponseWriter {
    /// Never reused.
    let number: Int
    let request: HTTPRequest
    let token: String?
    let peer: Peer
    unowned let process: HubProcess
    private var world: World { process.world }
    /// Called once with the result.
    private let then: (Answer) -> Void
    private var status = 0
    private(set) var fields = HeaderFields()
    private var parts: [UInt8] = []
    private var isAnswered = false
    var isClosed = false
    var queuedBytes: Int { 0 }
    var onDrained: (() -> Void)?

    enum Answer {
        case response(status: Int, body: [UInt8])
        case upgrade(HubProcess, loop: Int, WebSocketPurpose)
        case broken
    }

    init(
        _ number: Int, _ request: HTTPRequest, token: String?, from peer: Peer, to process: HubProcess,
        then: @escaping (Answer) -> Void
    ) {
        (self.number, self.request, self.token, self.peer, self.process) = (number, request, token, peer, process)
        self.then = then
    }

    func respond(_ response: HTTPResponse) {
        fields = response.headers
        deliverAnswer(.response(status: response.status, body: response.body))
    }

    func upgrade(_ acceptance: Acceptance, limits: MessageLimits, to shard: Int, for purpose: WebSocketPurpose) {
        deliverAnswer(.upgrade(process, loop: shard, purpose))
    }

    func writeHead(status: Int, headers: HeaderFields) { (self.status, fields) = (status, headers) }
    func send(part: [UInt8]) { parts += part }
    func finishResponse() { deliverAnswer(.response(status: status, body: parts)) }
    func abort() { deliverAnswer(.broken) }

    /// The hub is gone.
    func breakOff() { if !isAnswered { deliverAnswer(.broken) } }

    /// The connection ends, and the client gets nothing that the hub may still answer.
    func cut() {
        guard !isClosed else { return }
        isClosed = true
        then(.broken)
    }

    private func deliverAnswer(_ answer: Answer) {
        guard !isAnswered else { return world.fail("a request is answered once", "\(request.head.target)") }
        isAnswered = true
        world.requestAnswered(self, answer)
        guard !isClosed else { return }
        isClosed = true
        then(answer)
    }
}
