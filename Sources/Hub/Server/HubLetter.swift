/// A message that is posted to a loop.
public struct HubLetter {
    let message: ShardMessage

    /// Whether another loop asks about a room.
    public var isQuestion: Bool { if case .question = message { true } else { false } }
}
