import Rooms

/// A message that is posted to a loop.
public struct HubLetter {
    let message: ShardMessage

    /// Whether another loop asks about a room.
    public var isQuestion: Bool { if case .question = message { true } else { false } }
}

public final class HubConnection {
    enum End {
        case room(any RoomConnection)
        case lobby(LobbyMember)
    }

    let end: End

    init(_ room: any RoomConnection) { end = .room(room) }
    init(_ member: LobbyMember) { end = .lobby(member) }
}
