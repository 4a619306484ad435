import Games
import RoomRules

/// Which awake rooms of a loop have something of whom: a member of theirs, or their name. What becomes of an account is
/// told to these alone, and not to all that are awake.
public final class PlayerPlaces {
    /// In the order in which they came to know the player.
    private var rooms: [PlayerID: [RoomEdge]] = [:]

    public subscript(player: PlayerID) -> [RoomEdge] { rooms[player] ?? [] }

    func note(_ player: PlayerID, in room: RoomEdge) {
        if !self[player].contains(where: { $0 === room }) { rooms[player, default: []].append(room) }
    }

    func remove(_ player: PlayerID, from room: RoomEdge) {
        let others = self[player].filter { $0 !== room }
        rooms[player] = others.isEmpty ? nil : others
    }

    /// Players who are anywhere.
    public var players: [PlayerID] { rooms.keys.sorted() }
}
