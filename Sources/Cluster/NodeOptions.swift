import Cryptography

/// A node's name, and its links to the others.
public struct NodeOptions: Sendable, Equatable {
    /// No two nodes may have the same name at a time.
    public var name = "node"
    public var links: NodeLinkOptions?

    public init() {}

    public init(name: String, links: NodeLinkOptions? = nil) { (self.name, self.links) = (name, links) }

    /// The longest name of a node.
    public static let nameBytes = NodeHello.nameBytes

    /// The address that others link to; empty if none do.
    var address: String { links?.address.description ?? "" }
}

/// A node's settings for serving with others. `TransportOptions.nodeAddresses` says where it listens for them.
public struct NodeLinkOptions: Sendable, Equatable {
    /// Where the others reach it.
    public let address: NodeAddress
    public let key: ClusterKey
    /// Which certificates are trusted, for nodes with https addresses.
    public var trust = TLSTrust.system

    public init(address: NodeAddress, key: ClusterKey) { (self.address, self.key) = (address, key) }
}
