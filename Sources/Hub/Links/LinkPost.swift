import Games

/// What the loops of a node tell each other about links.
enum LinkPost: Sendable {
    case keep([NodeName: NodePlace])
    case mail([LinkMail])
    /// A link was made, or made anew.
    case rose(NodeName, UInt64, reading: [String])
    case fell(NodeName, UInt64)
    /// To the first loop.
    case sees(NodeName, LinkSight)
}

/// A message for a link of another loop.
struct LinkMail: Sendable {
    let node: NodeName
    let era: UInt64
    let bytes: [UInt8]
}
