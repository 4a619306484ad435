/// Who is connected to a room, and since when others are not.
struct Attendance {
    /// How many connections each player has.
    private(set) var connections: [String: Int] = [:]
    /// When the last connection of a player went.
    private var goneSince: [String: Int] = [:]
    /// Since when anybody is counted: before that nobody was gone.
    private let beganAt: Int
    /// When any of this has changed last.
    private(set) var changedAt: Int

    init(at time: Int) { (beganAt, changedAt) = (time, time) }

    func isHere(_ player: String) -> Bool { connections[player] != nil }

    /// Since when a player has had no connection; nil: has one.
    func absence(of player: String) -> Int? { isHere(player) ? nil : goneSince[player] ?? beganAt }

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

    mutating func changed(at time: Int) { changedAt = time }
}
