import Games
import RoomRules

/// What nodes say to each other. Nothing that is sealed is in it, but what members ask for is, such as a nonce before
/// its event is durable, and what is for one member alone.
enum NodeMessage: Equatable, Sendable {
    /// Of connections to the room of this code.
    case relay(String, RelayMessage)
    /// An account is another than before, or may be; nil: any.
    case accountChanged(PlayerID?)
}

extension ShardDirectory {
    /// A message from another node reaches whom it is for.
    func deliver(_ message: NodeMessage, from node: NodeName) {
        switch message {
        case .relay(let code, let message):
            post(.relay(message, about: code, from: node), to: shardIndex(ofRoom: code, count: count))
        case .accountChanged(let player):
            for shard in 0..<count { post(player.map { .accountChanged($0) } ?? .namesCaughtUp, to: shard) }
        }
    }
}

// Messages as they go over a link: a byte that says which, then the parts in order. Numbers have 8 bytes, the highest
// first; what has a length has it in 4 bytes before it.
extension NodeMessage {
    private enum Kind: UInt8 {
        case relay = 1, accountChanged
    }

    var bytes: [UInt8] {
        var writer = BinaryWriter()
        switch self {
        case .relay(let code, let message):
            writer.put(byte: Kind.relay.rawValue)
            writer.put(code)
            writer.put(message)
        case .accountChanged(let player):
            writer.put(byte: Kind.accountChanged.rawValue)
            writer.put(player.map { [$0] } ?? []) { $0.put($1) }
        }
        return writer.bytes
    }

    /// Throws where `bytes` are no message: the node at the other end is of another release, or broken.
    init(_ bytes: [UInt8]) throws(NodeMessageViolation) {
        var reader = BinaryReader(bytes)
        guard let kind = Kind(rawValue: try reader.byte()) else { throw reader.violation("a kind of message") }
        switch kind {
        case .relay: self = .relay(try reader.text(), try reader.relayMessage())
        case .accountChanged:
            self = .accountChanged(
                try reader.list { reader throws(NodeMessageViolation) in try reader.text() }.first)
        }
        guard reader.isAtEnd else { throw reader.violation("the end of the message") }
    }
}

/// Bytes that are no message of this release.
struct NodeMessageViolation: Error, Equatable {
    /// How many bytes of it were read.
    let offset: Int
    let expected: String

    var sentence: String { "at byte \(offset) of a message between nodes \(expected) was expected" }
}
