import Cryptography
import Games
import Transport

/// What a node needs to be linked to others.
struct LinkSettings: Sendable {
    let name: NodeName
    /// Names this start of the process.
    let run: String
    let key: ClusterKey
    /// Of all events that this node reads.
    let eventTypes: [String]
    /// How those are known that are connected to by TLS; nil: none is.
    var tls: TLSContext?
    var limits = LinkLimits()

    /// What it says of itself on a link to be.
    func hello() -> NodeHello {
        NodeHello(name: name, run: run, eventTypes: eventTypes, nonce: randomBytes(NodeHello.nonceBytes))
    }
}

/// What links are held to; times in ms.
struct LinkLimits: Sendable {
    /// A link that has so much waiting already and is sent more is cut and made anew: what did not come is read from
    /// the log.
    var queueBytes = 8 << 20
    /// Of one message. All are far below it; one that is not cuts the link.
    var messageBytes = 16 << 20
    /// Between two signs of life.
    var pingPause: Milliseconds = 1_000
    /// A link on which nothing came for so long is down.
    var silence: Milliseconds = 3_000
    /// Until a node is tried again for the first time; then twice as long each time.
    var firstRetryPause: Milliseconds = 100
    var longestRetryPause: Milliseconds = 1_000
    /// From connecting to being linked, the wait of who is not known yet included.
    var dialTime: Milliseconds = 8_000
    /// Who is not known to be a node of the cluster has so long to become one: it may have joined just now.
    var strangerTime: Milliseconds = 5_000
    /// Nodes that may wait for that at a time, on one loop.
    var strangerCount = 64
}

/// Which run of a node the others are to be linked to, and where it listens for them.
struct NodePlace: Equatable, Sendable {
    let run: String
    let address: NodeAddress
}

/// Where a node listens for others: `http://10.0.0.7:7070`, or `https` where it speaks TLS.
public struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
    private let origin: WebOrigin

    /// Nil for what is no such address.
    public init?(_ text: String) {
        guard let origin = WebOrigin(text) else { return nil }
        self.origin = origin
    }

    /// A name or a number, IPv6 without brackets.
    var host: String { origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host }
    var port: Int { origin.port ?? (isTLS ? 443 : 80) }
    public var isTLS: Bool { origin.scheme == "https" }

    public var description: String { origin.description }
}

/// What a node sees of another one.
struct LinkSight: Equatable, Sendable {
    /// Which one of it.
    let run: String
    /// Whether there is a link.
    var isLinked = false
    /// In ms since 1970: when that came to be; of one that was never linked, when it was first to be.
    var since: Milliseconds
    /// How often in a row its port has refused a connection: nobody listens there.
    var refusals = 0
    /// Whether this run of it was ever linked, and so is known to have listened there.
    var wasLinked = false
}

/// Told on the first loop what this node sees of others.
protocol LinkWatcher: AnyObject {
    /// At each change.
    func sees(_ sight: LinkSight, of node: NodeName)
}
