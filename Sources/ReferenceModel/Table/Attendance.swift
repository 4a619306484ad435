/// Who is connected to a room, and since when others are not.
struct Attendance {
    /// How many connections each player has.
    private(set) var connections: [String: Int] = [:]
    /// When the last connection of a player went.
    private(set) var goneSince: [String: Int] = [:]
    /// When any of this has changed last.
    var changedAt = 0

    func isHere(_ player: String) -> Bool { connections[player] != nil }

    mutating func came(_ player: String, at time: Int) {
        connections[player, default: 0] += 1
        goneSince[player] = nil
        changedAt = time
    }

    mutating func went(_ player: String, at time: Int) {
        guard let count = connections[player] else { return }
        connections[player] = count > 1 ? count - 1 : nil
        if count == 1 { goneSince[player] = time }
        changedAt = time
    }
}
