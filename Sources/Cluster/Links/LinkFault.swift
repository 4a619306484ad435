import JSON
import Rooms
import Transport
import WebProtocols

/// Why a link to another node cannot be made, or has ended.
struct LinkFault: Error, Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        // These prevent a link.
        case portRefused = "port-refused"
        case unreachable
        case wrongKey = "wrong-key"
        case sameName = "same-name"
        case otherRelease = "other-release"
        /// Another node answers at the node's address.
        case wrongNode = "wrong-node"
        /// The node is not known as one of the cluster.
        case unknownNode = "unknown-node"
        case badHello = "bad-hello"

        // These end a link.
        case silent
        /// Too many bytes wait for the other end.
        case sendQueue = "send-queue"
        case badMessage = "bad-message"
        /// Closed by the other end, or by the network.
        case ended
    }

    let kind: Kind
    /// For people who run the nodes. "It" is the other node.
    let sentence: String

    init(_ kind: Kind, _ sentence: String) { (self.kind, self.sentence) = (kind, sentence) }

    /// The two keys differ. Both ends report this.
    static let wrongKey = LinkFault(.wrongKey, "it has another cluster key")

    /// Reads the other end's refusal.
    init(_ response: HTTPResponse) {
        let problem = (try? JSONReader.read(response.body))?.object ?? [:]
        let kind = problem["code"]?.string.flatMap { Kind(rawValue: $0) }
        let detail = problem["detail"]?.string ?? HTTPStatus.phrase(response.status)
        self.init(kind ?? .badHello, "it refuses the link with \(response.status): \(detail)")
    }

    /// From the end of a client's connection, if nothing else is known.
    init(_ end: ClientEnd) {
        switch end {
        case .failed(.refused(let address)): self.init(.portRefused, "nothing listens at \(address)")
        case .failed(.noWebSocket(.refused(let response))): self.init(response)
        case .failed(let error): self.init(error.isAboutReaching ? .unreachable : .ended, error.sentence)
        case .aborted: self.init(.ended, "this node cut the link")
        case .closed(let code, let reason):
            guard let kind = Kind(rawValue: reason) else {
                self.init(.ended, "it closed with \(code.map { "\($0.rawValue)" } ?? "no code"): \(reason)")
                return
            }
            self.init(kind, "it refuses the link: \(kind.rawValue)")
        }
    }

    /// The refusal that the other end gets over HTTP.
    var response: HTTPResponse {
        let status =
            switch kind {
            case .wrongKey: 401
            case .unknownNode: 403
            case .sameName, .otherRelease, .wrongNode: 409
            default: 400
            }
        // The reader is "it" in the sentence.
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

extension HubCounters {
    /// With all reasons for which a link can fail.
    public convenience init(commands: [String] = []) {
        self.init(commands: commands, linkFaults: LinkFault.Kind.allCases.map(\.rawValue))
    }
}
