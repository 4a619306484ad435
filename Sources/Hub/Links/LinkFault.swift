import Games
import JSON
import Transport
import WebProtocols

/// Why a link to another node is not made, or has come to its end.
struct LinkFault: Error, Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        // It is not made.
        case portRefused = "port-refused"
        case unreachable
        case wrongKey = "wrong-key"
        case sameName = "same-name"
        case otherRelease = "other-release"
        /// Somebody else answers at the node's address.
        case wrongNode = "wrong-node"
        /// The node is not known to be one of the cluster.
        case unknownNode = "unknown-node"
        case badHello = "bad-hello"

        // It has ended.
        case silent
        /// More waited for the other end than may.
        case sendQueue = "send-queue"
        case badMessage = "bad-message"
        /// By the other end, or by the network.
        case ended
    }

    let kind: Kind
    /// For whoever runs the nodes; "it" is the other node.
    let sentence: String

    init(_ kind: Kind, _ sentence: String) { (self.kind, self.sentence) = (kind, sentence) }

    /// Nobody has the key of this one; said by both ends.
    static let wrongKey = LinkFault(.wrongKey, "it has another cluster key")

    /// What the other end was told by a response that is no grant.
    init(_ response: HTTPResponse) {
        let problem = (try? JSONReader.read(response.body))?.object ?? [:]
        let kind = problem["code"]?.string.flatMap { Kind(rawValue: $0) }
        let detail = problem["detail"]?.string ?? HTTPStatus.phrase(response.status)
        self.init(kind ?? .badHello, "it refuses the link with \(response.status): \(detail)")
    }

    /// What a client's connection came to, where nothing else is known.
    init(_ end: ClientEnd) {
        switch end {
        case .failed(.refused(let address)): self.init(.portRefused, "nothing listens at \(address)")
        case .failed(.noWebSocket(.refused(let response))): self.init(response)
        case .failed(let error): self.init(error.isAboutReaching ? .unreachable : .ended, error.sentence)
        case .aborted: self.init(.ended, "this node has cut it")
        case .closed(let code, let reason):
            guard let kind = Kind(rawValue: reason) else {
                self.init(.ended, "it has closed it with \(code.map { "\($0.rawValue)" } ?? "no code"): \(reason)")
                return
            }
            self.init(kind, "it refuses the link: \(kind.rawValue)")
        }
    }

    /// As the other end is told it over HTTP.
    var response: HTTPResponse {
        let status =
            switch kind {
            case .wrongKey: 401
            case .unknownNode: 403
            case .sameName, .otherRelease, .wrongNode: 409
            default: 400
            }
        // Whoever reads it is "it" there.
        return .problem(status: status, code: kind.rawValue, sentence: "The other node says: \(sentence).")
    }
}

extension ClientError {
    fileprivate var isAboutReaching: Bool {
        switch self {
        case .unknownHost, .unreachable, .exhausted, .timedOut, .untrusted, .tls: true
        default: false
        }
    }
}
