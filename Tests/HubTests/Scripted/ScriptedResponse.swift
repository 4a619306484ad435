import Games
import JSON
import Transport
import WebProtocols

@testable import Hub

/// One request and its answer.
final class ScriptedResponse: ResponseWriter {
    let peer: Peer
    private(set) var status = 0
    private(set) var headers = HeaderFields()
    private(set) var body: [UInt8] = []
    private(set) var purpose: WebSocketPurpose?
    private(set) var isEnded = false
    /// The witness's number of this request; nil without a witness.
    var number = 0
    weak var witness: ScriptedWitness?
    func abort() { isEnded = true }
    var queuedBytes: Int { 0 }
    var onDrained: (() -> Void)?
    var isClosed: Bool { false }

    init(peer: Peer) { self.peer = peer }

    var text: String { String(decoding: body, as: UTF8.self) }
    var fields: Fields { (try? JSONReader.read(body))?.object ?? [:] }

    func respond(_ response: HTTPResponse) {
        if status != 0 { report("answered twice") }
        (status, headers, body, isEnded) = (response.status, response.headers, response.body, true)
        witness?.responded(number, status: status, body: body)
    }

    func upgrade(_ acceptance: Acceptance, limits: MessageLimits, to shard: Int, for purpose: WebSocketPurpose) {
        (status, self.purpose) = (101, purpose)
    }

    func writeHead(status: Int, headers: HeaderFields) { (self.status, self.headers) = (status, headers) }
    func send(part: [UInt8]) { body += part }
    func finishResponse() {
        isEnded = true
        witness?.responded(number, status: status, body: body)
    }
}

extension Peer {
    /// The operator of the hub.
    static let operators = Peer.at("127.0.0.1", isLimited: false, door: .operators)

    static func at(
        _ address: String, isTLS: Bool = false, isLimited: Bool = true, door: Door = .clients
    ) -> Peer {
        guard let address = IPAddress(address) else { preconditionFailure("\(address) is an address") }
        return Peer(address: address, isTLS: isTLS, isLimited: isLimited, door: door)
    }
}
