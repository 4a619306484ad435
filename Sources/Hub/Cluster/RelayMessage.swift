import Transport
import WebProtocols

/// Names a connection that a node relays, to the room's home: none comes twice in a run.
typealias RelayedID = UInt64

/// What is said on a link of connections to one room whose home is the one node, and whose sockets are at the other,
/// their *relay*. No token is in it, but its hash.
enum RelayMessage: Equatable, Sendable {
    // From the relay to the home.
    case opened(RelayedID, Peer)
    case hello(RelayedID, ClientMessage.Hello)
    /// A text message of the client, which is no hello.
    case said(RelayedID, [UInt8])
    /// The socket takes no more: broadcasts since this greeting are left out for it.
    case full(RelayedID, greeting: Int)
    /// It has taken everything since then.
    case drained(RelayedID, greeting: Int)
    case closed(RelayedID)
    /// Greetings of so many bytes have come: the home may send as many again.
    case taken(Int)

    // From the home to the relay.
    /// Brings the client up to now. From here on it gets broadcasts.
    case greeting(RelayedID, number: Int, [[UInt8]])
    /// For this client alone: not lost where its socket is full, but kept until it is greeted.
    case answer(RelayedID, [UInt8])
    /// For all who have been greeted.
    case broadcast([UInt8])
    /// The client gets no broadcasts until it is greeted again.
    case paused(RelayedID)
    /// Whether others do not wait for what is sent to this one.
    case servedLast(RelayedID, Bool)
    case close(RelayedID, CloseCode, String)
    /// So many bytes of what the client has said have come: the relay may send as many again.
    case heard(RelayedID, Int)

    /// Whether a relay sends it to a home.
    var isForHome: Bool {
        switch self {
        case .opened, .hello, .said, .full, .drained, .closed, .taken: true
        case .greeting, .answer, .broadcast, .paused, .servedLast, .close, .heard: false
        }
    }

    /// Which connection it is about; nil: several.
    var connection: RelayedID? {
        switch self {
        case .opened(let id, _), .hello(let id, _), .said(let id, _), .full(let id, _), .drained(let id, _),
            .closed(let id), .greeting(let id, _, _), .answer(let id, _), .paused(let id), .servedLast(let id, _),
            .close(let id, _, _), .heard(let id, _):
            id
        case .broadcast, .taken: nil
        }
    }
}
