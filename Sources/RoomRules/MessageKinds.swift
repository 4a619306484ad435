// The types of messages that are neither events nor commands of a room. No game may use one of these names.

/// What a client sends besides commands and chat.
public enum ClientMessageKind: String, CaseIterable, Sendable {
    case hello, ping
}

/// What a client says to the others in a room.
public enum ChatMessageKind: String, CaseIterable, Sendable {
    case say, react
}

/// What the hub sends besides events.
public enum HubMessageKind: String, CaseIterable, Sendable {
    case welcome, resume, hand, ok, error, presence, chat, reaction, pong, notice, rooms, room
    case roomGone = "room-gone"
}
