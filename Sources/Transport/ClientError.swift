import Glibc
import WebProtocols

/// Why a client's connection failed.
public enum ClientError: Error, Equatable, Sendable {
    /// No address for the name; `reason` is the system's.
    case unknownHost(String, reason: String)
    /// Names the last of several addresses.
    case unreachable(String, reason: String)
    /// Names the last of several addresses; its machine says that no program listens there.
    case refused(String)
    /// This machine ran out of descriptors, ports, memory or threads.
    case exhausted(reason: String)
    case timedOut(Stage)
    /// The server's certificate is not for `host`, or is not trusted.
    case untrusted(host: String, reason: String)
    /// Any other TLS error, in OpenSSL's words, for example that the server requires a certificate.
    case tls(reason: String)
    case badResponse(ResponseViolation)
    /// An answer without a request.
    case unasked
    case noWebSocket(ClientHandshakeError)
    case badFrame(FrameViolation)
    /// This much was already waiting for the server.
    case overflow(limit: Int)
    /// The server ended the connection, without a close frame if it was a WebSocket.
    case ended
    /// Nothing was heard from the server for this long, even after a ping.
    case silent(Duration)

    /// The step that took too long.
    public enum Stage: Equatable, Sendable {
        /// The name's look-up, TCP and TLS.
        case connecting
        case answer
        case closing
    }

    /// For a person; without the server's name unless that is the problem.
    public var sentence: String {
        switch self {
        case .unknownHost(let name, let reason): "there is no address for \(name): \(reason)"
        case .unreachable(let address, let reason): "\(address) cannot be reached: \(reason)"
        case .refused(let address): "\(address) cannot be reached: \(Self.system(ECONNREFUSED))"
        case .exhausted(let reason): "this machine has no room for the connection: \(reason)"
        case .timedOut(.connecting): "it took too long to connect"
        case .timedOut(.answer): "its answer took too long"
        case .timedOut(.closing): "it did not close the connection in time"
        case .untrusted(let host, let reason): "its certificate does not prove that it is \(host): \(reason)"
        case .tls(let reason): "TLS failed: \(reason)"
        case .badResponse(let violation): violation.sentence
        case .unasked: "it sent an answer without a request"
        case .noWebSocket(let error): error.sentence
        case .badFrame(let violation): "it broke RFC 6455: \(violation.sentence)"
        case .overflow(let limit): "it reads nothing, and over \(limit) bytes wait for it"
        case .ended: "it ended the connection"
        case .silent(let time): "nothing was heard from it for \(time)"
        }
    }

    static func system(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// How a client's connection ended.
public enum ClientEnd: Equatable, Sendable {
    /// By close frames both ways; the code is the server's, nil if its frame had none.
    case closed(CloseCode?, reason: String)
    /// By `abort`, or the loop's end.
    case aborted
    case failed(ClientError)
}
