import RoomRules

/// A message about links between the loops of a node.
enum LinkPost: Sendable {
    case keep([NodeName: NodePlace])
    case mail([LinkMail])
    /// A link was made, for the first time or again.
    case rose(NodeName, UInt64, reading: [String])
    case fell(NodeName, UInt64)
    /// For the first loop.
    case sees(NodeName, LinkSight)
}

/// A message for a link on another loop.
struct LinkMail: Sendable {
    let node: NodeName
    let era: UInt64
    let bytes: [UInt8]
}
