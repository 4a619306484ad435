import Games
import RoomRules

/// Who is connected to a room, by how many connections.
struct ConnectionCounts {
    /// As whom presence counts a connection.
    enum Counted: Equatable {
        case nobody, nameless
        case player(PlayerID)
    }

    /// All connections whose player is known. Players without one have no entry.
    private var open: [PlayerID: Int] = [:]
    /// How many of them are greeted and open.
    private var greeted: [PlayerID: Int] = [:]
    /// Greeted connections without a player.
    private var nameless = 0

    func hasAny(_ player: PlayerID) -> Bool { open[player] != nil }

    mutating func change(_ player: PlayerID, by step: Int) { Self.change(&open, of: player, by: step) }

    mutating func count(_ counted: Counted, by step: Int) {
        switch counted {
        case .nobody: break
        case .nameless: nameless += step
        case .player(let player): Self.change(&greeted, of: player, by: step)
        }
    }

    private static func change(_ counts: inout [PlayerID: Int], of player: PlayerID, by step: Int) {
        let count = counts[player, default: 0] + step
        counts[player] = count > 0 ? count : nil
    }

    /// How many players are connected, with a seat or without.
    var playerCount: Int { greeted.count }

    /// What lists show.
    func count(in room: RoomStream) -> PresenceCount {
        let seated = seated(in: room)
        let isHostApart = greeted[room.host] != nil && !seated.contains(room.host)
        return PresenceCount(
            present: seated.count + (isHostApart ? 1 : 0), spectators: playerCount - seated.count + nameless)
    }

    /// What members are shown.
    func shown(in room: RoomStream, isCrowd: Bool) -> Presence.Shown {
        let seated = seated(in: room)
        var players = Set(seated)
        if !isCrowd { players = Set(greeted.keys) } else if greeted[room.host] != nil { players.insert(room.host) }
        return Presence.Shown(players: players, spectators: playerCount - seated.count + nameless)
    }

    private func seated(in room: RoomStream) -> [PlayerID] { room.seated.filter { greeted[$0] != nil } }
}
