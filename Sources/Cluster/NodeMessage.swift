import RoomRules

/// Messages between nodes. They contain nothing that is sealed. They do contain what members request, such as a nonce
/// before its event is durable, and messages for single members.
public enum NodeMessage: Equatable, Sendable {
    /// About connections to the room with this code.
    case relay(String, RelayMessage)
    /// An account has changed or may have; nil if any may.
    case accountChanged(PlayerID?)
}

// The bytes of a message: its kind in a byte, then its parts in order. Numbers have 8 bytes, the highest first. Parts
// of variable length have it before them, in 4 bytes.
extension NodeMessage {
    private enum Kind: UInt8 {
        case relay = 1, accountChanged
    }

    /// As sent on a link.
    public var bytes: [UInt8] {
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

    /// Throws if `bytes` are not a message, because the other node is of another release or broken.
    public init(_ bytes: [UInt8]) throws(NodeMessageViolation) {
        var reader = BinaryReader(bytes)
        guard let kind = Kind(rawValue: try reader.byte()) else { throw reader.violation("a kind of message") }
        switch kind {
        case .relay: self = .relay(try reader.text(), try reader.relayMessage())
        case .accountChanged:
            self = .accountChanged(try reader.list { reader throws(NodeMessageViolation) in try reader.text() }.first)
        }
        guard reader.isAtEnd else { throw reader.violation("the end of the message") }
    }
}

/// Bytes that are not a message of this release.
public struct NodeMessageViolation: Error, Equatable {
    /// How many bytes were read.
    let offset: Int
    let expected: String

    var sentence: String { "at byte \(offset) of a message between nodes \(expected) was expected" }
}
