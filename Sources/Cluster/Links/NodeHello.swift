import Cryptography
import JSON
import RoomRules

/// A node's introduction, before it is linked.
struct NodeHello: Equatable, Sendable {
    /// The subprotocol of links. Another one means another release.
    static let subprotocol = "flipside.node.v1"
    static let nonceBytes = 32
    /// Far above real values, and small enough for an HTTP body.
    static let nameBytes = 256
    static let eventTypeLimit = 1_024

    let name: NodeName
    /// Identifies this start of the node's process.
    let run: String
    /// The types of all events that the node reads, in order.
    let eventTypes: [String]
    /// Random for each link.
    let nonce: [UInt8]

    init(name: NodeName, run: String, eventTypes: [String], nonce: [UInt8]) {
        (self.name, self.run, self.nonce) = (name, run, nonce)
        self.eventTypes = Set(eventTypes).sorted()
    }

    /// Throws `LinkFault.Kind.otherRelease` or `.badHello` if the fields are not a hello.
    init(_ fields: Fields) throws(LinkFault) {
        guard fields["protocol"]?.string == Self.subprotocol else {
            throw LinkFault(
                .otherRelease,
                "it speaks \(fields["protocol"]?.string ?? "no named protocol"), not \(Self.subprotocol)")
        }
        guard let name = fields["node"]?.string, (1...Self.nameBytes).contains(name.utf8.count),
            let run = fields["run"]?.string, (1...Self.nameBytes).contains(run.utf8.count),
            let types = fields["reads"]?.strings, types.count <= Self.eventTypeLimit,
            let nonce = fields["nonce"]?.string.flatMap({ [UInt8](hex: $0) }), nonce.count == Self.nonceBytes
        else { throw LinkFault(.badHello, "its hello lacks node, run, reads or nonce, or has a bad one") }
        self.init(name: NodeName(name), run: run, eventTypes: types, nonce: nonce)
    }

    var fields: Fields {
        [
            "protocol": .string(Self.subprotocol), "node": .string(name.text), "run": .string(run),
            "reads": .strings(eventTypes), "nonce": .string(nonce.hex),
        ]
    }

    /// Throws if these nodes cannot be linked. They may read different events, as happens while a cluster is upgraded.
    func check(_ other: NodeHello) throws(LinkFault) {
        guard other.name != name else {
            throw LinkFault(.sameName, "it is also called \(name.text), but each node needs its own name")
        }
    }
}
