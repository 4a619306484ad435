import Rooms
import Transport
import WebProtocols

/// Identifies a relayed connection at the room's home. A run uses each id once.
public typealias RelayedID = UInt64

/// A message over a link about connections to one room. The room's home is one node, and the sockets are at the other,
/// the *relay*. It contains the hash of a token, but never the token.
public enum RelayMessage: Equatable, Sendable {
    // From the relay to the home.
    case opened(RelayedID, Peer)
    case hello(RelayedID, ClientMessage.Hello)
    /// A text message of the client other than `hello`.
    case said(RelayedID, [UInt8])
    /// The socket's queue is full. Broadcasts after this greeting are not sent to it.
    case full(RelayedID, greeting: Int)
    /// Its queue is empty again.
    case drained(RelayedID, greeting: Int)
    case closed(RelayedID)
    /// Greetings of this many bytes have arrived, so the home may send as many again.
    case taken(Int)

    // From the home to the relay.
    /// Brings the client up to date. After it the client gets broadcasts.
    case greeting(RelayedID, number: Int, [[UInt8]])
    /// For this client alone. If its queue is full the relay keeps it until the next greeting.
    case answer(RelayedID, [UInt8])
    /// For this client alone. If its queue is full it is left out, since the next greeting replaces it.
    case replaceable(RelayedID, [UInt8])
    /// For all clients that have been greeted.
    case broadcast([UInt8])
    /// The client gets no broadcasts until it is greeted again.
    case paused(RelayedID)
    /// Whether other connections are served before this one.
    case servedLast(RelayedID, Bool)
    case close(RelayedID, CloseCode, String)
    /// This many bytes of the client's messages have arrived, so the relay may send as many again.
    case heard(RelayedID, Int)

    /// Whether a relay sends it to a home.
    var isForHome: Bool {
        switch self {
        case .opened, .hello, .said, .full, .drained, .closed, .taken: true
        case .greeting, .answer, .replaceable, .broadcast, .paused, .servedLast, .close, .heard: false
        }
    }

    /// The connection that it is about; nil if it is about several.
    var connection: RelayedID? {
        switch self {
        case .opened(let id, _), .hello(let id, _), .said(let id, _), .full(let id, _), .drained(let id, _),
            .closed(let id), .greeting(let id, _, _), .answer(let id, _), .replaceable(let id, _), .paused(let id),
            .servedLast(let id, _), .close(let id, _, _), .heard(let id, _):
            id
        case .broadcast, .taken: nil
        }
    }
}
