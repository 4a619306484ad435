import Transport
import WebProtocols

/// Answers one request, exactly once, on a connection or in a test's script.
public protocol ResponseWriter: AnyObject {
    /// The client.
    var peer: Peer { get }
    func respond(_ response: HTTPResponse)
    /// Becomes a WebSocket on `shard`, for `purpose`.
    func upgrade(_ acceptance: Acceptance, limits: MessageLimits, to shard: Int, for purpose: WebSocketPurpose)
    /// Starts a long answer, which is sent in parts.
    func writeHead(status: Int, headers: HeaderFields)
    func send(part: [UInt8])
    func finishResponse()
    /// Cuts the connection, so that the client does not take a part for the whole.
    func abort()
    /// Bytes that the socket has not taken yet.
    var queuedBytes: Int { get }
    /// Called when the socket has taken everything.
    var onDrained: (() -> Void)? { get set }
    /// Whether the client has disconnected.
    var isClosed: Bool { get }
}

/// What a WebSocket is for.
public enum WebSocketPurpose: Sendable, Equatable {
    case room(code: String)
    /// The list of open rooms, on the first shard.
    case lobby
    /// Sends back what it receives.
    case echo
}
