import Cryptography
import Games
import RoomRules
import WebProtocols

/// A node's settings for its links.
public struct LinkSettings: Sendable {
    let name: NodeName
    /// Identifies this start of the process.
    let run: String
    let key: ClusterKey
    /// The types of all events that this node reads.
    let eventTypes: [String]
    /// How nodes behind TLS are verified; nil if none uses TLS.
    public var tls: TLSContext?
    var limits = LinkLimits()

    /// `name` and `run` are this node's, and `eventTypes` all that it reads.
    public init(name: NodeName, run: String, key: ClusterKey, eventTypes: [String]) {
        (self.name, self.run, self.key, self.eventTypes) = (name, run, key, eventTypes)
    }

    /// Introduces this node on a new link.
    func hello() -> NodeHello {
        NodeHello(name: name, run: run, eventTypes: eventTypes, nonce: randomBytes(NodeHello.nonceBytes))
    }
}

/// Limits of links; times are in ms.
struct LinkLimits: Sendable {
    /// Most bytes that wait on a link. One with more is cut and made again, and what was missed is read from the log.
    var queueBytes = 8 << 20
    /// The size of one message. All are far below it, and a larger one cuts the link.
    var messageBytes = 16 << 20
    /// The pause between two signs of life.
    var pingPause: Milliseconds = 1_000
    /// A link on which nothing arrived for this long is down.
    var silence: Milliseconds = 3_000
    /// The pause before a node is tried again. It doubles up to the longest.
    var firstRetryPause: Milliseconds = 100
    var longestRetryPause: Milliseconds = 1_000
    /// The time from connecting to being linked, including the wait of a node that is not known yet.
    var dialTime: Milliseconds = 8_000
    /// How long a node that is not known waits to become one of the cluster, which it may have just joined.
    var strangerTime: Milliseconds = 5_000
    /// Most nodes that wait for that at a time, on one loop.
    var strangerCount = 64
}

/// The run of a node that others link to, and its address.
struct NodePlace: Equatable, Sendable {
    let run: String
    let address: NodeAddress
}

/// A node's address for other nodes: `http://10.0.0.7:7070`, or `https` if it uses TLS.
public struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
    private let origin: WebOrigin

    /// Nil if `text` is not such an address.
    public init?(_ text: String) {
        guard let origin = WebOrigin(text) else { return nil }
        self.origin = origin
    }

    /// A name or an IP address, with IPv6 without brackets.
    var host: String { origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host }
    var port: Int { origin.port ?? (isTLS ? 443 : 80) }
    public var isTLS: Bool { origin.scheme == "https" }

    public var description: String { origin.description }
}

/// What a node sees of another node.
public struct LinkSight: Equatable, Sendable {
    /// The other node's run.
    let run: String
    var isLinked = false
    /// Since when, in ms since 1970. For a node that was never linked, since when a link is wanted.
    var since: Milliseconds
    /// How many times in a row its port refused a connection because nothing listens there.
    var refusals = 0
    /// Whether this run was ever linked, and so has listened there.
    var wasLinked = false
    /// Whether the run's port, which was open, has refused more than once and so counts as closed.
    var isClosed: Bool { wasLinked && refusals >= 2 }

    /// As seen since `since`.
    public init(run: String, isLinked: Bool = false, since: Milliseconds, wasLinked: Bool = false) {
        (self.run, self.isLinked, self.since, self.wasLinked) = (run, isLinked, since, wasLinked)
    }
}

/// Notified on the first loop of what this node sees of others.
public protocol LinkWatcher: AnyObject {
    func sees(_ sight: LinkSight, of node: NodeName)
}
