import Transport
import WebProtocols

/// Where the API answers a request, exactly once: on a connection, or in a script of tests.
public protocol ResponseWriter: AnyObject {
    /// The client.
    var peer: Peer { get }
    func respond(_ response: HTTPResponse)
    /// Goes on as a WebSocket on `shard`, which is told `purpose`.
    func upgrade(_ acceptance: Acceptance, limits: MessageLimits, to shard: Int, for purpose: WebSocketPurpose)
    /// An answer in parts, for what is long: its beginning, parts, the end.
    func begin(status: Int, headers: HeaderFields)
    func send(part: [UInt8])
    func end()
    /// Cuts the connection: the client must not take what came for the whole.
    func abort()
    /// What the socket has not taken yet.
    var queuedBytes: Int { get }
    /// Told when the socket has taken everything.
    var onDrained: (() -> Void)? { get set }
    /// Whether the client has gone.
    var isClosed: Bool { get }
}

/// What a WebSocket is for.
public enum WebSocketPurpose: Sendable, Equatable {
    case room(code: String)
    /// The list of open rooms, on the first shard.
    case lobby
    /// Sends back what it gets.
    case echo
}
