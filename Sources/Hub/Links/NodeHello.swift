import Cryptography
import EventStore
import Games
import JSON

/// What a node says of itself before it is linked to another one.
struct NodeHello: Equatable, Sendable {
    /// The subprotocol of links. Another one is another release.
    static let subprotocol = "flipside.node.v1"
    static let nonceBytes = 32
    /// Far above what there is, and small enough for a body of HTTP.
    static let nameBytes = 256
    static let eventTypeLimit = 1_024

    let name: NodeName
    /// Names this start of the node's process.
    let run: String
    /// Of all events that the node reads, in order.
    let eventTypes: [String]
    /// Drawn for this link.
    let nonce: [UInt8]

    init(name: NodeName, run: String, eventTypes: [String], nonce: [UInt8]) {
        (self.name, self.run, self.nonce) = (name, run, nonce)
        self.eventTypes = Set(eventTypes).sorted()
    }

    /// Throws where it is none: `LinkFault.Kind.otherRelease` or `.badHello`.
    init(_ fields: Fields) throws(LinkFault) {
        guard fields["protocol"]?.string == Self.subprotocol else {
            throw LinkFault(
                .otherRelease,
                "it speaks \(fields["protocol"]?.string ?? "nothing that is named"), not \(Self.subprotocol)")
        }
        guard let name = fields["node"]?.string, (1...Self.nameBytes).contains(name.utf8.count),
            let run = fields["run"]?.string, (1...Self.nameBytes).contains(run.utf8.count),
            let types = fields["reads"]?.strings, types.count <= Self.eventTypeLimit,
            let nonce = fields["nonce"]?.string.flatMap({ [UInt8](hex: $0) }), nonce.count == Self.nonceBytes
        else { throw LinkFault(.badHello, "it does not say who it is: node, run, reads and nonce") }
        self.init(name: NodeName(name), run: run, eventTypes: types, nonce: nonce)
    }

    var fields: Fields {
        [
            "protocol": .string(Self.subprotocol), "node": .string(name.text), "run": .string(run),
            "reads": .strings(eventTypes), "nonce": .string(nonce.hex),
        ]
    }

    /// Throws where a node that says so and this one cannot be linked. What events each reads is no reason: while a
    /// cluster gets a new release, its nodes read different ones.
    func check(_ other: NodeHello) throws(LinkFault) {
        guard other.name != name else {
            throw LinkFault(.sameName, "it is called \(name.text), too: each node needs a name of its own")
        }
    }
}
