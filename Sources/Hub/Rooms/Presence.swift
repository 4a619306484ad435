import Games

/// What a room's members are told of who is there: the names, and what is yet to be told.
struct Presence {
    /// Presence goes out at most this often, but for new names.
    static let pause: Milliseconds = 1_000

    /// Of all whom anything shown of the room names.
    var names: [PlayerID: String] = [:]
    /// Players who are called otherwise than members were told, connected or not.
    private(set) var renamed: Set<PlayerID> = []
    /// Whether anything has changed since it was sent.
    private var isDue = false
    private var sent: Milliseconds = 0

    /// When it is to be sent next; nil if nothing has changed since.
    var next: Milliseconds? { isDue ? sent + Self.pause : nil }

    /// - Parameter isNewName: somebody is seen whose name the others may not know: that does not wait.
    mutating func change(isNewName: Bool) {
        isDue = true
        if isNewName { sent = 0 }
    }

    /// Whether the player is named, and otherwise by now; nil: by nothing.
    mutating func rename(_ player: PlayerID, to name: String?) -> Bool {
        guard let old = names[player], old != name else { return false }
        names[player] = name
        renamed.insert(player)
        return true
    }

    /// Nothing is left to be told.
    mutating func sent(at now: Milliseconds) { (isDue, sent, renamed) = (false, now, []) }
}
