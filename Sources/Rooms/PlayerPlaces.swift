import RoomRules

/// Which awake rooms of a loop have a connection or the name of which player. Only these are notified when an account
/// changes.
public final class PlayerPlaces {
    /// In the order in which they first had the player.
    private var rooms: [PlayerID: [RoomEdge]] = [:]

    public subscript(player: PlayerID) -> [RoomEdge] { rooms[player] ?? [] }

    func add(_ player: PlayerID, in room: RoomEdge) {
        if !self[player].contains(where: { $0 === room }) { rooms[player, default: []].append(room) }
    }

    func remove(_ player: PlayerID, from room: RoomEdge) {
        let others = self[player].filter { $0 !== room }
        rooms[player] = others.isEmpty ? nil : others
    }

    /// Players that any room has.
    public var players: [PlayerID] { rooms.keys.sorted() }
}
