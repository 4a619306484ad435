import Cryptography

/// How a node of several is called, and how it is linked to the others.
public struct NodeOptions: Sendable, Equatable {
    /// Nobody else's at the same time.
    public var name = "node"
    public var links: NodeLinkOptions?

    public init() {}

    public init(name: String, links: NodeLinkOptions? = nil) { (self.name, self.links) = (name, links) }

    /// Longest name of a node.
    public static let nameBytes = NodeHello.nameBytes

    /// What others link to; empty where none does.
    var address: String { links?.address.description ?? "" }
}

/// What a node needs to serve rooms beside others. Where it listens for them is `TransportOptions.nodeAddresses`.
public struct NodeLinkOptions: Sendable, Equatable {
    /// Where the others reach it.
    public let address: NodeAddress
    public let key: ClusterKey
    /// Whose certificates are believed, of nodes whose addresses begin with https.
    public var trust = TLSTrust.system

    public init(address: NodeAddress, key: ClusterKey) { (self.address, self.key) = (address, key) }
}
